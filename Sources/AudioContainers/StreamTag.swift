// SPDX-License-Identifier: Apache-2.0

/// A tag (ID3v2, ID3v1 or APE) between or after the frames of a stream.
struct StreamTag {
    typealias Search = StreamSearch<StreamTag>

    /// The kind of tag.
    let reason: SkippedBytes.Reason
    /// The size in bytes, including header and footer.
    let byteCount: Int

    private static let id3v2 = Array("ID3".utf8)
    private static let id3v1 = Array("TAG".utf8)
    private static let ape = Array("APETAGEX".utf8)
    private static let id3v1ByteCount = 128
    private static let apeHeaderByteCount = 32
    /// The maximum size of a tag inside a stream.
    ///
    /// A larger one is probably damage that looks like a tag.
    private static let maximumByteCountInside = 1 << 20

    static func search(in window: StreamWindow, at distance: Int) -> Search {
        let isInside = window.offset + distance > 0
        for search in [searchID3v2, searchAPE, searchID3v1] {
            switch search(window, distance) {
            case .none: continue
            case .needsMore: return .needsMore
            case .found(let tag) where isInside && tag.byteCount > maximumByteCountInside: continue
            case .found(let tag): return .found(tag)
            }
        }
        return .none
    }

    private static func searchID3v2(_ window: StreamWindow, _ distance: Int) -> Search {
        guard let isTag = window.matches(id3v2, at: distance) else { return .needsMore }
        guard isTag else { return .none }
        guard window.has(distance + 10) else { return window.isFinished ? .none : .needsMore }
        let size = (6..<10).map { window[distance + $0] }
        let flags = window[distance + 5]
        guard (2...4).contains(window[distance + 3]), flags & 0x0F == 0, size.allSatisfy({ $0 < 0x80 }) else { return .none }
        let body = size.reduce(0) { $0 << 7 | Int($1) }
        let footer = flags & 0x10 == 0 ? 0 : 10
        return .found(StreamTag(reason: .id3v2Tag, byteCount: 10 + body + footer))
    }

    private static func searchAPE(_ window: StreamWindow, _ distance: Int) -> Search {
        guard let isTag = window.matches(ape, at: distance) else { return .needsMore }
        guard isTag else { return .none }
        guard window.has(distance + apeHeaderByteCount) else { return window.isFinished ? .none : .needsMore }
        // Little-endian. The size includes items and footer; old tags have a footer only.
        let size = (12..<16).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(window[distance + $1]) }
        let isHeader = window[distance + 23] & 0x20 != 0
        return .found(
            StreamTag(reason: .apeTag, byteCount: isHeader ? Int(clamping: Int64(apeHeaderByteCount) + Int64(size)) : apeHeaderByteCount))
    }

    /// Searches for an ID3v1 tag, which is valid only at the end of the stream.
    private static func searchID3v1(_ window: StreamWindow, _ distance: Int) -> Search {
        guard let isTag = window.matches(id3v1, at: distance) else { return .needsMore }
        guard isTag else { return .none }
        guard window.isFinished else { return window.has(distance + id3v1ByteCount + 1) ? .none : .needsMore }
        guard window.count - distance == id3v1ByteCount else { return .none }
        return .found(StreamTag(reason: .id3v1Tag, byteCount: id3v1ByteCount))
    }
}
