// SPDX-License-Identifier: Apache-2.0

// Double-precision functions for tables, from series of additions, multiplications and divisions. Each lists its terms, because the
// compiler does not unroll these loops.
extension PortableMath {
    /// Decibels per octave of energy: 10 log10 2.
    @inlinable package static var decibelsPerOctave: Double { 3.010299956639812 }

    /// Returns e to the power `x`, with an error of about 1e-15.
    package static func exp(_ x: Double) -> Double {
        let whole = x / ln2 + roundingMagic - roundingMagic
        let rest = x - whole * ln2
        var sum = 1 + rest * (1.0 / 14)
        sum = 1 + sum * (rest * (1.0 / 13))
        sum = 1 + sum * (rest * (1.0 / 12))
        sum = 1 + sum * (rest * (1.0 / 11))
        sum = 1 + sum * (rest * (1.0 / 10))
        sum = 1 + sum * (rest * (1.0 / 9))
        sum = 1 + sum * (rest * (1.0 / 8))
        sum = 1 + sum * (rest * (1.0 / 7))
        sum = 1 + sum * (rest * (1.0 / 6))
        sum = 1 + sum * (rest * (1.0 / 5))
        sum = 1 + sum * (rest * (1.0 / 4))
        sum = 1 + sum * (rest * (1.0 / 3))
        sum = 1 + sum * (rest * (1.0 / 2))
        sum = 1 + sum * rest
        return sum * Double(sign: .plus, exponent: Int(min(max(whole, -1022), 1023)), significand: 1)
    }

    /// Returns the natural logarithm of a positive normal number, with an error of about 1e-15.
    package static func ln(_ x: Double) -> Double {
        var exponent = Double(x.exponent)
        var significand = x.significand
        if significand > 1.4142135623730951 {
            significand /= 2
            exponent += 1
        }
        return exponent * ln2 + 2 * inverseHyperbolicTangent((significand - 1) / (significand + 1))
    }

    /// Returns the distance between two positive values, from `lower` to `upper`, in octaves.
    package static func octaves(_ lower: Double, _ upper: Double) -> Double { ln(upper / lower) / ln2 }

    /// Returns 2 to the power `x`, with an error of about 1e-15.
    package static func powerOfTwo(_ x: Double) -> Double { exp(x * ln2) }

    /// Returns `base` to the power `exponent`, with an error of about 1e-14; 0 for a non-positive base.
    package static func power(_ base: Double, _ exponent: Double) -> Double { base <= 0 ? 0 : exp(exponent * ln(base)) }

    /// Returns the arctangent of a non-negative `x` in radians, with an error of about 1e-15.
    package static func arctangent(_ x: Double) -> Double {
        if x > 1 { return Double.pi / 2 - arctangent(1 / x) }
        if x > 0.42 { return Double.pi / 4 + signedArctangent((x - 1) / (x + 1)) }
        return signedArctangent(x)
    }

    private static let ln2 = 0.6931471805599453

    /// Adding and subtracting this number, 1.5 · 2⁵², rounds a Double of moderate size to the nearest integer.
    private static let roundingMagic = 6_755_399_441_055_744.0

    /// Returns the arctangent for |x| up to 0.42.
    private static func signedArctangent(_ x: Double) -> Double { x + x * oddSeries(-x * x) }

    /// Returns the inverse hyperbolic tangent for |x| up to 0.42.
    private static func inverseHyperbolicTangent(_ x: Double) -> Double { x + x * oddSeries(x * x) }

    /// Returns q/3 + q²/5 + … + q²¹/43, the common terms of both Taylor series.
    private static func oddSeries(_ q: Double) -> Double {
        var sum = q * (1.0 / 43)
        sum = (sum + 1.0 / 41) * q
        sum = (sum + 1.0 / 39) * q
        sum = (sum + 1.0 / 37) * q
        sum = (sum + 1.0 / 35) * q
        sum = (sum + 1.0 / 33) * q
        sum = (sum + 1.0 / 31) * q
        sum = (sum + 1.0 / 29) * q
        sum = (sum + 1.0 / 27) * q
        sum = (sum + 1.0 / 25) * q
        sum = (sum + 1.0 / 23) * q
        sum = (sum + 1.0 / 21) * q
        sum = (sum + 1.0 / 19) * q
        sum = (sum + 1.0 / 17) * q
        sum = (sum + 1.0 / 15) * q
        sum = (sum + 1.0 / 13) * q
        sum = (sum + 1.0 / 11) * q
        sum = (sum + 1.0 / 9) * q
        sum = (sum + 1.0 / 7) * q
        sum = (sum + 1.0 / 5) * q
        sum = (sum + 1.0 / 3) * q
        return sum
    }
}
