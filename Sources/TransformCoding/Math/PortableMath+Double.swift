// SPDX-License-Identifier: Apache-2.0

// Functions in double precision for tables: series of additions, multiplications and divisions.
extension PortableMath {
    /// Decibels of energy in one unit of log2: 10 log10 2.
    @inlinable package static var decibelsPerOctave: Double { 3.010299956639812 }

    /// Returns e to the power of `x`, to about 1e-15.
    package static func exp(_ x: Double) -> Double {
        let whole = x / ln2 + roundingMagic - roundingMagic
        let rest = x - whole * ln2
        var term = 1.0
        var sum = 1.0
        for n in 1...18 {
            term *= rest / Double(n)
            sum += term
        }
        return sum * Double(sign: .plus, exponent: Int(min(max(whole, -1022), 1023)), significand: 1)
    }

    /// Returns the natural logarithm of a positive, normal number, to about 1e-15.
    package static func ln(_ x: Double) -> Double {
        var exponent = Double(x.exponent)
        var significand = x.significand
        if significand > 1.4142135623730951 {
            significand /= 2
            exponent += 1
        }
        return exponent * ln2 + 2 * inverseHyperbolicTangent((significand - 1) / (significand + 1))
    }

    /// Returns the distance from `lower` to `upper` in octaves; both are positive.
    package static func octaves(_ lower: Double, _ upper: Double) -> Double { ln(upper / lower) / ln2 }

    /// Returns 2 to the power of `x`, to about 1e-15.
    package static func powerOfTwo(_ x: Double) -> Double { exp(x * ln2) }

    /// Returns `base` to the power of `exponent`, to about 1e-14; 0 for a base of 0.
    package static func power(_ base: Double, _ exponent: Double) -> Double { base <= 0 ? 0 : exp(exponent * ln(base)) }

    /// Returns the angle whose tangent is `x`, at least 0, in radians, to about 1e-15.
    package static func arctangent(_ x: Double) -> Double {
        if x > 1 { return Double.pi / 2 - arctangent(1 / x) }
        if x > 0.42 { return Double.pi / 4 + signedArctangent((x - 1) / (x + 1)) }
        return signedArctangent(x)
    }

    /// The natural logarithm of 2.
    private static let ln2 = 0.6931471805599453

    /// The number whose addition and subtraction rounds a Double of moderate size to the nearest integer: 1.5 · 2⁵².
    private static let roundingMagic = 6_755_399_441_055_744.0

    /// Returns the arctangent by its Taylor series, for |x| up to 0.42.
    private static func signedArctangent(_ x: Double) -> Double {
        var power = x
        var sum = x
        for n in stride(from: 3.0, through: 43, by: 4) {
            power *= x * x
            sum -= power / n
            power *= x * x
            sum += power / (n + 2)
        }
        return sum
    }

    /// Returns the inverse hyperbolic tangent by its Taylor series, for |x| up to 0.172.
    private static func inverseHyperbolicTangent(_ x: Double) -> Double {
        var power = x
        var sum = x
        for n in stride(from: 3.0, through: 25, by: 2) {
            power *= x * x
            sum += power / n
        }
        return sum
    }
}
