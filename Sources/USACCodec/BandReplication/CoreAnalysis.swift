// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The analysis filter bank of 32, 24 or 16 subbands of a core channel, with its columns.
struct CoreAnalysis: ~Copyable {
    /// The filter bank of 32 subbands.
    private var large: QMFAnalysis
    /// The filter bank of 24 or 16 subbands.
    private var small: QMFAnalysisOfAnySize?
    /// The columns of the frame after the last ones of the frame before.
    private(set) var columns: LowBandColumns

    /// Makes a filter bank with a silent past.
    init(_ layout: SlotLayout) {
        large = QMFAnalysis(layout)
        if layout.analysisBandCount < QMFAnalysis.bandCount { small = QMFAnalysisOfAnySize(layout) }
        columns = LowBandColumns(layout)
    }

    /// The columns of the frame before.
    var keptCount: Int { columns.keptCount }

    /// Analyses the samples of a frame.
    mutating func analyze(_ core: Span<Float>) {
        if small != nil {
            small?.analyze(core, bandCount: 32, into: &columns)
        } else {
            large.analyze(core, bandCount: 32, into: &columns)
        }
    }

    /// Returns a subband of a column, counted from the first kept one.
    func value(_ subband: Int, _ column: Int) -> SIMD2<Float> { columns.value(subband, column) }

    /// Ends a frame.
    mutating func advance() { columns.advance() }
}

extension LowBandColumns {
    /// Returns a subband of a column, counted from the first kept one.
    @inline(__always)
    func value(_ subband: Int, _ column: Int) -> SIMD2<Float> {
        let index = LowBandColumns.row(ofColumn: column) + subband / 4
        return SIMD2(real[index][subband % 4], imaginary[index][subband % 4])
    }
}
