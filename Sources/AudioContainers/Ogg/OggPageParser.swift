// SPDX-License-Identifier: Apache-2.0

/// Finds the pages of an Ogg stream that arrives in chunks of any size.
///
/// After damage it continues with the next page whose checksum is valid.
package struct OggPageParser: Sendable {
    /// A step in the order of the stream.
    package enum Event: Hashable, Sendable {
        /// A page, with its bytes in the stream.
        case page(OggPage, byteRange: Range<Int>)
        /// Bytes that are no intact page; whether the stream ends in them.
        case lost(Range<Int>, isEnd: Bool)
    }

    private var window: StreamWindow
    /// The offset of the first of the bytes that are no page.
    private var lostSince: Int?
    /// The page after bytes that were reported first.
    private var pending: Event?

    /// Creates a parser of bytes from an offset in the stream on.
    package init(offset: Int = 0) { window = StreamWindow(offset: offset) }

    /// Appends the next bytes; traps after ``finish()``.
    package mutating func append(_ bytes: some Collection<UInt8>) { window.append(bytes) }

    /// Ends the stream.
    package mutating func finish() { window.finish() }

    /// Returns the next event; nil if more bytes are needed or, after ``finish()``, at the end.
    package mutating func nextEvent() -> Event? {
        if let event = pending {
            pending = nil
            return event
        }
        while window.count > 0 {
            switch OggPage.search(window) {
            case .needsMore: return nil
            case .none: skipToCandidate()
            case .found(let page, let byteCount):
                let event = Event.page(page, byteRange: window.offset..<window.offset + byteCount)
                let lost = takeLost(isEnd: false)
                window.advance(by: byteCount)
                guard let lost else { return event }
                pending = event
                return lost
            }
        }
        return window.isFinished ? takeLost(isEnd: true) : nil
    }

    /// Skips the first byte and those after it that can't begin a page.
    private mutating func skipToCandidate() {
        if lostSince == nil { lostSince = window.offset }
        window.advance(by: 1)
        window.advance(by: window.distance { $0 == OggPage.capturePattern[0] })
    }

    /// Returns the bytes that were skipped since the last page; nil if there are none.
    private mutating func takeLost(isEnd: Bool) -> Event? {
        guard let start = lostSince else { return nil }
        lostSince = nil
        return .lost(start..<window.offset, isEnd: isEnd)
    }
}
