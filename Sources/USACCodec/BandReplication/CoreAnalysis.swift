// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The analysis filter bank of a core channel with 32, 24 or 16 subbands, and its QMF slots.
struct CoreAnalysis: ~Copyable {
    /// The filter bank with 32 subbands.
    private var large: QMFAnalysis
    /// The filter bank with 24 or 16 subbands.
    private var small: GenericQMFAnalysis?
    /// The QMF slots of the frame, preceded by the last slots of the previous frame.
    private(set) var qmfSlots: LowBandSlots

    /// Creates a filter bank with silent history.
    init(_ layout: SlotLayout) {
        large = QMFAnalysis(layout)
        if layout.analysisBandCount < QMFAnalysis.bandCount { small = GenericQMFAnalysis(layout) }
        qmfSlots = LowBandSlots(layout)
    }

    /// The number of QMF slots of the previous frame.
    var retainedCount: Int { qmfSlots.retainedCount }

    mutating func analyze(_ core: Span<Float>) {
        if small != nil {
            small?.analyze(core, bandCount: 32, into: &qmfSlots)
        } else {
            large.analyze(core, bandCount: 32, into: &qmfSlots)
        }
    }

    /// Returns a subband in a QMF slot, counted from the first retained slot.
    func value(_ subband: Int, _ qmfSlot: Int) -> SIMD2<Float> { qmfSlots.value(subband, qmfSlot) }

    mutating func advance() { qmfSlots.advance() }
}

extension LowBandSlots {
    /// Returns a subband in a QMF slot, counted from the first retained slot.
    @inline(__always)
    func value(_ subband: Int, _ qmfSlot: Int) -> SIMD2<Float> {
        let index = LowBandSlots.row(ofQMFSlot: qmfSlot) + subband / 4
        return SIMD2(real[index][subband % 4], imaginary[index][subband % 4])
    }
}
