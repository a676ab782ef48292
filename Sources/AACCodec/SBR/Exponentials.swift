// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Logarithm, power and arc functions for tables, from series: the same bits on every machine.
enum Exponentials {
    /// The binary logarithm of a positive, finite, normal number, to about 1e-15.
    static func log2(_ x: Double) -> Double {
        var mantissa = x.significand
        var exponent = Double(x.exponent)
        if mantissa > 1.414_213_562_373_095_1 {
            mantissa /= 2
            exponent += 1
        }
        let t = (mantissa - 1) / (mantissa + 1)
        var power = t
        var sum = 0.0
        for n in stride(from: 1.0, through: 25, by: 2) {
            sum += power / n
            power *= t * t
        }
        return exponent + 2 * sum / ln2
    }

    /// 2 to the power of x, for |x| below 1000.
    static func exp2(_ x: Double) -> Double {
        let whole = x.rounded()
        let y = (x - whole) * ln2
        var term = 1.0
        var sum = 1.0
        for n in stride(from: 1.0, through: 16, by: 1) {
            term *= y / n
            sum += term
        }
        return sum * Double(sign: .plus, exponent: Int(whole), significand: 1)
    }

    /// The angle whose tangent is x, in radians.
    static func arcTangent(_ x: Double) -> Double {
        if x < 0 { return -arcTangent(-x) }
        if x > 1 { return Double.pi / 2 - arcTangent(1 / x) }
        // Twice half the angle: |argument| is below 0.2 after two steps.
        let half = x / (1 + (1 + x * x).squareRoot())
        let quarter = half / (1 + (1 + half * half).squareRoot())
        var power = quarter
        var sum = 0.0
        for n in stride(from: 1.0, through: 23, by: 4) {
            sum += power / n - power * quarter * quarter / (n + 2)
            power *= quarter * quarter * quarter * quarter
        }
        return 4 * sum
    }

    /// The angle between 0 and pi whose cosine is x, for x from -1 to 1.
    static func arcCosine(_ x: Double) -> Double {
        x <= -1 ? Double.pi : 2 * arcTangent(((1 - x) / (1 + x)).squareRoot())
    }

    private static let ln2 = 0.693_147_180_559_945_3
}
