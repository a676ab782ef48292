// SPDX-License-Identifier: Apache-2.0

/// Chapter start times as text, in the form `01:02:03.456`.
package enum ChapterTime {
    package static let timescale = 1000
    /// The maximum number of digits, which prevents overflow.
    private static let digitLimit = 6

    package static func text(_ milliseconds: Int) -> String {
        let seconds = milliseconds / timescale
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":") + "."
            + padded(milliseconds % timescale, 3)
    }

    /// Formats the start of a chapter in milliseconds, or in nanoseconds if needed to restore its exact sample frame.
    package static func text(_ chapter: AudioTags.Chapter) -> String {
        let start = min(chapter.start(in: timescale), Int(Int32.max))
        let isExact = AudioTags.Chapter(start: start, timescale: timescale, title: "").start(in: chapter.timescale) == chapter.start
        guard !isExact, start < Int(Int32.max) else { return text(start) }
        let (whole, rest) = chapter.start.quotientAndRemainder(dividingBy: chapter.timescale)
        let scale = Int64(chapter.timescale)
        let nanoseconds = Int64(whole) * nanosecondScale + (Int64(rest) * nanosecondScale + scale / 2) / scale
        let seconds = Int(nanoseconds / nanosecondScale)
        return text(seconds * timescale).prefix { $0 != "." } + "." + padded(Int(nanoseconds % nanosecondScale), 9)
    }

    private static let nanosecondScale: Int64 = 1_000_000_000

    /// Returns a number padded with zeros.
    package static func padded(_ value: Int, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// Parses a time such as `1:02:03.456`, `02:03,4` or `3.25`, or returns `nil` if it is invalid.
    ///
    /// Fractions have up to nine digits.
    package static func ticks(_ text: some StringProtocol) -> (start: Int, timescale: Int)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, parts.count <= 3 else { return nil }
        let seconds = last.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        // `Int` can have 32 bits.
        var whole: Int64 = 0
        for part in parts.dropLast() + [seconds[0]] {
            guard let number = number(part, digitLimit) else { return nil }
            whole = whole * 60 + Int64(number)
        }
        guard seconds.count == 2 else { return (Int(clamping: whole), 1) }
        guard let fraction = number(seconds[1], 9) else { return nil }
        var scale = (0..<seconds[1].utf8.count).reduce(1) { scale, _ in scale * 10 }
        var start = whole * Int64(scale) + Int64(fraction)
        while Int(exactly: start) == nil, scale > 1 { (start, scale) = (start / 10, scale / 10) }
        return (Int(clamping: start), scale)
    }

    /// Parses a number that consists of digits only.
    private static func number(_ text: some StringProtocol, _ limit: Int) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...limit).contains(text.utf8.count), text.utf8.allSatisfy({ digits.contains($0) }) else { return nil }
        return Int(text)
    }
}
