// SPDX-License-Identifier: Apache-2.0

/// Distinguishes ADTS frames from bytes that look like a header.
enum ADTSFrameCheck {
    enum Result {
        /// A complete frame, followed by a header, a tag or the end of the stream.
        case valid(ADTSHeader)
        case invalid(SkippedBytes.Reason)
        case needsMore
    }

    private enum Continuation {
        case yes, no, needsMore
    }

    /// Checks for a frame at `distance` in the window, with the previous frame's header as `reference`.
    static func check(_ window: StreamWindow, at distance: Int, reference: ADTSHeader?) -> Result {
        guard window[distance] == 0xFF else { return .invalid(.unrecognized) }
        guard window.has(distance + ADTSHeader.fixedByteCount) else {
            return window.isFinished ? .invalid(endReason(window, distance, reference)) : .needsMore
        }
        guard let header = header(window, distance) else { return .invalid(.unrecognized) }
        let continues = reference?.isConsistent(with: header) ?? true
        switch isFollowed(window, header, at: distance + header.frameLength, mayChange: continues) {
        case .yes: return .valid(header)
        case .needsMore: return .needsMore
        case .no:
            let isCut = window.isFinished && !window.has(distance + header.frameLength)
            return .invalid(isCut && continues && reference != nil ? .truncatedFrame : .unrecognized)
        }
    }

    /// Returns the raw data blocks of the frame at the start of the window, or one range for all blocks if the frame stores no positions.
    ///
    /// Returns `nil` if the positions of several blocks are inconsistent or do not match their checksum.
    static func blocks(of header: ADTSHeader, in window: StreamWindow) -> [Range<Int>]? {
        let start = header.byteCount
        guard header.hasCRC && header.rawDataBlockCount > 1 else { return [start..<header.frameLength] }
        let crcOffset = start - 2
        let crc = UInt16(window[crcOffset]) << 8 | UInt16(window[crcOffset + 1])
        guard ADTSChecksum.value(header: window[0..<crcOffset]) == crc else { return nil }
        var boundaries = [start]
        for index in 0..<header.rawDataBlockCount - 1 {
            let offset = ADTSHeader.fixedByteCount + 2 * index
            boundaries.append(start + (Int(window[offset]) << 8 | Int(window[offset + 1])))
        }
        boundaries.append(header.frameLength)
        // Each block ends with its own checksum.
        let blocks = zip(boundaries, boundaries.dropFirst())
        guard blocks.allSatisfy({ $0.1 - $0.0 > 2 }) else { return nil }
        return blocks.map { $0.0..<$0.1 - 2 }
    }

    private static func header(_ window: StreamWindow, _ distance: Int) -> ADTSHeader? {
        // Garbage is searched byte by byte, so the cheap test comes first.
        guard window[distance] == 0xFF, window[distance + 1] & 0xF6 == 0xF0 else { return nil }
        return try? ADTSHeader(parsing: window.bytes, at: window.start + distance)
    }

    /// Whether a header, a tag or the end of the stream follows a frame that ends at `end`.
    private static func isFollowed(_ window: StreamWindow, _ header: ADTSHeader, at end: Int, mayChange: Bool) -> Continuation {
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
            // A second frame must confirm a new configuration.
            return mayChange ? isFollowed(window, next, at: end + next.frameLength, mayChange: false) : .no
        }
        switch StreamTag.search(in: window, at: end) {
        case .found: return .yes
        case .needsMore: return .needsMore
        case .none: return .no
        }
    }

    /// Whether the bytes of a header cut off by the end of the stream match the expected header, up to four bytes.
    private static func continues(_ header: ADTSHeader, _ bytes: ArraySlice<UInt8>) -> Bool {
        var expected: [UInt8] = []
        header.serialize(into: &expected)
        // Copyright bits and length start in the fourth byte. The checksum flag may change.
        let masks: [UInt8] = [0xFF, 0xFE, 0xFD, 0xC0]
        return zip(zip(bytes, expected), masks).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
    }

    /// Returns why the last bytes of the stream are skipped.
    private static func endReason(_ window: StreamWindow, _ distance: Int, _ reference: ADTSHeader?) -> SkippedBytes.Reason {
        guard let reference, continues(reference, window[distance..<window.count]) else { return .unrecognized }
        return .truncatedFrame
    }
}
