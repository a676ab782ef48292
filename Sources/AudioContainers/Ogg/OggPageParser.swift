// SPDX-License-Identifier: Apache-2.0

/// A parser that finds the pages of an Ogg stream, passed in chunks of any size.
///
/// After damage it resumes at the next page with a valid checksum.
package struct OggPageParser: Sendable {
    /// A page or a range of lost bytes, in stream order.
    package enum Event: Hashable, Sendable {
        /// A page with its range in the stream.
        case page(OggPage, byteRange: Range<Int>)
        /// Bytes that are not part of a valid page. `isEnd`: the stream ends there.
        case lost(Range<Int>, isEnd: Bool)
    }

    private var window: StreamWindow
    /// The offset of the first lost byte.
    private var lostSince: Int?
    /// The page after lost bytes that are reported first.
    private var pending: Event?

    package init(offset: Int = 0) { window = StreamWindow(offset: offset) }

    /// Appends the next bytes, and traps after ``finish()``.
    package mutating func append(_ bytes: some Collection<UInt8>) { window.append(bytes) }

    package mutating func finish() { window.finish() }

    /// Returns the next event, or `nil` if more bytes are needed or, after ``finish()``, at the end.
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
                let lost = removeLost(isEnd: false)
                window.advance(by: byteCount)
                guard let lost else { return event }
                pending = event
                return lost
            }
        }
        return window.isFinished ? removeLost(isEnd: true) : nil
    }

    /// Skips the first byte and all that follow which cannot start a page.
    private mutating func skipToCandidate() {
        if lostSince == nil { lostSince = window.offset }
        window.advance(by: 1)
        window.advance(by: window.distance { $0 == OggPage.capturePattern[0] })
    }

    /// Returns the bytes lost since the last page, if any.
    private mutating func removeLost(isEnd: Bool) -> Event? {
        guard let start = lostSince else { return nil }
        lostSince = nil
        return .lost(start..<window.offset, isEnd: isEnd)
    }
}
