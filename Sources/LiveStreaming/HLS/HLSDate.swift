// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// ISO 8601 dates for `EXT-X-PROGRAM-DATE-TIME` (RFC 8216, 4.3.2.6).
package enum HLSDate {
    /// Formats a time in seconds since 1970 as UTC with milliseconds: `2026-11-21T12:34:56.789Z`.
    package static func text(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1000).rounded())
        let fraction = (milliseconds % 1000 + 1000) % 1000
        var time = time_t((milliseconds - fraction) / 1000)
        var date = tm()
        gmtime_r(&time, &date)
        let day = [pad(date.tm_year + 1900, 4), pad(date.tm_mon + 1, 2), pad(date.tm_mday, 2)].joined(separator: "-")
        let clock = [date.tm_hour, date.tm_min, date.tm_sec].map { pad($0, 2) }.joined(separator: ":")
        return "\(day)T\(clock).\(pad(Int32(fraction), 3))Z"
    }

    /// Parses a date in the form of ``text(_:)`` with a four-digit year, in seconds since 1970; `nil` for other texts.
    package static func seconds(_ text: Substring) -> Double? {
        let numbers = text.split { !$0.isWholeNumber }.compactMap { Int32($0) }
        guard text.utf8.count == 24, numbers.count == 7, (0...9999).contains(numbers[0]) else { return nil }
        var date = tm()
        (date.tm_year, date.tm_mon, date.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (date.tm_hour, date.tm_min, date.tm_sec) = (numbers[3], numbers[4], numbers[5])
        let result = Double(Int(timegm(&date)) * 1000 + Int(numbers[6])) / 1000
        // Rejects out-of-range days and hours, and other separators: they do not format to the same text.
        return self.text(result) == text ? result : nil
    }

    private static func pad(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
