// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What the grid of a frame is chosen by: the energies of a few wide bands in every time slot.
struct SlotEnergies: ~Copyable {
    /// Wide bands looked at: two vectors.
    static let bandCount = 8
    /// Time slots of the frame at hand and of half the next.
    static let slotCount = 26

    /// Mean energies of the first and last four bands, by slot.
    private(set) var low: [26 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private(set) var high: [26 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// The QMF subbands at which the wide bands begin, and the end of the last.
    private let borders: [9 of Int]

    /// Below this a change can't be heard: a level of 0.
    private static let floor: Float = 64

    /// Divides the high band into wide bands.
    init(tables: borrowing FrequencyBandTables) {
        var borders = InlineArray<9, Int>(repeating: 0)
        for index in 0...8 { borders[index] = tables.low[tables.low.count * index / 8] }
        self.borders = borders
    }

    /// Measures the frame at hand and what follows it.
    mutating func measure(_ history: borrowing SubbandHistory) {
        var sums = InlineArray<64, Float>(repeating: 0)
        let allBorders = borders
        let starts = allBorders.span
        for slot in 0..<Self.slotCount {
            var target = sums.mutableSpan
            history.sumEnergies(over: 2 * slot..<2 * slot + 2, into: &target)
            low[slot] = SIMD4(
                Self.mean(sums.span, starts, 0), Self.mean(sums.span, starts, 1), Self.mean(sums.span, starts, 2),
                Self.mean(sums.span, starts, 3))
            high[slot] = SIMD4(
                Self.mean(sums.span, starts, 4), Self.mean(sums.span, starts, 5), Self.mean(sums.span, starts, 6),
                Self.mean(sums.span, starts, 7))
        }
    }

    /// Adds the energies of the other channel of a pair.
    mutating func add(_ other: borrowing SlotEnergies) {
        for slot in 0..<Self.slotCount {
            low[slot] += other.low[slot]
            high[slot] += other.high[slot]
        }
    }

    private static func mean(_ sums: Span<Float>, _ borders: Span<Int>, _ band: Int) -> Float {
        let (first, end) = (borders[band], borders[band + 1])
        guard end > first else { return floor }
        var sum: Float = 0
        for subband in first..<end { sum += sums[subband] }
        return floor + sum / Float(2 * (end - first))
    }
}
