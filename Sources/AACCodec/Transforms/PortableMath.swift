// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Logarithms, powers and an arctangent made of additions, multiplications and divisions only.
///
/// An encoder decides by these, so they give the same bits on every machine, which no system's libm promises. None of
/// them fuses a multiplication with an addition.
enum PortableMath {
    /// Decibels of energy in one unit of log2: 10 log10 2.
    static let decibelsPerOctave = 3.010299956639812

    /// log2 of four positive, normal numbers, to about 2e-7.
    @inline(__always)
    static func log2(_ x: SIMD4<Float>) -> SIMD4<Float> {
        let bits = x.bitPatterns &- SIMD4(repeating: 0x3F35_04F3)
        let exponents = SIMD4<Int32>(truncatingIfNeeded: bits) &>> 23
        let significand = SIMD4<Float>(
            bitPatterns: x.bitPatterns &- SIMD4<UInt32>(truncatingIfNeeded: exponents &<< 23))
        let shifted = SIMD4<UInt32>(truncatingIfNeeded: exponents &+ SIMD4(repeating: 0x4B40_0000))
        let exponent = SIMD4<Float>(bitPatterns: shifted) - SIMD4(repeating: 12_582_912)
        let one = SIMD4<Float>(repeating: 1)
        let s = (significand - one) / (significand + one)
        let square = s * s
        var series = square * 0.412_198_59 + SIMD4(repeating: 0.577_078_02)
        series = series * square + SIMD4(repeating: 0.961_796_69)
        series = series * square + SIMD4(repeating: 2.885_390_1)
        return exponent + s * series
    }

    /// 2 to the power of four numbers from -126 to 127, beyond which it stops, to about 2e-7.
    @inline(__always)
    static func exp2(_ x: SIMD4<Float>) -> SIMD4<Float> {
        let limited = x.maximum(SIMD4(repeating: -126)).minimum(SIMD4(repeating: 127))
        let shifted = limited + SIMD4(repeating: 12_582_912)
        let fraction = limited - (shifted - SIMD4(repeating: 12_582_912))
        var series = fraction * 0.000_154_035_3 + SIMD4(repeating: 0.001_333_355_8)
        series = series * fraction + SIMD4(repeating: 0.009_618_129)
        series = series * fraction + SIMD4(repeating: 0.055_504_11)
        series = series * fraction + SIMD4(repeating: 0.240_226_5)
        series = series * fraction + SIMD4(repeating: 0.693_147_2)
        series = series * fraction + SIMD4(repeating: 1)
        return SIMD4(bitPatterns: series.bitPatterns &+ (shifted.bitPatterns &- SIMD4(repeating: 0x4B40_0000)) &<< 23)
    }

    /// log2 of a positive, normal number, to about 2e-7.
    @inline(__always)
    static func log2(_ x: Float) -> Float { log2(SIMD4<Float>(repeating: x)).x }

    /// log10 of a positive, normal number, to about 1e-7.
    @inline(__always)
    static func log10(_ x: Float) -> Float { log2(x) * 0.301_030 }

    /// 2 to the power of a number from -126 to 127, beyond which it stops, to about 2e-7.
    @inline(__always)
    static func exp2(_ x: Float) -> Float { exp2(SIMD4<Float>(repeating: x)).x }

    /// e to the power of `x`, to about 1e-15.
    static func exp(_ x: Double) -> Double {
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

    /// The natural logarithm of a positive, normal number, to about 1e-15.
    static func ln(_ x: Double) -> Double {
        var exponent = Double(x.exponent)
        var significand = x.significand
        if significand > 1.4142135623730951 {
            significand /= 2
            exponent += 1
        }
        return exponent * ln2 + 2 * inverseHyperbolicTangent((significand - 1) / (significand + 1))
    }

    /// `base` to the power of `exponent`, to about 1e-14; 0 for a base of 0.
    static func power(_ base: Double, _ exponent: Double) -> Double { base <= 0 ? 0 : exp(exponent * ln(base)) }

    /// The angle whose tangent is `x`, at least 0, in radians, to about 1e-15.
    static func arctangent(_ x: Double) -> Double {
        if x > 1 { return Double.pi / 2 - arctangent(1 / x) }
        if x > 0.42 { return Double.pi / 4 + signedArctangent((x - 1) / (x + 1)) }
        return signedArctangent(x)
    }

    private static let ln2 = 0.6931471805599453

    /// Added and taken away again, this rounds a Double of moderate size to the nearest whole number.
    private static let roundingMagic = 6_755_399_441_055_744.0

    /// Taylor's series, for |x| up to 0.42.
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

    /// Taylor's series, for |x| up to 0.172.
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
