// SPDX-License-Identifier: Apache-2.0

/// The bit rates that an adaptive stream uses.
package struct BitRateLadder: Hashable {
    /// The rates in bits per second, in rising order.
    package let rates: [Int]

    /// The ratio of neighbouring rates, the fourth root of two.
    ///
    /// Simulated (``AdaptiveBitRate``): with the square root 84 % of a link are used, not 91 %; with the eighth root 94 %, but the highest rate returns
    /// after 195 s, not 137 s.
    private static let step = 1.1892

    /// The unit of the rates between the lowest and the highest, in bits per second.
    private static let unit = 1000.0

    /// Makes the ladder of a range, whose bounds are its ends.
    package init(_ range: ClosedRange<Int>) {
        var falling = [range.upperBound]
        var rate = Double(range.upperBound) / Self.step
        // The lowest step may be larger by half.
        while rate > Double(max(1, range.lowerBound)) * Self.step.squareRoot() {
            let rounded = Int((rate / Self.unit).rounded() * Self.unit)
            if rounded > range.lowerBound, rounded < falling[falling.count - 1] { falling.append(rounded) }
            rate /= Self.step
        }
        if range.lowerBound < range.upperBound { falling.append(range.lowerBound) }
        rates = falling.reversed()
    }

    /// Returns the index of the highest rate that is not above a limit; 0 if all rates are.
    package func index(notAbove limit: Double) -> Int { max(0, (rates.firstIndex { Double($0) > limit } ?? rates.count) - 1) }
}
