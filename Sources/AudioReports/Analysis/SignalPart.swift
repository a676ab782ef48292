// SPDX-License-Identifier: Apache-2.0

/// A part of a signal with whole columns, and the surrounding samples that their analysis needs.
struct SignalPart: Sendable {
    let columns: Range<Int>
    /// The index of the first sample frame in ``samples``; negative before the signal.
    let origin: Int
    let samples: [[Float]]

    /// The samples on each side of the columns: half of the longest transform, or the true peak filter.
    static let margin = 1024 + 64
}

/// Divides a stream into parts.
struct SignalPartition {
    private let grid: ColumnGrid
    private var samples: [[Float]]
    private var origin = -SignalPart.margin
    private var nextColumn = 0

    /// The approximate number of sample frames per part.
    private static let length = 300_000

    init(grid: ColumnGrid, channelCount: Int) {
        self.grid = grid
        samples = Array(repeating: Array(repeating: 0, count: SignalPart.margin), count: channelCount)
    }

    /// Appends samples to a channel; samples after the last column have no effect.
    ///
    /// All channels must get the same number.
    mutating func append(_ new: ArraySlice<Float>, channel: Int) {
        if nextColumn < grid.columnCount { samples[channel] += new }
    }

    /// Appends silence after the signal, to complete all columns.
    mutating func finish() {
        let missing = grid.frameCount + SignalPart.margin - (origin + samples[0].count)
        guard missing > 0 else { return }
        for channel in samples.indices { samples[channel] += [Float](repeating: 0, count: missing) }
    }

    /// Returns the next complete part; nil if more samples are needed, and at the end.
    mutating func next() -> SignalPart? {
        guard nextColumn < grid.columnCount else { return nil }
        let width = max(1, grid.frameCount / grid.columnCount)
        let end = min(grid.columnCount, nextColumn + max(1, Self.length / width))
        let first = grid.start(ofColumn: nextColumn) - SignalPart.margin
        let last = grid.start(ofColumn: end) + SignalPart.margin
        guard origin + samples[0].count >= last else { return nil }
        let part = SignalPart(
            columns: nextColumn..<end, origin: first, samples: samples.map { Array($0[(first - origin)..<(last - origin)]) })
        nextColumn = end
        let kept = grid.start(ofColumn: end) - SignalPart.margin
        for channel in samples.indices { samples[channel].removeFirst(kept - origin) }
        origin = kept
        return part
    }
}
