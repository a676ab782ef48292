// SPDX-License-Identifier: Apache-2.0

/// The encoder's QMF samples of a frame: QMF slots of 64 complex subbands.
@usableFromInline package struct SubbandSlots: ~Copyable {
    /// The number of vectors of four subbands per QMF slot.
    @usableFromInline package static let rowCount = 16

    /// The real parts.
    ///
    /// Subbands 4 r to 4 r + 3 of QMF slot c are at index 16 c + r.
    @usableFromInline package var real: FixedArray<SIMD4<Float>>
    /// The imaginary parts, in the same order.
    @usableFromInline package var imaginary: FixedArray<SIMD4<Float>>

    /// Creates silent QMF slots for a frame, rounded up to groups of four.
    package init(_ layout: SlotLayout) { self.init(qmfSlotCount: layout.groupedQMFSlotCount) }

    package init(qmfSlotCount: Int) {
        let count = Self.rowCount * qmfSlotCount
        real = FixedArray(repeating: SIMD4(repeating: 0), count: count)
        imaginary = FixedArray(repeating: SIMD4(repeating: 0), count: count)
    }

    /// Moves `count` QMF slots, starting at slot `source`, to the start.
    package mutating func moveToStart(_ count: Int, from source: Int) {
        let moved = Self.rowCount * source..<Self.rowCount * (source + count)
        real.copy(moved, to: 0)
        imaginary.copy(moved, to: 0)
    }

    /// Copies the current frame from `other`, which has the first 32 subbands.
    package mutating func copyFrame(of other: borrowing LowBandSlots) {
        let half = Self.rowCount / 2
        let (reals, imaginaries) = (other.real.span, other.imaginary.span)
        for qmfSlot in 0..<real.count / Self.rowCount {
            let source = LowBandSlots.row(ofQMFSlot: qmfSlot + other.retainedCount)
            for row in 0..<half {
                real[Self.rowCount * qmfSlot + row] = reals[source + row]
                imaginary[Self.rowCount * qmfSlot + row] = imaginaries[source + row]
            }
        }
    }

    /// Stores four QMF slots starting at `qmfSlot` from 64 subbands with one slot per lane.
    @inlinable @inline(__always)
    package mutating func store(_ bands: Span<ComplexVector>, qmfSlot: Int) {
        let bands = bands.extracting(0..<64)
        let stored = Self.rowCount &* qmfSlot..<Self.rowCount &* qmfSlot &+ 64
        var allReals = real.mutableSpan
        var allImaginaries = imaginary.mutableSpan
        // Constant lengths, so that the bounds checks of all rows fold.
        var reals = allReals._mutatingExtracting(stored)
        var imaginaries = allImaginaries._mutatingExtracting(stored)
        for row in 0..<16 {
            let (a, b, c, d) = (bands[4 &* row], bands[4 &* row &+ 1], bands[4 &* row &+ 2], bands[4 &* row &+ 3])
            let real = SIMD4<Float>.transposed(a.real, b.real, c.real, d.real)
            let imaginary = SIMD4<Float>.transposed(a.imaginary, b.imaginary, c.imaginary, d.imaginary)
            (reals[row], reals[row &+ 16], reals[row &+ 32], reals[row &+ 48]) = real
            (imaginaries[row], imaginaries[row &+ 16], imaginaries[row &+ 32], imaginaries[row &+ 48]) = imaginary
        }
    }
}
