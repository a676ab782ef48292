// SPDX-License-Identifier: Apache-2.0

/// The QMF samples of the high band: QMF slots of 64 complex subbands, first generated (`X_High`), then adjusted (`Y`).
///
/// QMF slot i of the frame is at index i. The slots after the frame are those into which the last envelope extends. Subbands outside
/// the high band are 0. ISO/IEC 14496-3:2009, 4.6.18.6 and 4.6.18.7.
package struct HighBandSlots: ~Copyable {
    /// The real parts, 16 vectors per QMF slot.
    package var real: FixedArray<SIMD4<Float>>
    /// The imaginary parts, 16 vectors per QMF slot.
    package var imaginary: FixedArray<SIMD4<Float>>

    private let qmfSlotCount: Int
    /// The maximum number of QMF slots after a frame.
    private let tailCount: Int

    package init(_ layout: SlotLayout) {
        qmfSlotCount = layout.qmfSlotCount
        tailCount = layout.tailQMFSlotCount
        // A multiple of four QMF slots.
        let count = 16 * ((qmfSlotCount + tailCount + 3) & ~3)
        real = FixedArray(repeating: SIMD4(repeating: 0), count: count)
        imaginary = FixedArray(repeating: SIMD4(repeating: 0), count: count)
    }

    /// The number of QMF slots, including those after the frame.
    package var capacity: Int { real.count / 16 }

    /// Clears all QMF slots from `first`.
    package mutating func clear(from first: Int) {
        for index in 16 * first..<real.count {
            real[index] = SIMD4(repeating: 0)
            imaginary[index] = SIMD4(repeating: 0)
        }
    }

    /// Moves the QMF slots after the frame to the start of the next.
    package mutating func advance() {
        let tail = 16 * qmfSlotCount..<16 * (qmfSlotCount + tailCount)
        real.copy(tail, to: 0)
        imaginary.copy(tail, to: 0)
    }
}
