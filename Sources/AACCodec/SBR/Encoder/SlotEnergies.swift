// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The energies of eight wide bands in every time slot, from which the time grid of a frame is chosen.
struct SlotEnergies: ~Copyable {
    /// The number of wide bands: two vectors.
    static let bandCount = 8
    /// Time slots: those of the current frame and ten of the next.
    static let slotCount = 26

    /// The mean energies of the first four bands, by slot; the last two slots are not used.
    private(set) var low: [28 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// The mean energies of the last four bands, likewise.
    private(set) var high: [28 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// The boundaries of the wide bands, in QMF subbands.
    private var boundaries: [9 of Int] = .init(repeating: 0)
    /// The rows of four subbands that the wide bands cover.
    private var rows = 0..<0

    /// Creates energies of silence.
    init() {}

    /// Divides the high band into the wide bands, before the first frame.
    mutating func configure(_ tables: borrowing FrequencyBandTables) {
        for index in 0...8 { boundaries[index] = tables.low[tables.low.count * index / 8] }
        rows = tables.highRows
    }

    /// Measures the current frame and the start of the next.
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

    /// Stores the energies of four slots.
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

    /// Returns the mean energies of four bands in four slots.
    @inline(__always)
    private static func means(
        _ subbands: Span<SIMD4<Float>>, _ boundaries: Span<Int>, from band: Int, columnCount: Int
    ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
        SIMD4<Float>.transposed(
            mean(subbands, boundaries, band, columnCount), mean(subbands, boundaries, band + 1, columnCount),
            mean(subbands, boundaries, band + 2, columnCount), mean(subbands, boundaries, band + 3, columnCount))
    }

    /// Returns the mean energy of a band in four slots, one in each lane.
    @inline(__always)
    private static func mean(_ subbands: Span<SIMD4<Float>>, _ boundaries: Span<Int>, _ band: Int, _ columnCount: Int) -> SIMD4<Float> {
        let (first, end) = (boundaries[band], boundaries[band + 1])
        // Added to every energy, so that inaudible changes do not count.
        let floor = SIMD4<Float>(repeating: EnvelopeDequantizer.lowestEnergy)
        guard end > first else { return floor }
        var sum = SIMD4<Float>(repeating: 0)
        for subband in first..<end { sum += subbands[subband] }
        return floor + sum / SIMD4(repeating: Float(columnCount * (end - first)))
    }
}

extension FrequencyBandTables {
    /// The rows of four subbands that the high band covers.
    var highRows: Range<Int> { high.first / 4..<(high.last + 3) / 4 }

    /// The rows of four subbands of the high band and of the sources of its patches, whose tonality is measured.
    var tonalRows: Range<Int> { min(patches.sources.lowerBound, high.first) / 4..<(high.last + 3) / 4 }
}
