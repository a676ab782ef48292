// SPDX-License-Identifier: Apache-2.0

// Reading of tags by content.
extension AudioTags {
    /// The maximum number of tags to read before and after the audio.
    private static let tagLimit = 16

    /// Reads the tags of MPEG audio, FLAC, Ogg, WAV, AIFF, CAF and ADTS files.
    ///
    /// MP4 tags are in the index, which ``/AudioContainers/MP4Reader`` reads.
    package init(reading source: TagSource) {
        self.init()
        let start = readFront(source)
        let signature = source.bytes(at: start, 4)
        if signature.starts(with: "fLaC".utf8) {
            readFLAC(source, from: start + 4)
            // FLAC comments take precedence over tags around the stream.
        } else if signature.starts(with: "OggS".utf8) {
            readOgg(source, from: start)
            return
        } else if let chunks = TagChunks(source, offset: start) {
            chunks.read(source, into: &self)
            return
        }
        readEnd(source)
    }

    /// Reads the ID3v2 tags at the start and returns the offset after them.
    private mutating func readFront(_ source: TagSource) -> Int {
        var offset = 0
        for _ in 0..<Self.tagLimit {
            guard let header = ID3v2Header(source.bytes(at: offset, ID3v2Header.byteCount)) else { break }
            readID3(source, at: offset, header)
            offset += header.tagByteCount
        }
        return offset
    }

    private mutating func readID3(_ source: TagSource, at offset: Int, _ header: ID3v2Header) {
        guard header.tagByteCount <= TagSource.maximumTagByteCount else { return unreadNames.append("tag of \(header.tagByteCount) bytes") }
        if let tag = ID3v2Tag(parsing: source.bytes(at: offset, header.tagByteCount)[...]) { merge(tag.tags) }
    }

    /// Reads FLAC metadata blocks, which take precedence over tags before them.
    private mutating func readFLAC(_ source: TagSource, from start: Int) {
        var offset = start
        var found = AudioTags()
        var sampleRate = 0
        var sheet: FLACCueSheet?
        // There can be any number of picture blocks.
        for _ in 0..<4096 {
            let head = source.bytes(at: offset, FLACMetadata.headByteCount)
            guard head.count == FLACMetadata.headByteCount else { break }
            let length = head[1...].reduce(0) { $0 << 8 | Int($1) }
            let type = Int(head[0] & 0x7F)
            let contents = offset + FLACMetadata.headByteCount
            switch type {
            case FLACMetadata.BlockType.comments, FLACMetadata.BlockType.picture:
                FLACMetadata.read(type, source.bytes(at: contents, length)[...], into: &found)
            case FLACMetadata.BlockType.streamInfo: sampleRate = FLACMetadata.sampleRate(source.bytes(at: contents, length))
            case FLACMetadata.BlockType.cueSheet:
                sheet = sheet ?? FLACCueSheet(parsing: source.bytes(at: contents, length)[...], sampleRate: sampleRate)
            default: break
            }
            offset += FLACMetadata.headByteCount + length
            if head[0] & 0x80 != 0 { break }
        }
        // A cue sheet block has no titles, unlike comments.
        if found.chapters.isEmpty, let sheet { found.setChapters(sheet.chapters) }
        self = found.inheriting(self)
    }

    /// Reads the comments of the first Ogg stream.
    private mutating func readOgg(_ source: TagSource, from start: Int) {
        let headers = OggHeaderPackets(source, offset: start)
        for packet in headers.packets {
            if let (type, contents) = OggHeaderPackets.comments(packet) { FLACMetadata.read(type, contents, into: &self) }
        }
        if headers.isIncomplete { addUnread("tags on missing pages") }
    }

    /// Reads the tags at the end: ID3v1, APE and ID3v2 with a footer, in any order.
    private mutating func readEnd(_ source: TagSource) {
        var end = source.byteCount
        var old: AudioTags?
        for _ in 0..<Self.tagLimit {
            if let tags = ID3v1Tag.tags(source.bytes(at: end - ID3v1Tag.byteCount, ID3v1Tag.byteCount)[...]) {
                old = old ?? tags
                end -= ID3v1Tag.byteCount
            } else if let (contents, header) = APETag.byteCount(
                footer: source.bytes(at: end - APETag.footerByteCount, APETag.footerByteCount)[...]), contents + header <= end
            {
                if let tags = APETag.tags(source.bytes(at: end - contents, contents)[...]) { merge(tags) }
                end -= contents + header
            } else if let header = ID3v2Header(footer: source.bytes(at: end - ID3v2Header.byteCount, ID3v2Header.byteCount)),
                header.tagByteCount <= end
            {
                readID3(source, at: end - header.tagByteCount, header)
                end -= header.tagByteCount
            } else {
                break
            }
        }
        // ID3v1 truncates texts to 30 characters.
        if let old { merge(old) }
    }
}
