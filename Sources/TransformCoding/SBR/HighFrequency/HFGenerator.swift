// SPDX-License-Identifier: Apache-2.0

/// High band generation: inverse-filtered patches of the low band (ISO/IEC 14496-3:2009, 4.6.18.6).
package enum HFGenerator {
    /// Four subbands of a patch, with their source and inverse filter.
    ///
    /// Factors are 0 in lanes outside the patch.
    private struct Segment {
        /// The first subband in the high band, divided by 4.
        var row: Int
        /// The low-band source subband of the first lane.
        var sourceBand: Int
        /// 1 in lanes inside the patch.
        var gain: SIMD4<Float>
        /// Whether all lanes are inside the patch.
        var isWhole: Bool
        /// `bw` · `α0`.
        var first: ComplexVector
        /// `bw`² · `α1`.
        var second: ComplexVector
        /// Whether any lane is inverse-filtered.
        var isFiltered: Bool
    }

    /// Generates `X_High` for a range of QMF slots.
    ///
    /// - Parameters:
    ///   - strengths: `bw` of each subband, see ``ChirpFactors/strengths``.
    ///   - prediction: The coefficients of all source subbands of subbands with nonzero strength.
    package static func generate(
        into high: inout HighBandSlots, from low: borrowing LowBandSlots, qmfSlots: Range<Int>,
        tables: borrowing FrequencyBandTables, prediction: borrowing LinearPrediction, strengths: borrowing SubbandStrengths
    ) {
        let patches = tables.patches
        var filledRows: UInt32 = 0
        for patch in 0..<patches.count {
            let target = patches.target(of: patch)
            let distance = target - patches.start(of: patch)
            let subbands = target..<target + patches.width(of: patch)
            for row in target / 4...(subbands.upperBound - 1) / 4 {
                let segment = Self.segment(
                    row: row, subbands: subbands, distance: distance, prediction: prediction, strength: strengths.row(row))
                let isFirst = filledRows >> UInt32(row) & 1 == 0
                filledRows |= 1 << UInt32(row)
                copy(segment, into: &high, from: low, qmfSlots: qmfSlots, isFirst: isFirst)
            }
        }
        for row in tables.crossoverSubband / 4...(tables.high.last - 1) / 4 {
            guard filledRows >> UInt32(row) & 1 == 0 else { continue }
            for qmfSlot in qmfSlots {
                high.real[16 * qmfSlot + row] = SIMD4(repeating: 0)
                high.imaginary[16 * qmfSlot + row] = SIMD4(repeating: 0)
            }
        }
    }

    /// Returns the source and inverse filter of four subbands of a patch.
    ///
    /// - Parameters:
    ///   - subbands: The subbands that the patch fills.
    ///   - distance: The distance between target and source subbands.
    ///   - strength: `bw` of the four subbands.
    @inline(__always)
    private static func segment(
        row: Int, subbands: Range<Int>, distance: Int, prediction: borrowing LinearPrediction, strength: SIMD4<Float>
    ) -> Segment {
        let isWhole = 4 * row >= subbands.lowerBound && 4 * row + 4 <= subbands.upperBound
        var gain = SIMD4<Float>(repeating: 1)
        if !isWhole {
            for lane in 0..<4 where !subbands.contains(4 * row + lane) { gain[lane] = 0 }
        }
        let factor = strength * gain
        var segment = Segment(
            row: row, sourceBand: 4 * row - distance, gain: gain, isWhole: isWhole, first: .zero, second: .zero,
            isFiltered: factor != SIMD4(repeating: 0))
        if segment.isFiltered {
            segment.first = prediction.first(from: segment.sourceBand) * factor
            segment.second = prediction.second(from: segment.sourceBand) * (factor * factor)
        }
        return segment
    }

    /// Computes X_High(k, l + 2) = X_Low(p, l + 2) + bw α0(p) X_Low(p, l + 1) + bw² α1(p) X_Low(p, l) for slots l of four subbands k.
    @inline(__always)
    private static func copy(
        _ segment: Segment, into high: inout HighBandSlots, from low: borrowing LowBandSlots, qmfSlots: Range<Int>,
        isFirst: Bool
    ) {
        // QMF slot l of the high band is computed from slots l to l + 2 of the low band, which is padded with a slot of zeros at both ends.
        // All accesses are within these bounds.
        precondition(qmfSlots.lowerBound >= 0 && segment.row >= 0 && segment.row < 16)
        precondition(qmfSlots.upperBound <= high.capacity && qmfSlots.upperBound &+ 2 <= low.capacity)
        precondition(segment.sourceBand >= -32 && segment.sourceBand <= 32)
        let placement = !isFirst ? Placement.adding : segment.isWhole ? .whole : .masked
        switch (segment.isFiltered, placement) {
        case (true, .whole): copy(segment, into: &high, from: low, qmfSlots, isFiltered: true, .whole)
        case (true, .masked): copy(segment, into: &high, from: low, qmfSlots, isFiltered: true, .masked)
        case (true, .adding): copy(segment, into: &high, from: low, qmfSlots, isFiltered: true, .adding)
        case (false, .whole): copy(segment, into: &high, from: low, qmfSlots, isFiltered: false, .whole)
        case (false, .masked): copy(segment, into: &high, from: low, qmfSlots, isFiltered: false, .masked)
        case (false, .adding): copy(segment, into: &high, from: low, qmfSlots, isFiltered: false, .adding)
        }
    }

    /// The way in which a segment is written to its four subbands.
    private enum Placement {
        /// Replaces all lanes.
        case whole
        /// Replaces the patch's lanes and sets the others to 0.
        case masked
        /// Adds, because another patch has filled other lanes.
        case adding
    }

    /// Copies with literal arguments, so that each case compiles to a separate loop.
    ///
    /// The caller checks that QMF slots, row and source are within both bands.
    @inline(__always)
    private static func copy(
        _ segment: Segment, into high: inout HighBandSlots, from low: borrowing LowBandSlots, _ qmfSlots: Range<Int>,
        isFiltered: Bool, _ placement: Placement
    ) {
        let real = low.real.span
        let imaginary = low.imaginary.span
        let gain = segment.gain
        let first = segment.first
        let second = segment.second
        var highReal = high.real.mutableSpan
        var highImaginary = high.imaginary.mutableSpan
        var index = 16 &* qmfSlots.lowerBound &+ segment.row
        var position = 4 &* LowBandSlots.row(ofQMFSlot: qmfSlots.lowerBound) &+ segment.sourceBand
        var x0 = unsafe ComplexVector(real.unaligned(unchecked: position), imaginary.unaligned(unchecked: position))
        var x1 = unsafe ComplexVector(real.unaligned(unchecked: position &+ 32), imaginary.unaligned(unchecked: position &+ 32))
        let end = 16 &* qmfSlots.upperBound
        while index < end {
            let x2 = unsafe ComplexVector(
                real.unaligned(unchecked: position &+ 64), imaginary.unaligned(unchecked: position &+ 64))
            var value = placement == .whole ? x2 : x2 * gain
            if isFiltered { value = value + x1 * first + x0 * second }
            if placement == .adding {
                value = unsafe value + ComplexVector(highReal[unchecked: index], highImaginary[unchecked: index])
            }
            unsafe highReal[unchecked: index] = value.real
            unsafe highImaginary[unchecked: index] = value.imaginary
            index &+= 16
            if isFiltered {
                x0 = x1
                x1 = x2
            }
            position &+= 32
        }
    }
}

extension Span<SIMD4<Float>> {
    /// Returns four values starting at an index in single values.
    ///
    /// Traps outside the span.
    @inlinable @inline(__always)
    package func unaligned(at index: Int) -> SIMD4<Float> {
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 4 &* index, as: SIMD4<Float>.self)
    }

    /// Returns four values starting at an index in single values, which must be within the span.
    @unsafe
    @inlinable @inline(__always)
    package func unaligned(unchecked index: Int) -> SIMD4<Float> {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 &* index, as: SIMD4<Float>.self)
    }
}
