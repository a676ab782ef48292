// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What the grid of a frame is chosen by: the energies of a few wide bands in every time slot.
struct SlotEnergies: ~Copyable {
    /// Wide bands looked at: two vectors.
    static let bandCount = 8
    /// Time slots of the frame at hand and of half the next.
    static let slotCount = 26

    /// Mean energies of the first and last four bands, by slot; the last two are not used.
    private(set) var low: [28 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private(set) var high: [28 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// The QMF subbands at which the wide bands begin, and the end of the last.
    private let boundaries: [9 of Int]
    /// Rows of four subbands that they lie in.
    private let rows: Range<Int>

    /// Below this a change can't be heard: a level of 0.
    private static let floor: Float = 64

    /// Divides the high band into wide bands.
    init(tables: borrowing FrequencyBandTables) {
        var boundaries = InlineArray<9, Int>(repeating: 0)
        for index in 0...8 { boundaries[index] = tables.low[tables.low.count * index / 8] }
        self.boundaries = boundaries
        rows = tables.highRows
    }

    /// Measures the frame at hand and what follows it.
    mutating func measure(_ history: inout SubbandHistory) {
        let allBoundaries = boundaries
        let starts = allBoundaries.span
        let count = history.columnsPerSlot
        var work = InlineArray<64, SIMD4<Float>>(repeating: SIMD4(repeating: 0))
        for slot in stride(from: 0, to: Self.slotCount, by: 4) {
            var subbands = work.mutableSpan
            history.collectEnergies(fromSlot: slot, rows: rows, into: &subbands)
            let lows = Self.means(subbands.span, starts, from: 0, columnCount: count)
            let highs = Self.means(subbands.span, starts, from: 4, columnCount: count)
            Self.store(lows, into: &low, at: slot)
            Self.store(highs, into: &high, at: slot)
        }
    }

    @inline(__always)
    private static func store(
        _ slots: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>), into target: inout [28 of SIMD4<Float>], at slot: Int
    ) {
        target[slot] = slots.0
        target[slot + 1] = slots.1
        target[slot + 2] = slots.2
        target[slot + 3] = slots.3
    }

    /// Adds the energies of the other channel of a pair.
    mutating func add(_ other: inout SlotEnergies) {
        let (otherLow, otherHigh) = (other.low.span, other.high.span)
        for slot in 0..<Self.slotCount {
            low[slot] += otherLow[slot]
            high[slot] += otherHigh[slot]
        }
    }

    /// The mean energies of four bands in four slots.
    @inline(__always)
    private static func means(
        _ subbands: Span<SIMD4<Float>>, _ boundaries: Span<Int>, from band: Int, columnCount: Int
    ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
        SIMD4<Float>.transposed(
            mean(subbands, boundaries, band, columnCount), mean(subbands, boundaries, band + 1, columnCount),
            mean(subbands, boundaries, band + 2, columnCount), mean(subbands, boundaries, band + 3, columnCount))
    }

    /// The mean energy of a band in four slots, one in each lane.
    @inline(__always)
    private static func mean(_ subbands: Span<SIMD4<Float>>, _ boundaries: Span<Int>, _ band: Int, _ columnCount: Int) -> SIMD4<Float> {
        let (first, end) = (boundaries[band], boundaries[band + 1])
        let floor = SIMD4<Float>(repeating: floor)
        guard end > first else { return floor }
        var sum = SIMD4<Float>(repeating: 0)
        for subband in first..<end { sum += subbands[subband] }
        return floor + sum / SIMD4(repeating: Float(columnCount * (end - first)))
    }
}

extension FrequencyBandTables {
    /// The rows of four subbands that the high band lies in.
    var highRows: Range<Int> { high.first / 4..<(high.last + 3) / 4 }

    /// Those that are looked at for tones: the high band's, and what is copied there.
    var tonalRows: Range<Int> { min(patches.sources.lowerBound, high.first) / 4..<(high.last + 3) / 4 }
}
