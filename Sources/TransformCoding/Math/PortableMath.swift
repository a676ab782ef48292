// SPDX-License-Identifier: Apache-2.0

/// Logarithms, powers and sums with bit-identical results on all machines.
///
/// They use only correctly rounded operations in a fixed order, without libm and fused multiply-add. The encoder computes all its
/// decisions with them. Scalar and vector results are equal. NaN and infinity are not allowed.
@usableFromInline package enum PortableMath {
    /// Returns the binary logarithm of `x` > 0, with an error of at most 2e-7 relative or 6e-8 absolute.
    ///
    /// Values below 2^-126 count as 2^-126.
    @inlinable @inline(__always)
    package static func log2(_ x: SIMD4<Float>) -> SIMD4<Float> {
        // x = 2^exponent m with m from √½ to √2, and log2 m is an odd series in (m - 1) / (m + 1).
        let shifted = x.maximum(SIMD4(repeating: .leastNormalMagnitude)).bitPatterns &+ rootToOne
        let exponent = SIMD4(bitPatterns: (shifted &>> 23) | twoTo23Bits) - SIMD4(repeating: 8_388_608 + 127)
        let m = SIMD4(bitPatterns: (shifted & mantissaMask) &+ rootBits)
        let one = SIMD4<Float>(repeating: 1)
        let t = (m - one) / (m + one)
        let square = t * t
        var series = SIMD4<Float>(repeating: 0.431_735_84) * square
        series = (series + SIMD4(repeating: 0.576_714_4)) * square
        series = (series + SIMD4(repeating: 0.961_798_85)) * square
        return t * (series + SIMD4(repeating: 2.885_39)) + exponent
    }

    @inlinable @inline(__always)
    package static func log2(_ x: Float) -> Float { log2(SIMD4(repeating: x)).x }

    /// Returns the binary logarithm of `x` >= 2^-126 with an error of at most 1.2e-4, without a division.
    @inlinable @inline(__always)
    package static func coarseLog2(_ x: SIMD4<Float>) -> SIMD4<Float> {
        // x = 2^exponent m with m from 1 to 2, and a polynomial for log2 m that is exact at both ends.
        let bits = x.bitPatterns
        let exponent = SIMD4(bitPatterns: (bits &>> 23) | twoTo23Bits) - SIMD4(repeating: 8_388_608 + 127)
        let m = SIMD4(bitPatterns: (bits & mantissaMask) | SIMD4(repeating: Float(1).bitPattern))
        var series = SIMD4<Float>(repeating: -0.082_130_62) * m
        series = (series + SIMD4(repeating: 0.649_711_3)) * m
        series = (series + SIMD4(repeating: -2.134_134_15)) * m
        series = (series + SIMD4(repeating: 4.086_382_64)) * m
        return (series + SIMD4(repeating: -2.519_829_18)) + exponent
    }

    /// Returns the sum of the binary logarithms of `value` over every fourth, or `step`th, line of a range.
    ///
    /// The error of each logarithm is as in ``coarseLog2(_:)``. One logarithm is computed for the product of two vectors, which must be
    /// normal numbers far below the largest float.
    ///
    /// - Parameter step: The distance of the lines, at least 4. Pass a literal.
    @inlinable @inline(__always)
    package static func sumOfLog2(_ lines: Range<Int>, step: Int = 4, _ value: (_ line: Int) -> SIMD4<Float>) -> SIMD4<Float> {
        var sum = SIMD4<Float>(repeating: 0)
        var line = lines.lowerBound
        while line < lines.upperBound {
            var product = value(line)
            line &+= step
            if line < lines.upperBound {
                product *= value(line)
                line &+= step
            }
            sum += coarseLog2(product)
        }
        return sum
    }

    /// Returns two to the power `x`, with a relative error of at most 2e-7.
    ///
    /// `x` is clamped to the range from -126 to 127.
    @inlinable @inline(__always)
    package static func exp2(_ x: SIMD4<Float>) -> SIMD4<Float> {
        // Adding 1.5·2^23 rounds to the nearest integer, which ends up in the low bits.
        let magic = SIMD4<Float>(repeating: 12_582_912)
        let clamped = x.maximum(SIMD4(repeating: -126)).minimum(SIMD4(repeating: 127))
        let shifted = clamped + magic
        let f = clamped - (shifted - magic)
        var power = SIMD4<Float>(repeating: 0.000_153_458_12) * f
        power = (power + SIMD4(repeating: 0.001_339_993_1)) * f
        power = (power + SIMD4(repeating: 0.009_618_489)) * f
        power = (power + SIMD4(repeating: 0.055_503_286)) * f
        power = (power + SIMD4(repeating: 0.240_226_46)) * f
        power = (power + SIMD4(repeating: 0.693_147_2)) * f
        power += SIMD4(repeating: 1)
        return SIMD4(bitPatterns: power.bitPatterns &+ (shifted.bitPatterns &<< 23))
    }

    @inlinable @inline(__always)
    package static func exp2(_ x: Float) -> Float { exp2(SIMD4(repeating: x)).x }

    /// Returns the sum of squares of the values in a range.
    ///
    /// The order of additions is fixed. Value i, counted from the start of the range, is added to lane i mod 4. The lanes are added as
    /// (x + y) + (z + w).
    @inlinable @inline(__always)
    package static func sumOfSquares(_ values: Span<Float>, _ range: Range<Int>) -> Float {
        var lanes = SIMD4<Float>(repeating: 0)
        let end = range.lowerBound &+ (range.count & ~3)
        var index = range.lowerBound
        while index < end {
            let x = values.vector(at: index)
            lanes += x * x
            index &+= 4
        }
        if end < range.upperBound {
            var rest = SIMD4<Float>(repeating: 0)
            for last in end..<range.upperBound {
                rest[last - end] = values[last]
            }
            lanes += rest * rest
        }
        return lanes.laneSum
    }

    /// Returns the products and squares of two sequences, summed over a range.
    ///
    /// Its count must be a multiple of four.
    @inlinable @inline(__always)
    package static func correlate(
        _ left: Span<Float>, _ right: Span<Float>, in range: Range<Int>
    ) -> (product: Float, leftEnergy: Float, rightEnergy: Float) {
        var products = SIMD4<Float>(repeating: 0)
        var (leftSquares, rightSquares) = (products, products)
        for index in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            let (l, r) = (left.vector(at: index), right.vector(at: index))
            products += l * r
            leftSquares += l * l
            rightSquares += r * r
        }
        return (products.laneSum, leftSquares.laneSum, rightSquares.laneSum)
    }

    /// The bit pattern of 1 minus the bit pattern of √½.
    @inlinable static var rootToOne: SIMD4<UInt32> { SIMD4(repeating: 0x3F80_0000 - 0x3F35_04F3) }

    /// The bit pattern of √½.
    @inlinable static var rootBits: SIMD4<UInt32> { SIMD4(repeating: 0x3F35_04F3) }

    @inlinable static var mantissaMask: SIMD4<UInt32> { SIMD4(repeating: 0x007F_FFFF) }

    /// The bit pattern of 2²³.
    @inlinable static var twoTo23Bits: SIMD4<UInt32> { SIMD4(repeating: 0x4B00_0000) }
}
