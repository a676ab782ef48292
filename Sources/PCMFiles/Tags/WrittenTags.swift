// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles

/// Tags of a file of AIFF or CAF: put in after the samples, whose place does not depend on them.
struct WrittenTags {
    private let tags: AudioTags
    private let format: AudioFileFormat

    /// Creates the tags of a file.
    init(_ tags: AudioTags, _ format: AudioFileFormat) {
        self.tags = format.tagStorage.storable(tags)
        self.format = format
    }

    /// Puts the tags into a complete file.
    func write(to file: OpenFile) throws(SystemFileError) {
        guard !tags.isEmpty else { return }
        if format == .aiff {
            try append(AIFFTexts.serialized(tags), to: file, sizeAt: 4)
        } else {
            try append(wordsChunk, to: file, sizeAt: nil)
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
}
