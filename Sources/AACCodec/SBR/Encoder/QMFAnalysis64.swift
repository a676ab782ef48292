// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The analysis bank of 64 complex bands, one channel: the counterpart of the synthesis (ISO/IEC 14496-3:2009, 4.6.18.4.2), which
/// with it returns its input 577 samples later.
struct QMFAnalysis64: ~Copyable {
    /// The last 576 samples of the past, then those of a frame.
    private var samples: [656 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Vectors of the past.
    private static let pastCount = 144

    /// Makes a bank with a silent past.
    init() {}

    /// Splits 2048 samples into 32 columns.
    ///
    /// - Parameters:
    ///   - input: Samples of one channel, ±32768 at full scale.
    ///   - columns: Takes the columns.
    mutating func analyze(_ input: Span<Float>, into columns: inout SubbandColumns, tables: QMFTables) {
        for index in 0..<512 { samples[Self.pastCount &+ index] = input.vector(at: 4 &* index) }
        var workA = InlineArray<64, ComplexVector>(repeating: .zero)
        var workB = InlineArray<64, ComplexVector>(repeating: .zero)
        var a = workA.mutableSpan
        var b = workB.mutableSpan
        for group in 0..<SubbandColumns.columnCount / 4 {
            Self.fold(samples.span.extracting(64 &* group..<64 &* group &+ 208), into: &a, tables)
            QMFTransform.transform64(&a, &b, tables)
            Self.store(a.span, into: &columns, column: 4 &* group, tables)
        }
        for index in 0..<Self.pastCount { samples[index] = samples[512 &+ index] }
    }

    /// Windows four columns, folds them to 128 values each, and pairs these for the transform.
    @inline(__always)
    private static func fold(
        _ samples: Span<SIMD4<Float>>, into output: inout MutableSpan<ComplexVector>, _ tables: QMFTables
    ) {
        let window = tables.fullAnalysisWindow.span.extracting(0..<160)
        let twiddles = tables.fullAnalysisInput.span.extracting(0..<64)
        for row in 0..<16 {
            let first = SIMD4<Float>.transposed(
                folded(samples, window, 0, row), folded(samples, window, 16, row),
                folded(samples, window, 32, row), folded(samples, window, 48, row))
            let second = SIMD4<Float>.transposed(
                folded(samples, window, 0, row &+ 16), folded(samples, window, 16, row &+ 16),
                folded(samples, window, 32, row &+ 16), folded(samples, window, 48, row &+ 16))
            output[4 &* row] = ComplexVector(second.0, first.0) * twiddles[4 &* row]
            output[4 &* row &+ 1] = ComplexVector(second.1, first.1) * twiddles[4 &* row &+ 1]
            output[4 &* row &+ 2] = ComplexVector(second.2, first.2) * twiddles[4 &* row &+ 2]
            output[4 &* row &+ 3] = ComplexVector(second.3, first.3) * twiddles[4 &* row &+ 3]
        }
    }

    @inline(__always)
    private static func folded(
        _ samples: Span<SIMD4<Float>>, _ window: Span<SIMD4<Float>>, _ column: Int, _ row: Int
    ) -> SIMD4<Float> {
        let first = samples[column &+ row] * window[row] + samples[column &+ row &+ 32] * window[row &+ 32]
        let second =
            samples[column &+ row &+ 64] * window[row &+ 64] + samples[column &+ row &+ 96] * window[row &+ 96]
        return (first + second) + samples[column &+ row &+ 128] * window[row &+ 128]
    }

    /// Turns the transform of four columns into their bands.
    @inline(__always)
    private static func store(
        _ input: Span<ComplexVector>, into columns: inout SubbandColumns, column: Int, _ tables: QMFTables
    ) {
        let twiddles = tables.fullAnalysisOutput.span.extracting(0..<64)
        for q in 0..<16 {
            let band0 = input[2 &* q] * twiddles[2 &* q]
            let band1 = (input[63 &- 2 &* q] * twiddles[63 &- 2 &* q]).conjugate
            let band2 = input[2 &* q &+ 1] * twiddles[2 &* q &+ 1]
            let band3 = (input[62 &- 2 &* q] * twiddles[62 &- 2 &* q]).conjugate
            columns.store(
                SIMD4<Float>.transposed(band0.real, band1.real, band2.real, band3.real),
                SIMD4<Float>.transposed(band0.imaginary, band1.imaginary, band2.imaginary, band3.imaginary),
                column: column, row: q)
        }
    }
}
