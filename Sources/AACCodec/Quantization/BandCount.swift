// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// A band rounded at one scale factor: its errors, and what its tuples take.
struct BandCount: BitwiseCopyable {
    /// The squared errors of every fourth line.
    private(set) var errors = SIMD4<Float>(repeating: 0)

    /// Units of codebooks 5 to 11; where no magnitude is above 2, those of codebooks 1 to 4 with the largest number behind.
    private(set) var units = SIMD8<UInt16>(repeating: 0)

    /// Bits of escape sequences; infinite where all lines would be zero, or too large to code.
    private(set) var escapes = Float.infinity

    /// The count of a band that can't be coded.
    init() {}

    /// Rounds and counts.
    ///
    /// - Parameter largest: The largest magnitude before it is rounded down, ``rounding`` included.
    @inline(__always)
    init(
        _ quads: Span<LineQuad>, step: Quantizer.Step, rounding: Float, largest: Float, quadLengths: Span<SIMD4<UInt16>>,
        pairLengths: Span<SIMD8<UInt16>>
    ) {
        guard largest >= 1, largest < Float(Quantizer.largestMagnitude + 1) else { return }
        if largest < Self.pairLimit {
            countQuads(quads, step: step, rounding: rounding, lengths: quadLengths)
        } else if largest < Float(SpectralCodebook.escapeMagnitude) {
            countPairs(quads, step: step, rounding: rounding, lengths: pairLengths)
        } else {
            countEscapedPairs(quads, step: step, rounding: rounding, lengths: pairLengths)
        }
    }

    /// Magnitudes from here on are not in the codebooks of quads.
    static let pairLimit: Float = 3

    @inline(__always)
    private mutating func countQuads(_ quads: Span<LineQuad>, step: Quantizer.Step, rounding: Float, lengths: Span<SIMD4<UInt16>>) {
        var sums = SIMD4<UInt16>(repeating: 0)
        var place = 0
        while place < quads.count {
            let values = quads[place].quantized(step, rounding: rounding, error: &errors)
            place &+= 1
            sums &+= lengths[SpectralBitTables.Indices(values).quad]
        }
        units = SIMD8(lowHalf: sums, highHalf: SIMD4(repeating: .max))
        escapes = 0
    }

    @inline(__always)
    private mutating func countPairs(_ quads: Span<LineQuad>, step: Quantizer.Step, rounding: Float, lengths: Span<SIMD8<UInt16>>) {
        var place = 0
        while place < quads.count {
            let indices = SpectralBitTables.Indices(quads[place].quantized(step, rounding: rounding, error: &errors))
            place &+= 1
            units &+= lengths[indices.firstPair] &+ lengths[indices.secondPair]
        }
        escapes = 0
    }

    /// Not inlined, since such loud bands are few.
    @inline(never)
    private mutating func countEscapedPairs(
        _ quads: Span<LineQuad>, step: Quantizer.Step, rounding: Float, lengths: Span<SIMD8<UInt16>>
    ) {
        var bits = 0
        for place in quads.indices {
            var values = quads[place].quantized(step, rounding: rounding, error: &errors)
            bits &+= SpectralBitTables.clipEscapes(&values)
            let indices = SpectralBitTables.Indices(values)
            units &+= lengths[indices.firstPair] &+ lengths[indices.secondPair]
        }
        // Of no other codebook.
        units |= SIMD8(.max, .max, .max, .max, .max, .max, 0, .max)
        escapes = Float(bits)
    }

    /// The squared errors of all lines.
    @inline(__always) var distortion: Float { errors.laneSum }

    /// The least units of any codebook, still in four lanes, and above ``SpectralBitTables/unitBase``.
    @inline(__always) private var leastUnits: SIMD4<Float> {
        SpectralBitTables.basedUnits(units.lowHalf).minimum(SpectralBitTables.basedUnits(units.highHalf))
    }

    /// The distortions of four counts, and their bits in the best codebook.
    @inline(__always)
    static func totals(
        _ a: BandCount, _ b: BandCount, _ c: BandCount, _ d: BandCount
    ) -> (distortions: SIMD4<Float>, bits: SIMD4<Float>) {
        let errors = SIMD4<Float>.transposed(a.errors, b.errors, c.errors, d.errors)
        let least = SIMD4<Float>.transposed(a.leastUnits, b.leastUnits, c.leastUnits, d.leastUnits)
        let bits = SpectralBitTables.bits(based: least.0.minimum(least.1).minimum(least.2.minimum(least.3)))
        return ((errors.0 + errors.1) + (errors.2 + errors.3), bits + SIMD4(a.escapes, b.escapes, c.escapes, d.escapes))
    }
}
