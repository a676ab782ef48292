// SPDX-License-Identifier: Apache-2.0

/// The QMF samples of the low band, `X_Low`: QMF slots of 32 complex subbands (ISO/IEC 14496-3:2009, 4.6.18.5).
///
/// It starts with the last QMF slots of the previous frame, usually 8. The current frame follows.
package struct LowBandSlots: ~Copyable {
    /// `t_HFGen`: the number of retained QMF slots of the previous frame, except in enhanced SBR at 4:1.
    package static let historyCount = 8

    /// The real parts, 8 vectors per QMF slot.
    ///
    /// One extra QMF slot at either end stays 0, for unaligned vectors that start before the first or end after the last subband.
    package private(set) var real: FixedArray<SIMD4<Float>>
    /// The imaginary parts, 8 vectors per QMF slot.
    package private(set) var imaginary: FixedArray<SIMD4<Float>>

    private let qmfSlotCount: Int
    /// The number of retained QMF slots of the previous frame: ``historyCount``, in enhanced SBR at 4:1 14, in low delay SBR 2.
    package let retainedCount: Int

    package init(_ layout: SlotLayout) {
        qmfSlotCount = layout.qmfSlotCount
        retainedCount = layout.historyCount
        let count = 8 * (retainedCount + layout.groupedQMFSlotCount + 2)
        real = FixedArray(repeating: SIMD4(repeating: 0), count: count)
        imaginary = FixedArray(repeating: SIMD4(repeating: 0), count: count)
    }

    /// The number of QMF slots, including the previous frame's.
    package var capacity: Int { real.count / 8 &- 2 }

    /// Returns the index of a QMF slot's first vector.
    package static func row(ofQMFSlot qmfSlot: Int) -> Int { 8 &+ 8 &* qmfSlot }

    /// Four subbands of four QMF slots, one slot per vector.
    package typealias Row = (
        real: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>),
        imaginary: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    )

    /// Stores the first subbands of four QMF slots of the current frame.
    ///
    /// - Parameters:
    ///   - bandCount: The number of subbands, 1 to 32. Rows are stored whole.
    ///   - qmfSlot: The first QMF slot, counted from the start of the current frame.
    ///   - subbands: Returns subbands 4 `row` to 4 `row` + 3.
    @inline(__always)
    package mutating func store(bandCount: Int, qmfSlot: Int, _ subbands: (_ row: Int) -> Row) {
        let first = Self.row(ofQMFSlot: qmfSlot &+ retainedCount)
        var allReals = self.real.mutableSpan
        var allImaginaries = self.imaginary.mutableSpan
        // Constant lengths, so that no bounds checks remain in the loop.
        var reals = allReals._mutatingExtracting(first..<first &+ 32)
        var imaginaries = allImaginaries._mutatingExtracting(first..<first &+ 32)
        for row in 0..<8 {
            guard 4 &* row < bandCount else { return }
            let (real, imaginary) = subbands(row)
            (reals[row], reals[row &+ 8], reals[row &+ 16], reals[row &+ 24]) = real
            (imaginaries[row], imaginaries[row &+ 8], imaginaries[row &+ 16], imaginaries[row &+ 24]) = imaginary
        }
    }

    /// Clears the subbands from `band` in a range of QMF slots, counted from the first retained slot.
    package mutating func clear(fromBand band: Int, qmfSlots: Range<Int>) {
        for qmfSlot in qmfSlots {
            for subband in band..<32 {
                real[Self.row(ofQMFSlot: qmfSlot) + subband / 4][subband % 4] = 0
                imaginary[Self.row(ofQMFSlot: qmfSlot) + subband / 4][subband % 4] = 0
            }
        }
    }

    /// Copies all QMF slots of an instance of the same size.
    package mutating func copy(_ other: borrowing LowBandSlots) {
        real.copy(other.real)
        imaginary.copy(other.imaginary)
    }

    /// Copies the current frame of an instance of the same size.
    package mutating func copyFrame(of other: borrowing LowBandSlots) {
        let first = Self.row(ofQMFSlot: retainedCount)
        real.copy(other.real.span.extracting(first..<real.count), to: first)
        imaginary.copy(other.imaginary.span.extracting(first..<real.count), to: first)
    }

    /// Moves the last QMF slots of the frame to the start as the next frame's history.
    package mutating func advance() {
        let last = Self.row(ofQMFSlot: qmfSlotCount)..<Self.row(ofQMFSlot: qmfSlotCount + retainedCount)
        real.copy(last, to: Self.row(ofQMFSlot: 0))
        imaginary.copy(last, to: Self.row(ofQMFSlot: 0))
    }
}
