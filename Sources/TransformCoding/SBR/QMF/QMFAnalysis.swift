// SPDX-License-Identifier: Apache-2.0

/// The analysis filter bank with 32 complex subbands, for one channel (ISO/IEC 14496-3:2009, 4.6.18.4.1).
package struct QMFAnalysis: ~Copyable {
    /// The number of subbands, and of samples per QMF slot.
    package static var bandCount: Int { 32 }

    /// The last 288 samples of the previous frame, then the current frame.
    private var samples: FixedArray<SIMD4<Float>>
    private let qmfSlotCount: Int
    private let tables: QMFTables
    private var workA = FixedArray<ComplexVector>(repeating: .zero, count: bandCount)
    private var workB = FixedArray<ComplexVector>(repeating: .zero, count: bandCount)

    /// The number of vectors of the previous frame's samples.
    private static let historyCount = 72

    /// The magnitude to which samples are clipped: 42 dB above full scale, so that every energy is a finite float.
    private static let limit: Float = 4_194_304

    /// Creates a filter bank with silent history.
    package init(_ layout: SlotLayout) {
        qmfSlotCount = layout.qmfSlotCount
        tables = layout.tables
        samples = FixedArray(repeating: SIMD4(repeating: 0), count: Self.historyCount + 8 * layout.groupedQMFSlotCount)
    }

    /// Analyzes a frame with 32 samples per QMF slot.
    ///
    /// - Parameters:
    ///   - core: Samples of one channel, full scale ±32768.
    ///   - bandCount: The number of subbands to keep, 1 to 32.
    ///   - qmfSlots: Receives the QMF slots. Higher subbands in the same vector as the last kept one become 0. The others do not change.
    package mutating func analyze(
        _ core: Span<Float>, bandCount: Int, into qmfSlots: inout LowBandSlots
    ) {
        let tables = tables
        load(core)
        var a = workA.mutableSpan(first: 32)
        var b = workB.mutableSpan(first: 32)
        for group in 0..<(qmfSlotCount + 3) / 4 {
            QMFTransform.fold(
                samples.span.extracting(32 &* group..<32 &* group &+ 104), window: tables.analysisWindow.span.extracting(0..<80),
                twiddles: tables.analysisInput.span.extracting(0..<32), bandCount: 32, qmfSlotStep: 8, into: &a)
            QMFTransform.transform32(&a, &b, tables)
            qmfSlots.store(bandCount: bandCount, qmfSlot: 4 &* group) { [a = a.span] row in
                Self.subbands(row, of: a, bandCount: bandCount, tables)
            }
        }
        samples.copy(8 * qmfSlotCount..<8 * qmfSlotCount + Self.historyCount, to: 0)
    }

    /// Appends a frame's samples, clipped.
    private mutating func load(_ core: Span<Float>) {
        let upper = SIMD4<Float>(repeating: Self.limit)
        let lower = SIMD4<Float>(repeating: -Self.limit)
        // All accesses are within these bounds.
        var target = samples.mutableSpan
        precondition(target.count >= Self.historyCount &+ 8 &* qmfSlotCount && core.count >= 32 &* qmfSlotCount)
        for index in 0..<8 &* qmfSlotCount {
            // In this order NaN becomes the limit.
            unsafe target[unchecked: Self.historyCount &+ index] = core.vector(unchecked: 4 &* index).minimum(upper).maximum(lower)
        }
    }

    /// Returns four subbands of four QMF slots from their transform; those from `bandCount` are 0.
    @inline(__always)
    private static func subbands(_ row: Int, of input: Span<ComplexVector>, bandCount: Int, _ tables: QMFTables) -> LowBandSlots.Row {
        let twiddles = tables.analysisOutput.span.extracting(0..<32)
        let bands = QMFTransform.bands(input, twiddles: twiddles, bandCount: 32, row: row)
        var real = SIMD4<Float>.transposed(bands.0.real, bands.1.real, bands.2.real, bands.3.real)
        var imaginary = SIMD4<Float>.transposed(
            bands.0.imaginary, bands.1.imaginary, bands.2.imaginary, bands.3.imaginary)
        let count = bandCount &- 4 &* row
        if count < 4 {
            let mask = SIMD4<Float>(1, count > 1 ? 1 : 0, count > 2 ? 1 : 0, 0)
            real = (real.0 * mask, real.1 * mask, real.2 * mask, real.3 * mask)
            imaginary = (imaginary.0 * mask, imaginary.1 * mask, imaginary.2 * mask, imaginary.3 * mask)
        }
        return (real, imaginary)
    }
}
