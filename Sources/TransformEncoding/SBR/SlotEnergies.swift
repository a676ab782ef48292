// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The energies of eight wide bands per time slot, used to choose a frame's time grid.
package struct SlotEnergies: ~Copyable {
    /// The number of wide bands: two vectors.
    static let bandCount = 8
    /// The number of time slots of the next frame.
    ///
    /// Low delay SBR uses none.
    static let nextSlotCount = 10

    /// The number of time slots, in the current and the next frame.
    let slotCount: Int
    /// The mean energies of the first four bands by time slot.
    ///
    /// The count is rounded up to a multiple of four.
    private(set) var low: FixedArray<SIMD4<Float>>
    /// The mean energies of the last four bands by time slot.
    private(set) var high: FixedArray<SIMD4<Float>>

    /// The boundaries of the wide bands, in QMF subbands.
    private var boundaries = FixedArray<Int>(repeating: 0, count: bandCount + 1)
    /// The rows of four subbands that the wide bands cover.
    private let rows: Range<Int>
    /// The subband energies in four time slots, one per lane.
    private var work = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: 64)

    /// Creates silent energies with wide bands that divide the high band of `tables`.
    package init(_ tables: borrowing FrequencyBandTables, _ layout: SlotLayout) {
        slotCount = layout.slotCount + (layout.isLowDelay ? 0 : Self.nextSlotCount)
        low = FixedArray(repeating: SIMD4(repeating: 0), count: (slotCount + 3) & ~3)
        high = FixedArray(repeating: SIMD4(repeating: 0), count: (slotCount + 3) & ~3)
        rows = tables.highRows
        for index in 0...Self.bandCount { boundaries[index] = tables.low[tables.low.count * index / Self.bandCount] }
    }

    /// Measures the current frame and the start of the next, if used.
    package mutating func measure(_ history: borrowing SubbandHistory) {
        let starts = boundaries.span
        let count = history.qmfSlotsPerTimeSlot
        for slot in stride(from: 0, to: slotCount, by: 4) {
            var subbands = work.mutableSpan
            history.collectEnergies(fromSlot: slot, rows: rows, into: &subbands)
            let lows = Self.means(subbands.span, starts, from: 0, qmfSlotCount: count)
            let highs = Self.means(subbands.span, starts, from: 4, qmfSlotCount: count)
            Self.store(lows, into: &low, at: slot)
            Self.store(highs, into: &high, at: slot)
        }
    }

    private static func store(
        _ slots: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>), into target: inout FixedArray<SIMD4<Float>>,
        at slot: Int
    ) {
        target[slot] = slots.0
        target[slot + 1] = slots.1
        target[slot + 2] = slots.2
        target[slot + 3] = slots.3
    }

    /// Adds the energies of the pair's other channel.
    mutating func add(_ other: borrowing SlotEnergies) {
        let (otherLow, otherHigh) = (other.low.span, other.high.span)
        for slot in 0..<slotCount {
            low[slot] += otherLow[slot]
            high[slot] += otherHigh[slot]
        }
    }

    /// Returns the mean energies of four bands in four time slots.
    private static func means(
        _ subbands: Span<SIMD4<Float>>, _ boundaries: Span<Int>, from band: Int, qmfSlotCount: Int
    ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
        SIMD4<Float>.transposed(
            mean(subbands, boundaries, band, qmfSlotCount), mean(subbands, boundaries, band + 1, qmfSlotCount),
            mean(subbands, boundaries, band + 2, qmfSlotCount), mean(subbands, boundaries, band + 3, qmfSlotCount))
    }

    /// Returns the mean energy of a band in four time slots, one per lane.
    private static func mean(_ subbands: Span<SIMD4<Float>>, _ boundaries: Span<Int>, _ band: Int, _ qmfSlotCount: Int) -> SIMD4<Float> {
        let (first, end) = (boundaries[band], boundaries[band + 1])
        // Added to every energy, so that inaudible changes have no effect.
        let floor = SIMD4<Float>(repeating: EnvelopeDequantizer.lowestEnergy)
        guard end > first else { return floor }
        var sum = SIMD4<Float>(repeating: 0)
        for subband in first..<end { sum += subbands[subband] }
        return floor + sum / SIMD4(repeating: Float(qmfSlotCount * (end - first)))
    }
}

extension FrequencyBandTables {
    /// The rows of four subbands that the high band covers.
    var highRows: Range<Int> { high.first / 4..<(high.last + 3) / 4 }

    /// The rows of four subbands that cover the high band and the sources of its patches, whose tonality is measured.
    var tonalRows: Range<Int> { min(patches.sources.lowerBound, high.first) / 4..<(high.last + 3) / 4 }
}
