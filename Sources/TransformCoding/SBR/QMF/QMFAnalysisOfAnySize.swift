// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// An analysis filter bank of 16 or 24 complex subbands of the lower spectrum, for one channel (ISO/IEC 23003-3, 7.5).
///
/// Its prototype filter is that of 64 subbands, interpolated. Subbands are computed one by one, without a fast transform: they are few.
package struct QMFAnalysisOfAnySize: ~Copyable {
    /// The subbands, and the samples of a column: a multiple of 4.
    package let bandCount: Int
    /// The columns of a frame.
    private let columnCount: Int
    /// The last nine columns of samples of the previous frame, then those of the current one.
    private var samples: FixedArray<Float>
    /// The prototype filter in reverse.
    private let window: FixedArray<Float>
    /// The factors of each of twice as many folded samples, of four subbands each.
    private let real: FixedArray<SIMD4<Float>>
    /// The imaginary parts.
    private let imaginary: FixedArray<SIMD4<Float>>
    /// The folded samples of a column.
    private var folded: FixedArray<Float>
    /// The subbands of four columns.
    private var columns: FixedArray<ComplexVector>

    /// The magnitude at which samples are clipped, as in ``QMFAnalysis``.
    private static let limit: Float = 4_194_304

    /// Makes a filter bank with a silent past.
    package init(_ layout: SlotLayout) {
        let count = layout.analysisBandCount
        bandCount = count
        columnCount = layout.columnCount
        samples = FixedArray(repeating: 0, count: count * (9 + columnCount))
        window = FixedArray(count: 10 * count) { Float(Self.prototype(10 * count - 1 - $0, bandCount: count)) }
        let scale = 64 / Double(count)
        let rows = count / 4
        /// Returns a part of the factors of a folded sample and four subbands.
        func factors(_ index: Int, _ part: (Double) -> Double) -> SIMD4<Float> {
            var result = SIMD4<Float>()
            // Samples are in reverse: sample n of the standard is at 2 count - 1 - n.
            let n = Double(2 * count - 1 - index / rows)
            for lane in 0..<4 {
                let band = Double(4 * (index % rows) + lane) + 0.5
                result[lane] = Float(scale * part(band * (2 * n - Double(count) / 64) / Double(2 * count)))
            }
            return result
        }
        real = FixedArray(count: 2 * count * rows) { factors($0, CircularFunctions.cosinePi) }
        imaginary = FixedArray(count: 2 * count * rows) { factors($0, CircularFunctions.sinePi) }
        folded = FixedArray(repeating: 0, count: 2 * count)
        columns = FixedArray(repeating: .zero, count: count)
    }

    /// Returns the prototype filter of 64 subbands, interpolated for fewer ones (ISO/IEC 23003-3, 7.5).
    package static func prototype(_ index: Int, bandCount: Int) -> Double {
        let position = 64 * index
        let (whole, rest) = (position / bandCount, Double(position % bandCount) / Double(bandCount))
        let coefficients = QMFPrototype.coefficients
        let next = whole + 1 < coefficients.count ? Double(coefficients[whole + 1]) : 0
        return (1 - rest) * Double(coefficients[whole]) + rest * next
    }

    /// Analyses a frame.
    ///
    /// - Parameters:
    ///   - core: Samples of one channel, ±32768 at full scale.
    ///   - keptCount: The subbands to keep; the others become 0.
    ///   - low: Receives the columns.
    package mutating func analyze(_ core: Span<Float>, bandCount keptCount: Int, into low: inout LowBandColumns) {
        let past = 9 * bandCount
        for index in 0..<bandCount * columnCount {
            samples[past + index] = max(-Self.limit, min(Self.limit, core[index]))
        }
        for column in stride(from: 0, to: columnCount, by: 4) {
            for lane in 0..<4 { analyzeColumn(column + lane, lane: lane) }
            for row in 0..<bandCount / 4 {
                for band in 4 * row..<4 * row + 4 where band >= keptCount { columns[band] = .zero }
                let (a, b, c, d) = (columns[4 * row], columns[4 * row + 1], columns[4 * row + 2], columns[4 * row + 3])
                low.store(
                    SIMD4<Float>.transposed(a.real, b.real, c.real, d.real),
                    SIMD4<Float>.transposed(a.imaginary, b.imaginary, c.imaginary, d.imaginary), column: column, row: row)
            }
        }
        samples.copy(bandCount * columnCount..<bandCount * (columnCount + 9), to: 0)
    }

    /// Analyses one column into one lane of ``columns``.
    private mutating func analyzeColumn(_ column: Int, lane: Int) {
        let (count, rows) = (bandCount, bandCount / 4)
        let first = column * count
        for index in 0..<2 * count {
            var sum: Float = 0
            for block in stride(from: index, to: 10 * count, by: 2 * count) { sum += samples[first + block] * window[block] }
            folded[index] = sum
        }
        let (real, imaginary, folded) = (real.span, imaginary.span, folded.span)
        for row in 0..<rows {
            var sum = ComplexVector.zero
            for index in 0..<2 * count {
                let value = SIMD4(repeating: folded[index])
                sum = sum + ComplexVector(real[index &* rows &+ row] * value, imaginary[index &* rows &+ row] * value)
            }
            for band in 0..<4 {
                columns[4 * row + band].real[lane] = sum.real[band]
                columns[4 * row + band].imaginary[lane] = sum.imaginary[band]
            }
        }
    }
}
