// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
internal import TransformEncoding

/// The distortion and bit count of a band quantized with one scale factor.
package struct BandBitCount: BitwiseCopyable {
    /// Squared errors, one sum per lane over every fourth line.
    private(set) var errors = SIMD4<Float>(repeating: 0)

    /// The codeword lengths in codebooks 5 to 11, in ``SpectralBitTables/unitsPerBit``.
    ///
    /// If no magnitude is above 2: the lengths in codebooks 1 to 4, followed by `UInt16.max`.
    private(set) var units = SIMD8<UInt16>(repeating: 0)

    /// The bits of escape sequences.
    ///
    /// Infinite if all lines are quantized to zero or one is too large to code.
    private(set) var escapes = Float.infinity

    /// Creates the count of a band that cannot be coded.
    init() {}

    /// Creates the count of a band from its lengths in codebooks 1 to 4.
    @inline(__always)
    init(errors: SIMD4<Float>, quads: SIMD4<UInt16>, escapes: Float) {
        self.errors = errors
        units = SIMD8(lowHalf: quads, highHalf: SIMD4(repeating: .max))
        self.escapes = escapes
    }

    /// Quantizes a band and counts its bits.
    ///
    /// - Parameters:
    ///   - rounding: The offset added before magnitudes are rounded down.
    ///   - largest: The maximum magnitude before rounding down, including `rounding`.
    ///   - quadLengths: ``SpectralBitTables/quads``.
    ///   - pairLengths: ``SpectralBitTables/pairs``.
    @inline(__always)
    init(
        _ quads: Span<LineQuad>, step: Quantizer.Step, rounding: Float, largest: Float, quadLengths: Span<SIMD4<UInt16>>,
        pairLengths: Span<SIMD8<UInt16>>
    ) {
        guard largest >= 1, largest < Float(Quantizer.maximumMagnitude + 1) else { return }
        if largest < Self.pairLimit {
            countQuads(quads, step: step, rounding: rounding, lengths: quadLengths)
        } else if largest < Float(SpectralCodebook.escapeMagnitude) {
            countPairs(quads, step: step, rounding: rounding, lengths: pairLengths)
        } else {
            self =
                Self.escapedPairs(quads, steps: (step, step), rounding: rounding, largest: (largest, largest), lengths: pairLengths).0
        }
    }

    /// The smallest magnitude that the quad codebooks cannot code.
    static let pairLimit: Float = 3

    /// Counts with codebooks 1 to 4.
    @inline(__always)
    private mutating func countQuads(_ quads: Span<LineQuad>, step: Quantizer.Step, rounding: Float, lengths: Span<SIMD4<UInt16>>) {
        let lengths = lengths.extracting(0..<SpectralBitTables.quadCount)
        var sums = SIMD4<UInt16>(repeating: 0)
        var index = 0
        while index < quads.count {
            let quad = quads[index]
            let magnitudes = quad.quantized(step, rounding: rounding, error: &errors).packedSaturating
            index &+= 1
            sums &+= lengths[SpectralBitTables.quadRow(SpectralBitTables.Indices(magnitudes: magnitudes, weights: quad.weights).quad)]
        }
        units = SIMD8(lowHalf: sums, highHalf: SIMD4(repeating: .max))
        escapes = 0
    }

    /// Counts with codebooks 5 to 11, without escape sequences.
    @inline(__always)
    private mutating func countPairs(_ quads: Span<LineQuad>, step: Quantizer.Step, rounding: Float, lengths: Span<SIMD8<UInt16>>) {
        let lengths = lengths.extracting(0..<SpectralBitTables.pairCount)
        var index = 0
        while index < quads.count {
            let quad = quads[index]
            let magnitudes = quad.quantized(step, rounding: rounding, error: &errors).packedSaturating
            index &+= 1
            let indices = SpectralBitTables.Indices(magnitudes: magnitudes, weights: quad.weights)
            units &+= lengths[SpectralBitTables.pairRow(indices.firstPair)] &+ lengths[SpectralBitTables.pairRow(indices.secondPair)]
        }
        escapes = 0
    }

    /// Returns the counts of a band for two steps with codebooks 5 to 11.
    ///
    /// Reads of lines are shared.
    ///
    /// - Parameter hasEscapes: Whether magnitudes exceed 15. Pass a literal.
    @inline(__always)
    private static func countPairs(
        _ quads: Span<LineQuad>, steps: (Quantizer.Step, Quantizer.Step), rounding: Float, lengths: Span<SIMD8<UInt16>>, hasEscapes: Bool
    ) -> (BandBitCount, BandBitCount) {
        let lengths = lengths.extracting(0..<SpectralBitTables.pairCount)
        var (first, second) = (BandBitCount(), BandBitCount())
        var bits = (SIMD4<Int32>(repeating: 0), SIMD4<Int32>(repeating: 0))
        var index = 0
        while index < quads.count {
            let quad = quads[index]
            index &+= 1
            let magnitudes = (
                quad.quantized(steps.0, rounding: rounding, error: &first.errors),
                quad.quantized(steps.1, rounding: rounding, error: &second.errors)
            )
            if hasEscapes {
                bits.0 &+= SpectralBitTables.escapeBits(magnitudes.0)
                bits.1 &+= SpectralBitTables.escapeBits(magnitudes.1)
            }
            let rows = SpectralBitTables.pairRows(magnitudes.0, magnitudes.1, weights: quad.weights)
            first.units &+= lengths[rows.0] &+ lengths[rows.1]
            second.units &+= lengths[rows.2] &+ lengths[rows.3]
        }
        first.escapes = Float(bits.0.wrappedSum())
        second.escapes = Float(bits.1.wrappedSum())
        return (first, second)
    }

    /// Returns the counts of a band for two steps.
    ///
    /// - Parameter largest: The maximum magnitudes before rounding down, including `rounding`, for both steps.
    @inline(__always)
    static func two(
        _ quads: Span<LineQuad>, steps: (Quantizer.Step, Quantizer.Step), rounding: Float, largest: (Float, Float),
        quadLengths: Span<SIMD4<UInt16>>, pairLengths: Span<SIMD8<UInt16>>
    ) -> (BandBitCount, BandBitCount) {
        if largest.1 >= pairLimit && largest.0 < Float(Quantizer.maximumMagnitude + 1) {
            guard largest.0 >= Float(SpectralCodebook.escapeMagnitude) else {
                return countPairs(quads, steps: steps, rounding: rounding, lengths: pairLengths, hasEscapes: false)
            }
            return escapedPairs(quads, steps: steps, rounding: rounding, largest: largest, lengths: pairLengths)
        }
        return (
            BandBitCount(
                quads, step: steps.0, rounding: rounding, largest: largest.0, quadLengths: quadLengths, pairLengths: pairLengths),
            BandBitCount(quads, step: steps.1, rounding: rounding, largest: largest.1, quadLengths: quadLengths, pairLengths: pairLengths)
        )
    }

    /// Returns the counts for two steps, the first of which needs escape sequences.
    ///
    /// Not inlined, because few bands have such magnitudes.
    @inline(never)
    private static func escapedPairs(
        _ quads: Span<LineQuad>, steps: (Quantizer.Step, Quantizer.Step), rounding: Float, largest: (Float, Float),
        lengths: Span<SIMD8<UInt16>>
    ) -> (BandBitCount, BandBitCount) {
        var (first, second) = countPairs(quads, steps: steps, rounding: rounding, lengths: lengths, hasEscapes: true)
        // No codebook except 11 has escape sequences.
        let others = SIMD8<UInt16>(.max, .max, .max, .max, .max, .max, 0, .max)
        first.units |= others
        if largest.1 >= Float(SpectralCodebook.escapeMagnitude) { second.units |= others }
        return (first, second)
    }

    /// The squared error of the band.
    @inline(__always) var distortion: Float { errors.laneSum }

    /// Returns the distortions of four counts, and their bits in the best codebooks.
    @inline(__always)
    static func totals(
        _ a: BandBitCount, _ b: BandBitCount, _ c: BandBitCount, _ d: BandBitCount
    ) -> (distortions: SIMD4<Float>, bits: SIMD4<Float>) {
        let errors = SIMD4<Float>.transposed(a.errors, b.errors, c.errors, d.errors)
        let bits = SpectralBitTables.bits(minimumUnits(a, b, c, d))
        return ((errors.0 + errors.1) + (errors.2 + errors.3), bits + SIMD4(a.escapes, b.escapes, c.escapes, d.escapes))
    }

    /// Returns the minimum length of each of four counts.
    @inline(__always)
    private static func minimumUnits(_ a: BandBitCount, _ b: BandBitCount, _ c: BandBitCount, _ d: BandBitCount) -> SIMD4<UInt16> {
        /// Returns lane-wise minima of the halves of two counts, interleaved.
        @inline(__always)
        func least(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
            let low = SIMD8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3])
            return low.minimum(SIMD8(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7]))
        }
        // With the sign bit inverted, signed comparison orders the unsigned lengths.
        let sign = SIMD8<UInt16>(repeating: 0x8000)
        let ab = least(SIMD8(truncatingIfNeeded: a.units ^ sign), SIMD8(truncatingIfNeeded: b.units ^ sign))
        let cd = least(SIMD8(truncatingIfNeeded: c.units ^ sign), SIMD8(truncatingIfNeeded: d.units ^ sign))
        let low = SIMD8(ab[0], ab[1], cd[0], cd[1], ab[2], ab[3], cd[2], cd[3])
        let all = low.minimum(SIMD8(ab[4], ab[5], cd[4], cd[5], ab[6], ab[7], cd[6], cd[7]))
        let least = all.minimum(SIMD8(lowHalf: all.highHalf, highHalf: all.lowHalf)).lowHalf
        return SIMD4<UInt16>(truncatingIfNeeded: least) ^ sign.lowHalf
    }
}
