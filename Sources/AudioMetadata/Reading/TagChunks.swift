// SPDX-License-Identifier: Apache-2.0

/// The chunks of WAV, AIFF and CAF files that contain tags.
struct TagChunks {
    private enum Kind {
        case wave
        case aiff
        case caf
    }

    private let kind: Kind
    private let isWave64: Bool
    /// The offset of the first chunk.
    private let start: Int
    private var headByteCount: Int { isWave64 ? Wave64.headByteCount : kind == .caf ? 12 : 8 }
    private var alignment: Int { isWave64 ? Wave64.alignment : kind == .caf ? 1 : 2 }

    private static let chunkLimit = 4096

    /// Recognises a file by its bytes from `offset`, or returns `nil` for other formats.
    init?(_ source: TagSource, offset: Int) {
        let head = source.bytes(at: offset, Wave64.fileHeadByteCount)
        isWave64 = Wave64.isFile(head)
        guard head.count >= 12 else { return nil }
        switch (TagText.latin1(head[..<4]), TagText.latin1(head[8..<12])) {
        case _ where isWave64: (kind, start) = (.wave, offset + head.count)
        case ("RIFF", "WAVE"), ("RF64", "WAVE"), ("BW64", "WAVE"): (kind, start) = (.wave, offset + 12)
        case ("FORM", "AIFF"), ("FORM", "AIFC"): (kind, start) = (.aiff, offset + 12)
        case ("caff", _): (kind, start) = (.caf, offset + 8)
        default: return nil
        }
    }

    /// Reads all chunks into tags.
    ///
    /// An ID3v2 tag takes precedence over text chunks.
    func read(_ source: TagSource, into tags: inout AudioTags) {
        var texts = AudioTags()
        var wave = WAVETags()
        var markers = AIFFMarkers()
        var offset = start
        var longByteCount: Int?
        for _ in 0..<Self.chunkLimit {
            guard let chunk = head(source.bytes(at: offset, headByteCount)) else { break }
            offset += headByteCount
            func contents(_ limit: Int = .max) -> [UInt8] { source.bytes(at: offset, min(limit, chunk.byteCount)) }
            switch (kind, chunk.id) {
            case (.wave, "ds64"):
                // The size of the data chunk, whose own size field is too small.
                longByteCount = Int(exactly: contents().dropFirst(8).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            case (.wave, let id) where WAVETags.reads(id, byteCount: chunk.byteCount): wave.read(id, contents())
            case (.wave, let id): wave.skip(id)
            case (.aiff, "ID3 "), (.aiff, "id3 "):
                if let tag = ID3v2Tag(parsing: contents()[...]) { tags.merge(tag.tags) }
            case (.aiff, "COMM"), (.aiff, "MARK"): markers.read(chunk.id, contents(Self.maximumText)[...])
            case (.aiff, let id) where AIFFTexts.reads(id): AIFFTexts.read(id, contents(Self.maximumText)[...], into: &texts)
            case (.caf, "info"):
                if let information = CAFInformation(parsing: contents()[...]) { tags.merge(information.tags) }
            default: break
            }
            let isLong = kind == .wave && !isWave64 && chunk.id == "data" && chunk.byteCount == Int(clamping: UInt32.max)
            let byteCount = isLong ? longByteCount ?? source.byteCount : chunk.byteCount
            guard byteCount <= source.byteCount - offset else { break }
            offset += (byteCount + alignment - 1) / alignment * alignment
        }
        tags.merge(texts)
        if tags.chapters.isEmpty { tags.setChapters(markers.chapters) }
        if kind == .wave { tags.merge(wave.tags) }
    }

    /// The maximum size of an AIFF text, in bytes.
    private static let maximumText = 1 << 20

    /// Parses the header of a chunk, or returns `nil` at the end.
    private func head(_ bytes: [UInt8]) -> (id: String, byteCount: Int)? {
        if isWave64 { return bytes.count == headByteCount ? Wave64.parse(head: bytes) : nil }
        var cursor = TagCursor(bytes[...])
        guard let id = cursor.read(4) else { return nil }
        let byteCount =
            switch kind {
            case .wave: cursor.readLittleEndian(4)
            case .aiff: cursor.readBigEndian(4)
            // An unspecified length exceeds the file size and ends the loop.
            case .caf: cursor.readBigEndian(8)
            }
        return byteCount.map { (TagText.latin1(id), $0) }
    }
}
