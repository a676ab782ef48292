// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Whether what looks like an ADTS frame is one.
enum ADTSFrameCheck {
    /// What a check can come to.
    enum Result {
        /// A frame with this header, whole, and followed by what may follow.
        case sound(ADTSHeader)
        /// No frame.
        case unsound(SkippedBytes.Reason)
        /// Not enough bytes have come to say.
        case needsMore
    }

    /// What follows a frame, as far as it can be said.
    private enum Answer {
        case yes, no, needsMore
    }

    /// Checks for a frame `distance` bytes on; `reference` is the header of the frame before.
    static func check(_ window: StreamWindow, at distance: Int, reference: ADTSHeader?) -> Result {
        guard window[distance] == 0xFF else { return .unsound(.unrecognized) }
        guard window.has(distance + ADTSHeader.fixedByteCount) else {
            return window.isFinished ? .unsound(endReason(window, distance, reference)) : .needsMore
        }
        guard let header = header(window, distance) else { return .unsound(.unrecognized) }
        let continues = reference?.isConsistent(with: header) ?? true
        switch isFollowed(window, header, at: distance + header.frameLength, mayChange: continues) {
        case .yes: return .sound(header)
        case .needsMore: return .needsMore
        case .no:
            let isCut = window.isFinished && !window.has(distance + header.frameLength)
            return .unsound(isCut && continues && reference != nil ? .truncatedFrame : .unrecognized)
        }
    }

    /// Where the raw data blocks lie in the frame at the start of the window: each, or all as one where nothing tells.
    ///
    /// Nil if the positions of several blocks contradict each other or their checksum.
    static func blocks(of header: ADTSHeader, in window: StreamWindow) -> [Range<Int>]? {
        let start = header.byteCount
        guard header.hasCRC && header.rawDataBlockCount > 1 else { return [start..<header.frameLength] }
        let crcPlace = start - 2
        let crc = UInt16(window[crcPlace]) << 8 | UInt16(window[crcPlace + 1])
        guard ADTSChecksum.value(header: window[0..<crcPlace]) == crc else { return nil }
        var borders = [start]
        for index in 0..<header.rawDataBlockCount - 1 {
            let place = ADTSHeader.fixedByteCount + 2 * index
            borders.append(start + (Int(window[place]) << 8 | Int(window[place + 1])))
        }
        borders.append(header.frameLength)
        // Each block ends with its own checksum.
        let blocks = zip(borders, borders.dropFirst())
        guard blocks.allSatisfy({ $0.1 - $0.0 > 2 }) else { return nil }
        return blocks.map { $0.0..<$0.1 - 2 }
    }

    private static func header(_ window: StreamWindow, _ distance: Int) -> ADTSHeader? {
        // The cheap half of the test first: garbage is searched byte by byte.
        guard window[distance] == 0xFF, window[distance + 1] & 0xF6 == 0xF0 else { return nil }
        return try? ADTSHeader(parsing: window.bytes, at: window.start + distance)
    }

    /// Whether at `end` there is what may follow a frame with `header`.
    private static func isFollowed(_ window: StreamWindow, _ header: ADTSHeader, at end: Int, mayChange: Bool) -> Answer {
        guard window.has(end) else { return window.isFinished ? .no : .needsMore }
        let left = window.count - end
        if left == 0 { return window.isFinished ? .yes : .needsMore }
        if window[end] == 0xFF {
            guard left >= ADTSHeader.fixedByteCount else {
                if !window.isFinished { return .needsMore }
                return continues(header, window[end..<window.count]) ? .yes : .no
            }
            guard let next = Self.header(window, end) else { return .no }
            if next.isConsistent(with: header) { return .yes }
            // A change of configuration has to be confirmed by a second frame of the new kind.
            return mayChange ? isFollowed(window, next, at: end + next.frameLength, mayChange: false) : .no
        }
        switch StreamTag.search(in: window, at: end) {
        case .found: return .yes
        case .needsMore: return .needsMore
        case .none: return .no
        }
    }

    /// Whether a stream that ends within a header still shows the one expected, in its first four bytes.
    private static func continues(_ header: ADTSHeader, _ bytes: ArraySlice<UInt8>) -> Bool {
        var expected: [UInt8] = []
        header.serialize(into: &expected)
        // Copyright bits and length begin in the fourth byte; the checksum flag may change.
        let masks: [UInt8] = [0xFF, 0xFE, 0xFD, 0xC0]
        return zip(zip(bytes, expected), masks).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
    }

    private static func endReason(_ window: StreamWindow, _ distance: Int, _ reference: ADTSHeader?) -> SkippedBytes.Reason {
        guard let reference, continues(reference, window[distance..<window.count]) else { return .unrecognized }
        return .truncatedFrame
    }
}
