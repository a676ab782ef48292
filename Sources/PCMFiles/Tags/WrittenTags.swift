// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles

/// The tags of an AIFF or CAF output, appended after the samples so that sample offsets do not depend on them.
struct WrittenTags {
    private let tags: AudioTags
    private let format: AudioFileFormat
    private let sampleRate: Int

    init(_ tags: AudioTags, _ format: PCMOutputFormat) {
        self.tags = format.file.tagStorage.storable(tags)
        self.format = format.file
        sampleRate = format.sampleRate
    }

    var byteCount: Int { chunks.count }

    /// Appends the tags to a complete file.
    func write(to file: OpenFile) throws(SystemFileError) {
        let chunks = chunks
        if !chunks.isEmpty { try append(chunks, to: file, sizeAt: format == .aiff ? 4 : nil) }
    }

    private var chunks: [UInt8] {
        guard !tags.isEmpty else { return [] }
        return format == .aiff ? AIFFTexts.serialized(tags, sampleRate: sampleRate) : wordsChunk
    }

    /// The CAF information chunk, with its header.
    private var wordsChunk: [UInt8] {
        let contents = CAFInformation(tags: tags).serialized
        var chunk = Array("info".utf8)
        chunk.appendBigEndian(contents.count, byteCount: 8)
        return chunk + contents
    }

    /// Appends chunks and updates the size field at an offset of the file.
    private func append(_ chunks: [UInt8], to file: OpenFile, sizeAt offset: Int?) throws(SystemFileError) {
        guard let byteCount = try file.status().byteCount else { return }
        // AIFF chunks start at even offsets.
        let padding = offset == nil ? 0 : byteCount & 1
        try file.overwrite([UInt8](repeating: 0, count: padding) + chunks, at: byteCount)
        guard let offset else { return }
        var size: [UInt8] = []
        size.appendBigEndian(byteCount + padding + chunks.count - 8, byteCount: 4)
        try file.overwrite(size, at: offset)
    }
}
