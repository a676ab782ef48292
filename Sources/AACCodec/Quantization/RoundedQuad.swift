// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
internal import TransformEncoding

/// Four adjacent lines quantized to their nearest values, with the costs of lowering their magnitudes.
struct RoundedQuad: BitwiseCopyable {
    /// The weights of the magnitudes in tuple indices, from ``LineQuad/weights``.
    private(set) var weights = SIMD8<Int16>(repeating: 0)

    /// The nearest magnitudes, twice.
    private(set) var magnitudes = SIMD8<Int16>(repeating: 0)

    /// The cost of lowering each magnitude by 1, in sixteenths of a bit; ``never`` if that is not considered.
    private(set) var loweringCosts = SIMD4<Int16>(repeating: never)

    /// The bit mask of lines that can be lowered.
    private(set) var lowerable: UInt32 = 0

    /// The bit mask of lines with magnitudes above 2.
    private(set) var above2: UInt32 = 0

    /// The cost of a magnitude that is not lowered: above any codeword, and twice it fits into 16 bits.
    static let never: Int16 = 15_000

    /// The distance of a line from the next lower value at and above which lowering never saves bits.
    private static let lowerableDistance: Float = 1.05

    /// The maximum cost of lowering: 30 bits, in sixteenths.
    private static let maximumCost: Float = 480

    /// Creates four zero lines.
    init() {}

    /// Quantizes four lines.
    ///
    /// - Parameters:
    ///   - unitWeight: The cost of one unit of squared error, in sixteenths of a bit.
    ///   - error: Accumulates the squared errors of the nearest values.
    @inline(__always)
    init(_ quad: LineQuad, step: Quantizer.Step, unitWeight: Float, error: inout SIMD4<Float>) {
        let scaled = quad.power34 * step.inversePower34
        let rounded = Quantizer.round(scaled, rounding: SearchEffort.nearest)
        let distance = scaled - rounded.floats
        let next = distance + SIMD4(repeating: 1)
        // As in ``LineQuad/quantized(_:rounding:error:)``, zeros have an error of |x|.
        let errors = quad.errors(of: distance * step.power34).minimum(quad.magnitudes)
        let lowered = quad.errors(of: next * step.power34).minimum(quad.magnitudes)
        error += errors * errors
        let costs = ((lowered * lowered - errors * errors) * unitWeight)
            .minimum(SIMD4(repeating: Self.maximumCost)).maximum(SIMD4(repeating: 0))
        // Masks of sign bits: the compiler takes vectors of conditions apart.
        let isNear = SIMD4<Int32>(truncatingIfNeeded: (next - SIMD4(repeating: Self.lowerableDistance)).bitPatterns)
        let isCodedAsIs = rounded.integers &- SIMD4(repeating: Int32(SpectralCodebook.escapeMagnitude))
        let isCoded = SIMD4<Int32>(repeating: 0) &- rounded.integers
        let canLower = (isNear & isCodedAsIs & isCoded) &>> 31
        weights = quad.weights
        magnitudes = rounded.integers.packedSaturating
        loweringCosts = ((costs.nearest.integers & canLower) | (SIMD4(repeating: Int32(Self.never)) & ~canLower)).saturated
        lowerable = UInt32(truncatingIfNeeded: canLower.signBits)
        above2 = UInt32(truncatingIfNeeded: (SIMD4(repeating: 2) &- rounded.integers).signBits)
    }

    /// Returns whether a value of the first or second pair can be lowered.
    @inline(__always)
    func canLower(isSecond: Bool) -> Bool { lowerable & (isSecond ? 12 : 3) != 0 }

    /// The magnitudes, lowered where possible.
    @inline(__always) var minimumMagnitudes: SIMD8<Int16> {
        let canLower = loweringCosts .< SIMD4(repeating: Self.never)
        let lowered = (magnitudes.lowHalf &- SIMD4(repeating: 1))
        let least = magnitudes.lowHalf.replacing(with: lowered, where: canLower)
        return SIMD8(lowHalf: least, highHalf: least)
    }

    /// The indices of the tuples, with magnitudes clipped to 16.
    @inline(__always) var indices: SpectralBitTables.Indices {
        let clipped = magnitudes.minimum(SIMD8(repeating: Int16(SpectralCodebook.escapeMagnitude)))
        return SpectralBitTables.Indices(magnitudes: clipped, weights: weights)
    }

    /// Returns the signed values, lowered where a bit of `lines` is set.
    @inline(__always)
    func values(lowering lines: Int) -> SIMD4<Int16> {
        let bits = SIMD4<Int16>(repeating: Int16(truncatingIfNeeded: lines)) & SIMD4(1, 2, 4, 8)
        let lowered = magnitudes.lowHalf &- SIMD4(repeating: 1)
        let chosen = magnitudes.lowHalf.replacing(with: lowered, where: bits .!= SIMD4(repeating: 0))
        let signs = weights.lowHalf &>> 15
        return (chosen ^ signs) &- signs
    }
}
