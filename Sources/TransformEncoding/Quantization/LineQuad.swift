// SPDX-License-Identifier: Apache-2.0

public import TransformCoding

/// Four adjacent lines, with the functions of their magnitudes that quantization uses repeatedly.
///
/// They are stored in one value, so that one span covers all.
@usableFromInline package struct LineQuad: BitwiseCopyable {
    /// The entropy coder's weights of the quantized magnitudes in tuple indices, with the signs of the lines.
    @usableFromInline package var weights = SIMD8<Int16>(repeating: 0)

    @usableFromInline package var magnitudes = SIMD4<Float>(repeating: 0)

    /// The magnitudes in the quantizer's domain, |x|^(3/4).
    @usableFromInline package var power34 = SIMD4<Float>(repeating: 0)

    /// The first-order coefficient of the error in x per error in |x|^(3/4): 4/3 |x|^(1/4).
    @usableFromInline package var firstOrderError = SIMD4<Float>(repeating: 0)

    /// The negated second-order coefficient: 2/9 |x|^(-1/2).
    @usableFromInline package var secondOrderError = SIMD4<Float>(repeating: 0)

    /// Computes the functions of four coefficients.
    ///
    /// - Parameter tupleWeights: The entropy coder's weights of four magnitudes, repeated once.
    @inline(__always)
    package init(_ values: SIMD4<Float>, tupleWeights: SIMD8<Int16>) {
        let signs = (SIMD4<Int32>(truncatingIfNeeded: values.bitPatterns) &>> 31).packedSaturating
        weights = (tupleWeights ^ signs) &- signs
        magnitudes = values.magnitudes
        let root = magnitudes.squareRoots
        let fourthRoot = root.squareRoots
        power34 = root * fourthRoot
        firstOrderError = fourthRoot * (4.0 / 3)
        secondOrderError = SIMD4(repeating: 2.0 / 9) / root.maximum(SIMD4(repeating: Self.minimumRoot))
    }

    /// Creates four zero lines.
    init() {}

    /// Converts errors in |x|^(3/4) to errors in x, with a second-order Taylor series.
    @inlinable @inline(__always)
    package func errors(of difference: SIMD4<Float>) -> SIMD4<Float> { difference * (firstOrderError - difference * secondOrderError) }

    /// Quantizes the lines and adds the squared errors of x to `error`.
    ///
    /// - Parameter rounding: The offset added to magnitudes before truncation.
    /// - Returns: The quantized magnitudes.
    @inlinable @inline(__always)
    package func quantized(_ step: Quantizer.Step, rounding: Float, error: inout SIMD4<Float>) -> SIMD4<Int32> {
        let scaled = power34 * step.inversePower34
        let rounded = Quantizer.round(scaled, rounding: rounding)
        // For lines quantized to zero the series returns 10/9 |x|. Otherwise it is below |x|.
        let errors = errors(of: (scaled - rounded.floats) * step.power34).minimum(magnitudes)
        error += errors * errors
        return rounded.integers
    }

    /// Returns the quantized lines, with signs.
    ///
    /// - Parameter rounding: The offset added to magnitudes before truncation.
    @inlinable @inline(__always)
    package func rounded(_ step: Quantizer.Step, rounding: Float) -> SIMD4<Int16> {
        signed(Quantizer.round(power34 * step.inversePower34, rounding: rounding).integers.saturated)
    }

    /// Returns `magnitudes` with the signs of the lines.
    @inlinable @inline(__always)
    package func signed(_ magnitudes: SIMD4<Int16>) -> SIMD4<Int16> {
        let signs = weights.lowHalf &>> 15
        return (magnitudes ^ signs) &- signs
    }

    /// Keeps ``secondOrderError`` finite for lines near zero.
    ///
    /// They are quantized to zero, where it is unused.
    private static let minimumRoot: Float = 1e-3
}
