// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Generation of the high band: patches of the low band, inverse filtered (ISO/IEC 14496-3:2009, 4.6.18.6).
enum HFGenerator {
    /// Four subbands of a patch: their source and their inverse filter.
    ///
    /// Lanes outside the patch have factors of 0.
    private struct Segment {
        /// The subbands in the high band, divided by 4.
        var row: Int
        /// The subband of the low band that the first lane is copied from.
        var sourceBand: Int
        /// 1 in lanes that belong to the patch.
        var gain: SIMD4<Float>
        /// `bw` · `α0`.
        var first: ComplexVector
        /// `bw`² · `α1`.
        var second: ComplexVector
        /// Whether any lane is inverse filtered.
        var isFiltered: Bool
    }

    /// Generates `X_High` in a range of columns.
    static func generate(
        into high: inout HighBandColumns, from low: inout LowBandColumns, columns: Range<Int>,
        tables: borrowing FrequencyBandTables, prediction: borrowing LinearPrediction, chirp: ChirpFactors
    ) {
        var filledRows: UInt32 = 0
        for patch in 0..<tables.patches.count {
            let target = tables.patches.target(of: patch)
            let end = target + tables.patches.width(of: patch)
            for row in target / 4...(end - 1) / 4 {
                let segment = Self.segment(row: row, patch: patch, tables: tables, prediction: prediction, chirp: chirp)
                let isFirst = filledRows >> UInt32(row) & 1 == 0
                filledRows |= 1 << UInt32(row)
                copy(segment, into: &high, from: &low, columns: columns, isFirst: isFirst)
            }
        }
        for row in tables.crossoverSubband / 4...(tables.high.last - 1) / 4 {
            guard filledRows >> UInt32(row) & 1 == 0 else { continue }
            for column in columns {
                high.real[16 * column + row] = SIMD4(repeating: 0)
                high.imaginary[16 * column + row] = SIMD4(repeating: 0)
            }
        }
    }

    /// Returns the source and the inverse filter of four subbands of a patch.
    private static func segment(
        row: Int, patch: Int, tables: borrowing FrequencyBandTables, prediction: borrowing LinearPrediction,
        chirp: ChirpFactors
    ) -> Segment {
        let target = tables.patches.target(of: patch)
        let end = target + tables.patches.width(of: patch)
        let distance = target - tables.patches.start(of: patch)
        var segment = Segment(
            row: row, sourceBand: 4 * row - distance, gain: SIMD4(repeating: 0), first: .zero, second: .zero,
            isFiltered: false)
        var noiseBand = 0
        for lane in 0..<4 {
            let band = 4 * row + lane
            guard band >= target, band < end else { continue }
            while noiseBand + 1 < tables.noise.count, tables.noise[noiseBand + 1] <= band { noiseBand += 1 }
            let factor = chirp.factors[noiseBand]
            let source = segment.sourceBand + lane
            segment.gain[lane] = 1
            if factor != 0 {
                segment.isFiltered = true
                segment.first.real[lane] = factor * prediction.first[source].x
                segment.first.imaginary[lane] = factor * prediction.first[source].y
                segment.second.real[lane] = factor * factor * prediction.second[source].x
                segment.second.imaginary[lane] = factor * factor * prediction.second[source].y
            }
        }
        return segment
    }

    /// Computes X_High(k, l + 2) = X_Low(p, l + 2) + bw α0(p) X_Low(p, l + 1) + bw² α1(p) X_Low(p, l) for columns l of four subbands k.
    private static func copy(
        _ segment: Segment, into high: inout HighBandColumns, from low: inout LowBandColumns, columns: Range<Int>,
        isFirst: Bool
    ) {
        switch (segment.isFiltered, isFirst) {
        case (true, true): copy(segment, into: &high, from: &low, columns, isFiltered: true, isFirst: true)
        case (true, false): copy(segment, into: &high, from: &low, columns, isFiltered: true, isFirst: false)
        case (false, true): copy(segment, into: &high, from: &low, columns, isFiltered: false, isFirst: true)
        case (false, false): copy(segment, into: &high, from: &low, columns, isFiltered: false, isFirst: false)
        }
    }

    /// Copies with two literals, so that each case is a loop of its own.
    @inline(__always)
    private static func copy(
        _ segment: Segment, into high: inout HighBandColumns, from low: inout LowBandColumns, _ columns: Range<Int>,
        isFiltered: Bool, isFirst: Bool
    ) {
        let real = low.real.span
        let imaginary = low.imaginary.span
        let gain = segment.gain
        let first = segment.first
        let second = segment.second
        var highReal = high.real.mutableSpan
        var highImaginary = high.imaginary.mutableSpan
        var index = 16 &* columns.lowerBound &+ segment.row
        var position = 4 &* LowBandColumns.row(ofColumn: columns.lowerBound) &+ segment.sourceBand
        var x0 = ComplexVector(real.unaligned(at: position), imaginary.unaligned(at: position))
        var x1 = ComplexVector(real.unaligned(at: position &+ 32), imaginary.unaligned(at: position &+ 32))
        for _ in columns {
            let x2 = ComplexVector(real.unaligned(at: position &+ 64), imaginary.unaligned(at: position &+ 64))
            var value = x2 * gain
            if isFiltered { value = value + x1 * first + x0 * second }
            if !isFirst { value = value + ComplexVector(highReal[index], highImaginary[index]) }
            highReal[index] = value.real
            highImaginary[index] = value.imaginary
            index &+= 16
            x0 = x1
            x1 = x2
            position &+= 32
        }
    }
}

extension Span<SIMD4<Float>> {
    /// Returns four values from an index counted in single values; traps outside the span.
    @inline(__always)
    func unaligned(at index: Int) -> SIMD4<Float> {
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 4 &* index, as: SIMD4<Float>.self)
    }
}
