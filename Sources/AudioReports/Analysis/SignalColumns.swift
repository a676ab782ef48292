// SPDX-License-Identifier: Apache-2.0

/// The measures of a signal by column.
package struct SignalColumns: Sendable {
    /// The columns.
    package let grid: ColumnGrid
    /// The number of channels.
    let channelCount: Int
    /// The number of rows of the spectrum, from 0 Hz to half the sample rate.
    package static let rowCount = 320
    /// The number of directions, from left to right.
    package static let directionCount = 41

    /// The smallest, the largest and the root mean square sample of each column, by channel.
    package var minima: [[Float]], maxima: [[Float]], levels: [[Float]]
    /// The largest true peak of all channels, as an amplitude.
    var truePeaks: [Float]
    /// The level of a full-scale sine's share in decibels, column by column, from 0 Hz up.
    package var spectrum: [Float]
    /// The correlation of left and right, -1 to 1; NaN for silence and for other numbers of channels than two.
    package var correlation: [Float]
    /// The share of each direction in a column's energy, column by column, from left to right; empty unless there are two channels.
    package var directions: [Float]

    /// Creates silent columns.
    init(grid: ColumnGrid, channelCount: Int) {
        self.grid = grid
        self.channelCount = channelCount
        let none = [Float](repeating: 0, count: grid.columnCount)
        minima = Array(repeating: none, count: channelCount)
        maxima = minima
        levels = minima
        truePeaks = none
        spectrum = Array(repeating: -.infinity, count: grid.columnCount * Self.rowCount)
        correlation = Array(repeating: .nan, count: grid.columnCount)
        directions = channelCount == 2 ? Array(repeating: 0, count: grid.columnCount * Self.directionCount) : []
    }

    /// Stores the measures of a column.
    mutating func set(_ column: Int, _ measures: ColumnMeasures) {
        for channel in 0..<channelCount {
            minima[channel][column] = measures.minima[channel]
            maxima[channel][column] = measures.maxima[channel]
            levels[channel][column] = measures.levels[channel]
        }
        truePeaks[column] = measures.truePeak
        correlation[column] = measures.correlation
        for row in 0..<Self.rowCount { spectrum[column * Self.rowCount + row] = measures.spectrum[row] }
        guard !directions.isEmpty else { return }
        for direction in 0..<Self.directionCount {
            directions[column * Self.directionCount + direction] = measures.directions[direction]
        }
    }
}

/// The measures of one column.
struct ColumnMeasures: Sendable {
    /// The smallest, the largest and the root mean square sample by channel.
    var minima: [Float] = [], maxima: [Float] = [], levels: [Float] = []
    /// The largest true peak as an amplitude.
    var truePeak: Float = 0
    /// The levels of the rows in decibels.
    var spectrum: [Float] = []
    /// The correlation of left and right.
    var correlation = Float.nan
    /// The shares of directions.
    var directions: [Float] = []
}
