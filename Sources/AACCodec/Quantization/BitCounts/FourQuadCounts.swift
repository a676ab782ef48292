// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
internal import TransformEncoding

/// The distortions and bit counts of a band in codebooks 1 to 4, quantized with four scale factors at once.
///
/// Pairs of scale factors share the reads of lines and the additions of lengths.
struct FourQuadCounts {
    /// Squared errors per scale factor, one sum per lane over every fourth line.
    private let errors: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    /// The lengths for the first and second scale factors, in ``SpectralBitTables/unitsPerBit``, below 2¹⁵.
    private let firstUnits: SIMD8<UInt16>

    /// The lengths for the third and fourth scale factors.
    private let lastUnits: SIMD8<UInt16>

    /// 0, or infinity if all lines are quantized to zero.
    private let escapes: SIMD4<Float>

    /// Quantizes a band and counts its bits.
    ///
    /// - Parameters:
    ///   - steps: Four steps in ascending order for which magnitudes are at most 2.
    ///   - rounding: The offset added before magnitudes are rounded down.
    ///   - peak: The maximum |x|^(3/4).
    ///   - lengths: ``SpectralBitTables/quads``.
    @inline(__always)
    init(
        _ quads: Span<LineQuad>, steps: (Quantizer.Step, Quantizer.Step, Quantizer.Step, Quantizer.Step), rounding: Float, peak: Float,
        lengths: Span<SIMD4<UInt16>>
    ) {
        let lengths = lengths.extracting(0..<SpectralBitTables.quadCount)
        let inverse = SIMD4(steps.0.inversePower34, steps.1.inversePower34, steps.2.inversePower34, steps.3.inversePower34)
        let largest = inverse * peak + SIMD4(repeating: rounding)
        escapes = SIMD4(repeating: 0).replacing(with: SIMD4(repeating: .infinity), where: largest .< SIMD4(repeating: 1))
        // Two at a time; four would need too many registers.
        let first = Self.count(quads, (steps.0, steps.1), rounding: rounding, lengths: lengths)
        let last = Self.count(quads, (steps.2, steps.3), rounding: rounding, lengths: lengths)
        errors = (first.errors.0, first.errors.1, last.errors.0, last.errors.1)
        (firstUnits, lastUnits) = (first.units, last.units)
    }

    /// Returns the squared errors and lengths for two scale factors.
    @inline(__always)
    private static func count(
        _ quads: Span<LineQuad>, _ steps: (Quantizer.Step, Quantizer.Step), rounding: Float, lengths: Span<SIMD4<UInt16>>
    ) -> (errors: (SIMD4<Float>, SIMD4<Float>), units: SIMD8<UInt16>) {
        var errors = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        var units = SIMD8<UInt16>(repeating: 0)
        var index = 0
        while index < quads.count {
            let quad = quads[index]
            index &+= 1
            let rows = SpectralBitTables.quadRows(
                quad.quantized(steps.0, rounding: rounding, error: &errors.0),
                quad.quantized(steps.1, rounding: rounding, error: &errors.1), weights: quad.weights)
            units &+= SIMD8(lowHalf: lengths[rows.0], highHalf: lengths[rows.1])
        }
        return (errors, units)
    }

    /// The distortions, and the bits in the best codebooks.
    @inline(__always) var totals: (distortions: SIMD4<Float>, bits: SIMD4<Float>) {
        let sums = SIMD4<Float>.transposed(errors.0, errors.1, errors.2, errors.3)
        return ((sums.0 + sums.1) + (sums.2 + sums.3), SpectralBitTables.bits(minimumUnits) + escapes)
    }

    /// The minimum length for each scale factor.
    @inline(__always) private var minimumUnits: SIMD4<UInt16> {
        let (ab, cd) = (SIMD8<Int16>(truncatingIfNeeded: firstUnits), SIMD8<Int16>(truncatingIfNeeded: lastUnits))
        let ac = SIMD8(ab[0], cd[0], ab[1], cd[1], ab[2], cd[2], ab[3], cd[3])
        let bd = SIMD8(ab[4], cd[4], ab[5], cd[5], ab[6], cd[6], ab[7], cd[7])
        let low = SIMD8(ac[0], bd[0], ac[1], bd[1], ac[2], bd[2], ac[3], bd[3])
        let least = low.minimum(SIMD8(ac[4], bd[4], ac[5], bd[5], ac[6], bd[6], ac[7], bd[7]))
        return SIMD4<UInt16>(truncatingIfNeeded: least.minimum(SIMD8(lowHalf: least.highHalf, highHalf: least.lowHalf)).lowHalf)
    }

    @inline(__always)
    func store(to counts: inout MutableSpan<BandBitCount>) {
        counts[0] = BandBitCount(errors: errors.0, quads: firstUnits.lowHalf, escapes: escapes[0])
        counts[1] = BandBitCount(errors: errors.1, quads: firstUnits.highHalf, escapes: escapes[1])
        counts[2] = BandBitCount(errors: errors.2, quads: lastUnits.lowHalf, escapes: escapes[2])
        counts[3] = BandBitCount(errors: errors.3, quads: lastUnits.highHalf, escapes: escapes[3])
    }
}
