// SPDX-License-Identifier: Apache-2.0

/// Time ranges on the command line: `10-12.5`, `10s-20s`, `1:30-2:00`, `60-` and `-5`.
package enum TimeRange {
    /// Returns a range in seconds, or `nil` for other texts.
    ///
    /// A missing end is infinite.
    package static func parse(_ text: some StringProtocol) -> Range<Double>? {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, !(ends[0].isEmpty && ends[1].isEmpty) else { return nil }
        guard let start = ends[0].isEmpty ? 0 : seconds(ends[0]), let end = ends[1].isEmpty ? .infinity : seconds(ends[1]) else {
            return nil
        }
        return start < end ? start..<end : nil
    }

    /// Returns the seconds of a time such as `90`, `90s`, `500ms`, `10m`, `1.5h`, `1:30` or `1:02:03.5`; `nil` for other texts.
    static func seconds(_ text: some StringProtocol) -> Double? {
        if text.hasSuffix("ms") {
            return Double(decimal: text.dropLast(2)).flatMap { $0 >= 0 ? $0 / 1000 : nil }
        }
        if let unit = text.last.flatMap({ ["m": 60.0, "h": 3600.0][$0] }) {
            return Double(decimal: text.dropLast()).flatMap { $0 >= 0 ? $0 * unit : nil }
        }
        let parts = (text.hasSuffix("s") ? text.dropLast() : text[...]).split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var result = 0.0
        for (index, part) in parts.enumerated() {
            guard let value = Double(decimal: part), value >= 0, index == 0 || value < 60 else { return nil }
            result = 60 * result + value
        }
        return result
    }
}

extension ParsedArguments {
    /// Returns the value of `--range` in seconds.
    ///
    /// A missing end is infinite.
    func range() throws(CommandFailure) -> Range<Double>? {
        guard let text = text("range") else { return nil }
        guard let range = TimeRange.parse(text) else {
            throw failure("invalid --range value '\(text)'; use a part like 10-12.5, 1:30-2:00, 60- or -5")
        }
        return range
    }

    /// Returns the value of `--range` as durations.
    ///
    /// A missing end is the maximum duration.
    func durationRange() throws(CommandFailure) -> Range<Duration>? {
        guard let range = try range() else { return nil }
        let longest = 1e9
        let end = range.upperBound.isFinite ? Duration.seconds(min(range.upperBound, longest)) : .seconds(Int64.max)
        return .seconds(min(range.lowerBound, longest))..<end
    }
}
