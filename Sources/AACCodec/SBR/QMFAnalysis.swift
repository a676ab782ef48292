// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The analysis bank of 32 complex bands (ISO/IEC 14496-3:2009, 4.6.18.4.1), one channel.
struct QMFAnalysis: ~Copyable {
    /// The last 288 samples of the past, then those of a frame.
    private var samples: [328 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Samples beyond are cut: 42 dB above full scale, so that no energy leaves the range of a float.
    private static let limit: Float = 4_194_304

    /// Makes a bank with a silent past.
    init() {}

    /// Splits a frame of 32 · `columnCount` samples into `columnCount` columns.
    ///
    /// - Parameters:
    ///   - core: Samples of one channel, ±32768 at full scale.
    ///   - columnCount: 32 or 30.
    ///   - mask: 1 or 0 for each band: those at 0 are left out.
    ///   - columns: Takes the columns.
    mutating func analyze(
        _ core: Span<Float>, columnCount: Int, mask: Span<SIMD4<Float>>, into columns: inout LowBandColumns,
        tables: QMFTables
    ) {
        load(core, columnCount: columnCount)
        var workA = InlineArray<32, ComplexVector>(repeating: .zero)
        var workB = InlineArray<32, ComplexVector>(repeating: .zero)
        var a = workA.mutableSpan
        var b = workB.mutableSpan
        for group in 0..<8 {
            Self.fold(samples.span.extracting(32 &* group..<32 &* group &+ 104), into: &a, tables)
            QMFTransform.transform32(&a, &b, tables)
            Self.store(a.span, mask: mask, into: &columns, column: 4 &* group, tables)
        }
        for index in 0..<72 { samples[index] = samples[8 &* columnCount &+ index] }
    }

    private mutating func load(_ core: Span<Float>, columnCount: Int) {
        let upper = SIMD4<Float>(repeating: Self.limit)
        let lower = SIMD4<Float>(repeating: -Self.limit)
        let input = core.extracting(0..<32 &* columnCount)
        for index in 0..<8 &* columnCount {
            // In this order a NaN becomes the limit.
            samples[72 &+ index] = input.vector(at: 4 &* index).minimum(upper).maximum(lower)
        }
    }

    /// Windows four columns, folds them to 64 values each, and pairs these for the transform.
    @inline(__always)
    private static func fold(
        _ samples: Span<SIMD4<Float>>, into output: inout MutableSpan<ComplexVector>, _ tables: QMFTables
    ) {
        let window = tables.analysisWindow.span.extracting(0..<80)
        let twiddles = tables.analysisInput.span.extracting(0..<32)
        for row in 0..<8 {
            let first = SIMD4<Float>.transposed(
                folded(samples, window, 0, row), folded(samples, window, 8, row),
                folded(samples, window, 16, row), folded(samples, window, 24, row))
            let second = SIMD4<Float>.transposed(
                folded(samples, window, 0, row &+ 8), folded(samples, window, 8, row &+ 8),
                folded(samples, window, 16, row &+ 8), folded(samples, window, 24, row &+ 8))
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
        let first = samples[column &+ row] * window[row] + samples[column &+ row &+ 16] * window[row &+ 16]
        let second =
            samples[column &+ row &+ 32] * window[row &+ 32] + samples[column &+ row &+ 48] * window[row &+ 48]
        return (first + second) + samples[column &+ row &+ 64] * window[row &+ 64]
    }

    /// Turns the transform of four columns into their bands.
    @inline(__always)
    private static func store(
        _ input: Span<ComplexVector>, mask allMasks: Span<SIMD4<Float>>, into columns: inout LowBandColumns, column: Int,
        _ tables: QMFTables
    ) {
        let twiddles = tables.analysisOutput.span.extracting(0..<32)
        let mask = allMasks.extracting(0..<8)
        for q in 0..<8 {
            let band0 = input[2 &* q] * twiddles[2 &* q]
            let band1 = (input[31 &- 2 &* q] * twiddles[31 &- 2 &* q]).conjugate
            let band2 = input[2 &* q &+ 1] * twiddles[2 &* q &+ 1]
            let band3 = (input[30 &- 2 &* q] * twiddles[30 &- 2 &* q]).conjugate
            let real = SIMD4<Float>.transposed(band0.real, band1.real, band2.real, band3.real)
            let imaginary = SIMD4<Float>.transposed(
                band0.imaginary, band1.imaginary, band2.imaginary, band3.imaginary)
            columns.store(real, imaginary, mask: mask[q], column: column, row: q)
        }
    }
}
