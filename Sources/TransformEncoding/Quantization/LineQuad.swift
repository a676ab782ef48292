// SPDX-License-Identifier: Apache-2.0

public import TransformCoding

/// Four neighbouring lines, with the functions of their magnitudes that quantisation needs repeatedly.
///
/// All are in one value, so that one span gives access to them.
@usableFromInline package struct LineQuad: BitwiseCopyable {
    /// The entropy coder's weights of the quantised magnitudes in the indices of tuples, with the signs of the lines.
    @usableFromInline package var weights = SIMD8<Int16>(repeating: 0)

    /// The magnitudes |x|.
    @usableFromInline package var magnitudes = SIMD4<Float>(repeating: 0)

    /// The magnitudes in the quantiser's domain, |x|^(3/4).
    @usableFromInline package var power34 = SIMD4<Float>(repeating: 0)

    /// The first-order coefficient of the error in x for an error in |x|^(3/4): 4/3 |x|^(1/4).
    @usableFromInline package var firstOrderError = SIMD4<Float>(repeating: 0)

    /// The second-order coefficient, with its sign reversed: 2/9 |x|^(-1/2).
    @usableFromInline package var secondOrderError = SIMD4<Float>(repeating: 0)

    /// Computes all functions of four coefficients.
    ///
    /// - Parameter tupleWeights: The entropy coder's weights of four magnitudes, twice.
    @inline(__always)
    package init(_ values: SIMD4<Float>, tupleWeights: SIMD8<Int16>) {
        let signs = (SIMD4<Int32>(truncatingIfNeeded: values.bitPatterns) &>> 31).saturatedTwice
        weights = (tupleWeights ^ signs) &- signs
        magnitudes = values.magnitudes
        let root = magnitudes.squareRoots
        let fourthRoot = root.squareRoots
        power34 = root * fourthRoot
        firstOrderError = fourthRoot * (4.0 / 3)
        secondOrderError = SIMD4(repeating: 2.0 / 9) / root.maximum(SIMD4(repeating: Self.smallestRoot))
    }

    /// Makes four zero lines.
    init() {}

    /// Returns the errors in x for errors in |x|^(3/4), by a Taylor series of second order.
    @inlinable @inline(__always)
    package func errors(of difference: SIMD4<Float>) -> SIMD4<Float> { difference * (firstOrderError - difference * secondOrderError) }

    /// Quantises the lines, and adds to the squared errors of x.
    ///
    /// - Parameters:
    ///   - rounding: The amount added before magnitudes are rounded down.
    ///   - error: The squared errors so far.
    /// - Returns: The quantised magnitudes.
    @inlinable @inline(__always)
    package func quantized(_ step: Quantizer.Step, rounding: Float, error: inout SIMD4<Float>) -> SIMD4<Int32> {
        let scaled = power34 * step.inversePower34
        let rounded = Quantizer.round(scaled, rounding: rounding)
        // Where a line is quantised to zero the series gives 10/9 |x|; elsewhere it is below |x|.
        let errors = errors(of: (scaled - rounded.floats) * step.power34).minimum(magnitudes)
        error += errors * errors
        return rounded.integers
    }

    /// Returns the quantised values of the lines, with their signs.
    ///
    /// - Parameter rounding: The amount added before magnitudes are rounded down.
    @inlinable @inline(__always)
    package func rounded(_ step: Quantizer.Step, rounding: Float) -> SIMD4<Int16> {
        signed(Quantizer.round(power34 * step.inversePower34, rounding: rounding).integers.saturated)
    }

    /// Returns magnitudes with the signs of the lines.
    @inlinable @inline(__always)
    package func signed(_ magnitudes: SIMD4<Int16>) -> SIMD4<Int16> {
        let signs = weights.lowHalf &>> 15
        return (magnitudes ^ signs) &- signs
    }

    /// The root that keeps ``secondOrderError`` finite for lines near zero; they are quantised to zero, where it is not used.
    private static let smallestRoot: Float = 1e-3
}
