// SPDX-License-Identifier: Apache-2.0

/// The analysis filter bank with 64 complex subbands, for one channel.
///
/// It is the counterpart of the synthesis filter bank (ISO/IEC 14496-3:2009, 4.6.18.4.2). Together they delay a signal by 577 samples if
/// the subbands are multiplied by ``QMFTables/fullAnalysisPhases``. Without this, each subband has a constant phase offset, which affects
/// neither energies and correlations nor filtering and mixing within a subband. In a low delay SBR layout it is the complex low delay
/// filter bank (4.6.19) with the same properties and a delay of 64 samples.
///
/// Call ``analyze(_:into:)`` for each frame. Alternatively, call ``load(_:)``, then ``split(from:into:work:)`` for every four of
/// ``readyQMFSlotCount``, then ``advance()``. Remaining QMF slots are split with the next frame.
package struct QMFAnalysis64: ~Copyable {
    /// The last 576 samples of the previous frame, then the current frame.
    private var samples: FixedArray<SIMD4<Float>>
    private let qmfSlotCount: Int
    private let tables: QMFTables
    /// The number of remaining QMF slots in the appended samples, fewer than four before the next frame is appended.
    private var pendingCount = 0
    private var workA = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    private var workB = FixedArray<ComplexVector>(repeating: .zero, count: 64)

    /// The number of vectors of the previous frame's samples.
    private static let historyCount = 144

    /// Creates a filter bank with silent history.
    package init(_ layout: SlotLayout) {
        qmfSlotCount = layout.qmfSlotCount
        tables = layout.tables
        samples = FixedArray(repeating: SIMD4(repeating: 0), count: Self.historyCount + 16 * layout.groupedQMFSlotCount)
    }

    /// Analyzes a frame's samples, full scale ±32768, into its QMF slots.
    package mutating func analyze(_ input: Span<Float>, into qmfSlots: inout SubbandSlots) {
        analyze(input, qmfSlotStep: 1, into: &qmfSlots)
    }

    /// Analyzes the samples of a frame into every second QMF slot, starting with the first.
    package mutating func analyzeHalf(_ input: Span<Float>, into qmfSlots: inout SubbandSlots) {
        analyze(input, qmfSlotStep: 2, into: &qmfSlots)
    }

    /// Analyzes every `qmfSlotStep`th QMF slot.
    @inline(__always)
    private mutating func analyze(_ input: Span<Float>, qmfSlotStep: Int, into qmfSlots: inout SubbandSlots) {
        load(input)
        var a = workA.mutableSpan(first: 64)
        var b = workB.mutableSpan(first: 64)
        for qmfSlot in stride(from: 0, to: qmfSlotCount / qmfSlotStep, by: 4) {
            Self.transform(samples.span, first: qmfSlotStep &* qmfSlot, qmfSlotStep: qmfSlotStep, &a, &b, tables)
            qmfSlots.store(a.span, qmfSlot: qmfSlot)
        }
        advance(qmfSlotCount)
    }

    /// The number of QMF slots in the appended samples that form complete groups of four.
    package var readyQMFSlotCount: Int { pendingCount & ~3 }

    /// Appends a frame's samples, full scale ±32768.
    package mutating func load(_ input: Span<Float>) {
        let first = Self.historyCount &+ 16 &* pendingCount
        var all = samples.mutableSpan
        var target = all._mutatingExtracting(first..<first &+ 16 &* qmfSlotCount)
        let input = input.extracting(0..<64 &* qmfSlotCount)
        for index in 0..<target.count { target[index] = unsafe input.vector(unchecked: 4 &* index) }
        pendingCount += qmfSlotCount
    }

    /// Analyzes four QMF slots of the appended samples, starting at `qmfSlot`, into 64 subbands with one slot per lane.
    ///
    /// - Parameter work: Workspace of the same count as `bands`.
    package func split(
        from qmfSlot: Int, into bands: inout MutableSpan<ComplexVector>, work: inout MutableSpan<ComplexVector>
    ) {
        Self.transform(samples.span, first: qmfSlot, qmfSlotStep: 1, &bands, &work, tables)
    }

    /// Multiplies the subbands from ``split(from:into:work:)`` by the filter bank's phases.
    package func restorePhases(_ bands: inout MutableSpan<ComplexVector>) {
        let phases = tables.fullAnalysisPhases.span.extracting(0..<64)
        for band in 0..<64 { bands[band] = bands[band] * phases[band] }
    }

    /// Multiplies the first 32 subbands from ``split(from:into:work:)`` by the standard filter bank's phases.
    package static func restorePhases(_ bands: inout MutableSpan<ComplexVector>) {
        let tables = QMFTables.shared
        let phases = tables.fullAnalysisPhases.span.extracting(0..<32)
        for band in 0..<32 { bands[band] = bands[band] * phases[band] }
    }

    /// Finishes a frame: moves the samples of all complete groups of four QMF slots to the history.
    package mutating func advance() { advance(readyQMFSlotCount) }

    /// Finishes a frame of `count` QMF slots.
    private mutating func advance(_ count: Int) {
        pendingCount -= count
        samples.copy(16 * count..<16 * (count + pendingCount) + Self.historyCount, to: 0)
    }

    /// Makes `count` QMF slots pending, as after some frames of a stream.
    package mutating func restart(pendingCount count: Int) { pendingCount = count }

    /// Folds and transforms four QMF slots to subbands in `a`, with `b` as workspace.
    @inline(never)
    private static func transform(
        _ samples: Span<SIMD4<Float>>, first: Int, qmfSlotStep: Int, _ a: inout MutableSpan<ComplexVector>,
        _ b: inout MutableSpan<ComplexVector>, _ tables: QMFTables
    ) {
        // Constant lengths remove index checks, which are a quarter of the instructions.
        var a = a._mutatingExtracting(0..<64)
        var b = b._mutatingExtracting(0..<64)
        let start = 16 &* first
        QMFTransform.fold(
            samples.extracting(start..<start &+ 48 &* qmfSlotStep &+ 160),
            window: tables.fullAnalysisWindow.span.extracting(0..<160), twiddles: tables.fullAnalysisInput.span.extracting(0..<64),
            bandCount: 64, qmfSlotStep: 16 &* qmfSlotStep, into: &a)
        QMFTransform.subbands64(&a, &b, tables)
    }
}
