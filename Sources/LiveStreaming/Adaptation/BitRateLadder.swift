// SPDX-License-Identifier: Apache-2.0

/// The bit rates that an adaptive stream uses.
package struct BitRateLadder: Hashable {
    /// The rates in bits per second, in ascending order.
    package let rates: [Int]

    /// The ratio of neighbouring rates: the fourth root of two.
    ///
    /// In simulation (``AdaptiveBitRate``) the square root uses 84 % of a link instead of 91 %. The eighth root uses 94 %, but the highest
    /// rate returns after 195 s instead of 137 s.
    private static let step = 1.1892

    /// The granularity of the rates between the bounds, in bits per second.
    private static let unit = 1000.0

    /// Creates the ladder of a range, including both bounds.
    package init(_ range: ClosedRange<Int>) {
        var falling = [range.upperBound]
        var rate = Double(range.upperBound) / Self.step
        // The lowest step may be up to 1.5 steps wide.
        while rate > Double(max(1, range.lowerBound)) * Self.step.squareRoot() {
            let rounded = Int((rate / Self.unit).rounded() * Self.unit)
            if rounded > range.lowerBound, rounded < falling[falling.count - 1] { falling.append(rounded) }
            rate /= Self.step
        }
        if range.lowerBound < range.upperBound { falling.append(range.lowerBound) }
        rates = falling.reversed()
    }

    /// Returns the index of the highest rate up to `limit`, or 0 if all rates are higher.
    package func index(notAbove limit: Double) -> Int { max(0, (rates.firstIndex { Double($0) > limit } ?? rates.count) - 1) }
}
