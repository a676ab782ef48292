// SPDX-License-Identifier: Apache-2.0

/// Decimal numbers as text; Embedded Swift prints no floating-point numbers, and the standard library none of a fixed length.
package enum DecimalText {
    /// Returns a number with a number of decimal places; nil for what isn't finite, or has more than 18 digits.
    ///
    /// It is rounded to the nearest, ties away from zero. What rounds to zero has no sign.
    ///
    /// - Parameters:
    ///   - value: The number.
    ///   - digits: The decimal places; without any there is no point.
    ///   - minus: The sign of negative numbers.
    package static func fixed(_ value: Double, digits: Int, minus: String = "-") -> String? {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        guard value.isFinite, abs(value) * scale < 1e18 else { return nil }
        let rounded = Int64((abs(value) * scale).rounded())
        let sign = value < 0 && rounded > 0 ? minus : ""
        guard digits > 0 else { return sign + String(rounded) }
        let fraction = String(rounded % Int64(scale))
        return sign + String(rounded / Int64(scale)) + "." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
