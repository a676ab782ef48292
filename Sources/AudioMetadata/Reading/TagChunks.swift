// SPDX-License-Identifier: Apache-2.0

/// The chunks of WAV, AIFF and CAF in which tags are.
struct TagChunks {
    /// The kinds of files.
    private enum Kind {
        case wave
        case aiff
        case caf
    }

    private let kind: Kind
    /// The offset of the first chunk.
    private let start: Int

    /// The most chunks that are read.
    private static let chunkLimit = 4096

    /// Recognises a file by its first 12 bytes at an offset; nil if it has no chunks.
    init?(_ signature: [UInt8], offset: Int) {
        guard signature.count == 12 else { return nil }
        switch (TagText.latin1(signature[..<4]), TagText.latin1(signature[8...])) {
        case ("RIFF", "WAVE"), ("RF64", "WAVE"), ("BW64", "WAVE"): (kind, start) = (.wave, offset + 12)
        case ("FORM", "AIFF"), ("FORM", "AIFC"): (kind, start) = (.aiff, offset + 12)
        case ("caff", _): (kind, start) = (.caf, offset + 8)
        default: return nil
        }
    }

    /// Reads all chunks into tags; an ID3v2 tag counts before texts.
    func read(_ source: TagSource, into tags: inout AudioTags) {
        var texts = AudioTags()
        var cues = WAVECues()
        var offset = start
        var longByteCount: Int?
        for _ in 0..<Self.chunkLimit {
            guard let chunk = head(source.bytes(at: offset, kind == .caf ? 12 : 8)) else { break }
            offset += kind == .caf ? 12 : 8
            /// Returns the contents of the chunk.
            func contents() -> [UInt8] { source.bytes(at: offset, chunk.byteCount) }
            switch (kind, chunk.id) {
            case (.wave, "ds64"):
                // The size of the samples, of which the header of their chunk has no bits enough.
                longByteCount = Int(exactly: contents().dropFirst(8).prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            case (.wave, "LIST"), (.wave, "cue "), (.wave, "fmt "):
                guard chunk.byteCount <= WAVECues.largestByteCount else { break }
                let contents = contents()
                cues.read(chunk.id, contents)
                if chunk.id == "LIST", chunk.byteCount <= RIFFInformation.largestByteCount {
                    texts = texts.inheriting(RIFFInformation(list: contents).tags)
                }
            case (.wave, "id3 "), (.wave, "ID3 "), (.aiff, "ID3 "), (.aiff, "id3 "):
                if let tag = ID3v2Tag(parsing: contents()[...]) { tags.merge(tag.tags) }
            case (.wave, let id): tags.addUnread(waveChunk: id)
            case (.aiff, _): AIFFTexts.read(chunk.id, contents().prefix(Self.largestText), into: &texts)
            case (.caf, "info"):
                if let information = CAFInformation(parsing: contents()[...]) { tags.merge(information.tags) }
            default: break
            }
            let isLong = kind == .wave && chunk.id == "data" && chunk.byteCount == Int(clamping: UInt32.max)
            let byteCount = isLong ? longByteCount ?? source.byteCount : chunk.byteCount
            guard byteCount <= source.byteCount - offset else { break }
            offset += byteCount + (kind == .caf ? 0 : byteCount & 1)
        }
        tags.merge(texts)
        // Those of an ID3v2 tag have pictures and addresses too.
        if tags.chapters.isEmpty { tags.setChapters(cues.chapters) }
    }

    /// The names for people of chunks of WAV that are not read.
    fileprivate static let unreadNames = [
        "bext": "broadcast extension (bext)", "iXML": "iXML", "smpl": "loops of a sampler (smpl)", "inst": "instrument (inst)",
        "acid": "tempo of a loop (acid)", "cart": "cart chunk", "axml": "axml", "_PMX": "XMP",
    ]
    /// The most bytes of a text of AIFF.
    private static let largestText = 1 << 20

    /// Parses the head of a chunk; nil at the end.
    private func head(_ bytes: [UInt8]) -> (id: String, byteCount: Int)? {
        var cursor = TagCursor(bytes[...])
        guard let id = cursor.read(4) else { return nil }
        let byteCount =
            switch kind {
            case .wave: cursor.readLittleEndian(4)
            case .aiff: cursor.readBigEndian(4)
            // An open length is larger than the file, and ends the reading.
            case .caf: cursor.readBigEndian(8)
            }
        return byteCount.map { (TagText.latin1(id), $0) }
    }
}

extension AudioTags {
    /// Adds the name of a chunk of WAV that is not read; nothing for one that describes the samples, or fills space.
    package mutating func addUnread(waveChunk id: String) { if let name = TagChunks.unreadNames[id] { addUnread(name) } }
}
