// SPDX-License-Identifier: Apache-2.0

internal import AudioLoudness
internal import AudioMeasures
internal import SystemLibrary

/// Measures the columns of a signal.
///
/// Each thread has its own analyzer.
struct ColumnAnalyzer {
    private let grid: ColumnGrid
    private let transform: FourierTransform
    private let window: [Double]
    private let interpolator = PeakInterpolator()
    /// The transform bins of each linear row, then of each Bark row.
    ///
    /// Narrow rows share a bin.
    private let rows: [Range<Int>]
    private var real: [Double]
    private var imaginary: [Double]

    /// The maximum number of transforms per column, evenly spaced.
    private static let transformLimit = 32

    /// Sums over the transforms of a column.
    private struct Sums {
        /// Power by row.
        var rows = [Double](repeating: 0, count: SignalColumns.rowCount + SignalColumns.barkRowCount)
        /// Energies of left, right and their product.
        var (left, right, cross) = (0.0, 0.0, 0.0)
        /// Energy by direction, from left to right.
        var directions = [Double](repeating: 0, count: SignalColumns.directionCount)
    }

    init(grid: ColumnGrid) {
        self.grid = grid
        let size = grid.sampleRate >= 32_000 ? 2048 : grid.sampleRate >= 16_000 ? 1024 : 512
        transform = FourierTransform(size: size)
        window = FourierTransform.hann(size)
        real = Array(repeating: 0, count: size)
        imaginary = real
        let linearEdges = (0...SignalColumns.rowCount).map { $0 * size / 2 / SignalColumns.rowCount }
        let barkEdges = SignalColumns.barkEdges(sampleRate: grid.sampleRate).map { hertz in
            min(size / 2 - 1, Int((hertz * Double(size) / Double(grid.sampleRate)).rounded()))
        }
        rows = [linearEdges, barkEdges].flatMap { edges in zip(edges, edges.dropFirst()).map { $0..<max($0 + 1, $1) } }
    }

    mutating func measure(_ part: SignalPart, column: Int) -> ColumnMeasures {
        let frames = grid.frames(ofColumn: column)
        let range = frames.lowerBound - part.origin..<frames.upperBound - part.origin
        var result = ColumnMeasures()
        for samples in part.samples {
            var (smallest, largest, sum) = (Float.infinity, -Float.infinity, Float(0))
            for index in range {
                let sample = samples[index]
                smallest = min(smallest, sample)
                largest = max(largest, sample)
                sum += sample * sample
            }
            result.minima.append(smallest)
            result.maxima.append(largest)
            result.levels.append((sum / Float(range.count)).squareRoot())
            result.truePeak = interpolator.truePeak(samples, range, above: result.truePeak)
        }
        addSpectrum(part, range, to: &result)
        return result
    }

    /// Measures spectrum, correlation and directions.
    private mutating func addSpectrum(_ part: SignalPart, _ range: Range<Int>, to result: inout ColumnMeasures) {
        let size = transform.size
        let count = max(1, min(Self.transformLimit, range.count / (size / 2)))
        var sums = Sums()
        for number in 0..<count {
            let center = range.lowerBound + (2 * number + 1) * range.count / (2 * count)
            for channel in stride(from: 0, to: part.samples.count, by: 2) {
                load(part, channel, from: center - size / 2)
                transform.forward(&real, &imaginary)
                add(hasPair: channel + 1 < part.samples.count, isStereo: part.samples.count == 2, to: &sums)
            }
        }
        // A full-scale sine has a quarter of the transform size in its bin, and a power of half its squared amplitude.
        let scale = 16 / Double(size * size) / Double(count * part.samples.count)
        result.spectrum = sums.rows.map { $0 > 0 ? Float(10 * log10($0 * scale)) : -.infinity }
        guard part.samples.count == 2 else { return }
        let energy = sums.left + sums.right
        let product = (sums.left * sums.right).squareRoot()
        if product > 1e-9 * energy, energy > 0 { result.correlation = Float(sums.cross / product) }
        result.directions = sums.directions.map { energy > 0 ? Float($0 / energy) : 0 }
    }

    /// Copies the windowed samples of two channels.
    private mutating func load(_ part: SignalPart, _ channel: Int, from start: Int) {
        let second = channel + 1 < part.samples.count ? channel + 1 : nil
        for index in 0..<transform.size {
            real[index] = window[index] * Double(part.samples[channel][start + index])
            imaginary[index] = second.map { window[index] * Double(part.samples[$0][start + index]) } ?? 0
        }
    }

    /// Adds the current spectrum of one or two channels.
    private func add(hasPair: Bool, isStereo: Bool, to sums: inout Sums) {
        let size = transform.size
        var powers = [Double](repeating: 0, count: size / 2)
        for point in 1..<size / 2 {
            let mirror = size - point
            let (a, b) = (0.5 * (real[point] + real[mirror]), 0.5 * (imaginary[point] - imaginary[mirror]))
            let first = a * a + b * b
            guard hasPair else {
                powers[point] = first
                continue
            }
            let (c, d) = (0.5 * (imaginary[point] + imaginary[mirror]), 0.5 * (real[mirror] - real[point]))
            let second = c * c + d * d
            powers[point] = first + second
            guard isStereo, first + second > 0 else { continue }
            sums.left += first
            sums.right += second
            sums.cross += a * c + b * d
            let half = Double(SignalColumns.directionCount / 2)
            sums.directions[Int(half + 0.5 + half * (second - first) / (first + second))] += first + second
        }
        for row in rows.indices {
            var largest = 0.0
            for point in rows[row] { largest = max(largest, powers[point]) }
            sums.rows[row] += largest
        }
    }
}
