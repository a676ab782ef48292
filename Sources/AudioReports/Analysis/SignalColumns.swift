// SPDX-License-Identifier: Apache-2.0

/// Measured values of a signal by column.
package struct SignalColumns: Sendable {
    package let grid: ColumnGrid
    let channelCount: Int
    /// The number of rows of the linear spectrum, from 0 Hz to half the sample rate.
    package static let rowCount = 320
    package static let barkRowCount = 240
    /// The number of directions, from left to right.
    package static let directionCount = 41

    /// Minimum, maximum and root mean square of each column, by channel.
    package var minima: [[Float]], maxima: [[Float]], levels: [[Float]]
    /// The largest true peak of all channels, as an amplitude.
    var truePeaks: [Float]
    /// Levels in dBFS, column by column, from 0 Hz up.
    ///
    /// A full-scale sine has 0 dBFS.
    package var spectrum: [Float]
    /// As ``spectrum``, with rows of equal width on the Bark scale.
    package var barkSpectrum: [Float]
    /// The correlation of left and right, -1 to 1; NaN for silence and unless there are two channels.
    package var correlation: [Float]
    /// The energy fraction of each direction, column by column, from left to right; empty unless there are two channels.
    package var directions: [Float]

    init(grid: ColumnGrid, channelCount: Int) {
        self.grid = grid
        self.channelCount = channelCount
        let none = [Float](repeating: 0, count: grid.columnCount)
        minima = Array(repeating: none, count: channelCount)
        maxima = minima
        levels = minima
        truePeaks = none
        spectrum = Array(repeating: -.infinity, count: grid.columnCount * Self.rowCount)
        barkSpectrum = Array(repeating: -.infinity, count: grid.columnCount * Self.barkRowCount)
        correlation = Array(repeating: .nan, count: grid.columnCount)
        directions = channelCount == 2 ? Array(repeating: 0, count: grid.columnCount * Self.directionCount) : []
    }

    /// Returns the edges of the Bark rows in hertz, from about 40 Hz to half the sample rate.
    ///
    /// Source: H. Traunmüller, "Analytical expressions for the tonotopic sensory scale", 1990.
    package static func barkEdges(sampleRate: Int) -> [Double] {
        let nyquist = Double(sampleRate) / 2
        let highest = 26.81 * nyquist / (1960 + nyquist) - 0.53
        return (0...barkRowCount).map { row in
            let bark = highest * Double(row) / Double(barkRowCount)
            return 1960 * (bark + 0.53) / (26.28 - bark)
        }
    }

    mutating func set(_ column: Int, _ measures: ColumnMeasures) {
        for channel in 0..<channelCount {
            minima[channel][column] = measures.minima[channel]
            maxima[channel][column] = measures.maxima[channel]
            levels[channel][column] = measures.levels[channel]
        }
        truePeaks[column] = measures.truePeak
        correlation[column] = measures.correlation
        for row in 0..<Self.rowCount { spectrum[column * Self.rowCount + row] = measures.spectrum[row] }
        for row in 0..<Self.barkRowCount {
            barkSpectrum[column * Self.barkRowCount + row] = measures.spectrum[Self.rowCount + row]
        }
        guard !directions.isEmpty else { return }
        for direction in 0..<Self.directionCount {
            directions[column * Self.directionCount + direction] = measures.directions[direction]
        }
    }
}

struct ColumnMeasures: Sendable {
    /// Minimum, maximum and root mean square by channel.
    var minima: [Float] = [], maxima: [Float] = [], levels: [Float] = []
    /// The largest true peak, as an amplitude.
    var truePeak: Float = 0
    /// The levels of the linear rows, then of the Bark rows, in dBFS.
    var spectrum: [Float] = []
    var correlation = Float.nan
    var directions: [Float] = []
}
