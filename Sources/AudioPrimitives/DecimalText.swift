// SPDX-License-Identifier: Apache-2.0

/// Formats decimal numbers with a fixed number of places, which Embedded Swift and the standard library cannot do.
package enum DecimalText {
    /// Formats a number with a fixed number of decimal places, or returns `nil` if it is not finite or needs more than 18 digits.
    ///
    /// It is rounded to nearest, with ties away from zero. A number that rounds to zero has no sign.
    ///
    /// - Parameters:
    ///   - digits: The number of decimal places. There is no decimal point for 0.
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
