// SPDX-License-Identifier: Apache-2.0

/// The analysis filter bank of 64 complex subbands, for one channel.
///
/// It is the counterpart of the synthesis filter bank (ISO/IEC 14496-3:2009, 4.6.18.4.2); both together delay a signal by 577
/// samples, once the subbands are multiplied by ``QMFTables/fullAnalysisPhases``: each subband has a constant phase here, which changes
/// neither energies nor correlations, nor what is filtered or mixed within a subband. In a layout of low delay SBR it is the complex low delay
/// bank (4.6.19), of which the same holds with a delay of 64 samples.
///
/// Call either ``analyze(_:into:)`` for each frame, or ``load(_:)``, ``split(from:into:work:)`` for every four of
/// ``readyColumnCount``, and ``advance()``; columns that are left are split with those of the next frame.
package struct QMFAnalysis64: ~Copyable {
    /// The last 576 samples of the previous frame, then those of the current one.
    private var samples: FixedArray<SIMD4<Float>>
    /// The columns of a frame.
    private let columnCount: Int
    /// The window and factors.
    private let tables: QMFTables
    /// The columns of the appended samples that are left, fewer than four before the next frame is appended.
    private var pendingCount = 0
    /// Working space of the transform.
    private var workA = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    /// Working space of the transform, likewise.
    private var workB = FixedArray<ComplexVector>(repeating: .zero, count: 64)

    /// Vectors of samples of the previous frame.
    private static let pastCount = 144

    /// Makes a filter bank with a silent past.
    package init(_ layout: SlotLayout) {
        columnCount = layout.columnCount
        tables = layout.tables
        samples = FixedArray(repeating: SIMD4(repeating: 0), count: Self.pastCount + 16 * layout.groupedColumnCount)
    }

    /// Analyses the samples of a frame, ±32768 at full scale, into its columns.
    package mutating func analyze(_ input: Span<Float>, into columns: inout SubbandColumns) {
        analyze(input, columnStep: 1, into: &columns)
    }

    /// Analyses the samples of a frame into every second column, the first included.
    package mutating func analyzeHalf(_ input: Span<Float>, into columns: inout SubbandColumns) {
        analyze(input, columnStep: 2, into: &columns)
    }

    /// Analyses every column, or every second one.
    @inline(__always)
    private mutating func analyze(_ input: Span<Float>, columnStep: Int, into columns: inout SubbandColumns) {
        load(input)
        var a = workA.mutableSpan(first: 64)
        var b = workB.mutableSpan(first: 64)
        for column in stride(from: 0, to: columnCount / columnStep, by: 4) {
            Self.transform(samples.span, first: columnStep &* column, columnStep: columnStep, &a, &b, tables)
            columns.store(a.span, column: column)
        }
        advance(columnCount)
    }

    /// The columns of the appended samples that make whole groups of four.
    package var readyColumnCount: Int { pendingCount & ~3 }

    /// Appends the samples of a frame, ±32768 at full scale.
    package mutating func load(_ input: Span<Float>) {
        let first = Self.pastCount &+ 16 &* pendingCount
        var all = samples.mutableSpan
        var target = all._mutatingExtracting(first..<first &+ 16 &* columnCount)
        let input = input.extracting(0..<64 &* columnCount)
        for index in 0..<target.count { target[index] = unsafe input.vector(unchecked: 4 &* index) }
        pendingCount += columnCount
    }

    /// Analyses the appended samples into four columns from `column` on, one in each lane of 64 subbands.
    ///
    /// - Parameter work: Working space for as many values.
    package func split(
        from column: Int, into bands: inout MutableSpan<ComplexVector>, work: inout MutableSpan<ComplexVector>
    ) {
        Self.transform(samples.span, first: column, columnStep: 1, &bands, &work, tables)
    }

    /// Multiplies the subbands of ``split(from:into:work:)`` by the phases of the filter bank.
    package func restorePhases(_ bands: inout MutableSpan<ComplexVector>) {
        let phases = tables.fullAnalysisPhases.span.extracting(0..<64)
        for band in 0..<64 { bands[band] = bands[band] * phases[band] }
    }

    /// Multiplies the first 32 subbands of ``split(from:into:work:)`` by the phases of the standard.
    package static func restorePhases(_ bands: inout MutableSpan<ComplexVector>) {
        let tables = QMFTables.shared
        let phases = tables.fullAnalysisPhases.span.extracting(0..<32)
        for band in 0..<32 { bands[band] = bands[band] * phases[band] }
    }

    /// Ends a frame: the samples of all groups of four columns become those of the past.
    package mutating func advance() { advance(readyColumnCount) }

    /// Ends a frame of a number of columns.
    private mutating func advance(_ count: Int) {
        pendingCount -= count
        samples.copy(16 * count..<16 * (count + pendingCount) + Self.pastCount, to: 0)
    }

    /// Makes `count` columns pending, as after some frames of a stream.
    package mutating func restart(pendingCount count: Int) { pendingCount = count }

    /// Folds and transforms four columns; the subbands are in `a`, and `b` is working space.
    @inline(never)
    private static func transform(
        _ samples: Span<SIMD4<Float>>, first: Int, columnStep: Int, _ a: inout MutableSpan<ComplexVector>,
        _ b: inout MutableSpan<ComplexVector>, _ tables: QMFTables
    ) {
        // Of a known length, so that no index is checked: a quarter less instructions.
        var a = a._mutatingExtracting(0..<64)
        var b = b._mutatingExtracting(0..<64)
        let start = 16 &* first
        QMFTransform.fold(
            samples.extracting(start..<start &+ 48 &* columnStep &+ 160),
            window: tables.fullAnalysisWindow.span.extracting(0..<160), twiddles: tables.fullAnalysisInput.span.extracting(0..<64),
            bandCount: 64, columnStep: 16 &* columnStep, into: &a)
        QMFTransform.subbands64(&a, &b, tables)
    }
}
