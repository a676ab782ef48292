// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import SystemFiles

/// Tags of a file that libsndfile writes: put in after it, since it knows few of them.
struct WrittenTags {
    private let tags: AudioTags
    private let format: PCMFileFormat

    /// The most bytes that are searched for the comments of FLAC.
    private static let searchLimit = 65_536
    /// The bytes that the comments of FLAC may take beside the text that keeps their place.
    private static let slack = 256

    /// Creates the tags of a file.
    init(_ tags: AudioTags, _ format: PCMFileFormat) {
        self.tags = format.tagStorage.storable(tags)
        self.format = format
    }

    /// A text of the length of all metadata, which the library writes before the samples of FLAC to keep their place; nil if none is needed.
    var placeholder: String? {
        guard format == .flac, !tags.isEmpty else { return nil }
        return String(repeating: " ", count: FLACMetadata(tags: tags, vendor: "").serialized.count + Self.slack)
    }

    /// Puts the tags into a complete file.
    func write(to file: OpenFile) throws(SystemFileError) {
        guard !tags.isEmpty else { return }
        switch format {
        case .flac: try replacePlaceholder(in: file)
        case .aiff: try append(AIFFTexts.serialized(tags), to: file, sizeAt: 4)
        case .caf: try append(wordsChunk, to: file, sizeAt: nil)
        case .wav, .oggFLAC, .raw: break
        }
    }

    /// The chunk of CAF with its head.
    private var wordsChunk: [UInt8] {
        let contents = CAFInformation(tags: tags).serialized
        var chunk = Array("info".utf8)
        chunk.appendBigEndian(contents.count, byteCount: 8)
        return chunk + contents
    }

    /// Appends chunks, and adds their size to the one at an offset of the file.
    private func append(_ chunks: [UInt8], to file: OpenFile, sizeAt offset: Int?) throws(SystemFileError) {
        guard let byteCount = try file.status().byteCount else { return }
        // A chunk of AIFF begins at an even offset.
        let padding = offset == nil ? 0 : byteCount & 1
        try file.overwrite([UInt8](repeating: 0, count: padding) + chunks, at: byteCount)
        guard let offset else { return }
        var size: [UInt8] = []
        size.appendBigEndian(byteCount + padding + chunks.count - 8, byteCount: 4)
        try file.overwrite(size, at: offset)
    }

    /// Replaces the comments that keep the place in a FLAC file by all metadata and padding.
    private func replacePlaceholder(in file: OpenFile) throws(SystemFileError) {
        var offset = 4
        while offset < Self.searchLimit {
            let head = try file.bytes(in: offset..<offset + 8)
            guard head.count == 8 else { return }
            let byteCount = FLACMetadata.headByteCount + head[1..<4].reduce(0) { $0 << 8 | Int($1) }
            if Int(head[0] & 0x7F) == FLACMetadata.BlockType.comments {
                let vendorLength = head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
                let vendor = try file.bytes(in: offset + 8..<offset + 8 + min(vendorLength, Self.slack / 2))
                let metadata = FLACMetadata(tags: tags, vendor: String(decoding: vendor, as: UTF8.self))
                if let blocks = metadata.serialized(byteCount: byteCount, isLast: head[0] & 0x80 != 0) {
                    try file.overwrite(blocks, at: offset)
                }
                return
            }
            offset += byteCount
            guard head[0] & 0x80 == 0 else { return try appendBlocks(to: file, after: head[0], byteCount: offset) }
        }
    }

    /// Appends the metadata to a FLAC file that ends with its first block, since it has no samples.
    private func appendBlocks(to file: OpenFile, after head: UInt8, byteCount: Int) throws(SystemFileError) {
        let metadata = FLACMetadata(tags: tags, vendor: "Linnet")
        guard try file.status().byteCount == byteCount,
            let blocks = metadata.serialized(byteCount: metadata.serialized.count + FLACMetadata.headByteCount, isLast: true)
        else { return }
        try file.overwrite([head & 0x7F], at: 4)
        try file.overwrite(blocks, at: byteCount)
    }
}
