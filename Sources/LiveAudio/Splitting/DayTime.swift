// SPDX-License-Identifier: Apache-2.0

/// A local time of day.
package struct DayTime: Hashable, Sendable {
    /// Seconds since midnight, from 0 to 86 399.
    package let seconds: Int

    /// Parses a time such as `7:30`, `23:59` or `23:59:30`; returns `nil` for other texts.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { 48...57 ~= $0 } })
        else { return nil }
        let values = parts.compactMap { Int($0) } + [0]
        guard values[0] < 24, values[1] < 60, values[2] < 60 else { return nil }
        seconds = 3600 * values[0] + 60 * values[1] + values[2]
    }
}
