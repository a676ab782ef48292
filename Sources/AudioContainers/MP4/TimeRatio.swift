// SPDX-License-Identifier: Apache-2.0

/// The ratio of two timescales.
struct TimeRatio {
    let numerator: Int
    let denominator: Int

    /// Creates the ratio of two positive timescales.
    init(_ numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Returns a value times the ratio, rounded to nearest and clamped to `Int`; 0 for a negative value.
    func applied(to value: Int) -> Int {
        let product = UInt(max(0, value)).multipliedFullWidth(by: UInt(numerator))
        let half = product.low.addingReportingOverflow(UInt(denominator) / 2)
        let high = product.high + (half.overflow ? 1 : 0)
        guard high < UInt(denominator) else { return Int.max }
        let quotient = UInt(denominator).dividingFullWidth((high, half.partialValue)).quotient
        return quotient > UInt(Int.max) ? Int.max : Int(quotient)
    }
}
