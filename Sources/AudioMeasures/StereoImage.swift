// SPDX-License-Identifier: Apache-2.0

/// Errors of the stereo image: of level differences and coherence between left and right.
public struct StereoImage: Hashable, Sendable {
    /// Errors of one band or of all bands.
    public struct Errors: Hashable, Sendable {
        /// The mean absolute error of the left/right level difference, in decibels.
        ///
        /// Levels are limited to ±30 dB.
        public let levelDifference: Double
        /// The mean absolute error of the correlation of left and right, 0 to 2.
        public let coherence: Double
    }

    /// Band edges in hertz, one more than bands.
    package let bandEdges: [Double]
    /// Errors by band; `nil` where the reference is never loud enough to measure.
    package let bands: [Errors?]
    /// The errors over all bands, weighted by their number of measurements; `nil` without measurements.
    public let total: Errors?

    private static let framesAtOnce = 4
    private static let levelLimit = 30.0

    /// Sums over a few frames of one signal in one band.
    private struct Cell {
        var left = 0.0
        var right = 0.0
        var cross = 0.0

        /// Returns left over right, in decibels.
        ///
        /// Energies below the threshold in quiet count as equal.
        func level(quiet: Double) -> Double {
            max(-levelLimit, min(levelLimit, Decibels.power((left + 0.1 * quiet) / (right + 0.1 * quiet))))
        }

        var coherence: Double {
            let scale = (left * right).squareRoot()
            return scale > 0 ? cross / scale : 0
        }

        mutating func add(_ a: HalfSpectrum, _ b: HalfSpectrum, _ range: Range<Int>, scale: Double) {
            for point in range {
                left += a.power(point) * scale
                right += b.power(point) * scale
                cross += (a.real[point] * b.real[point] + a.imaginary[point] * b.imaginary[point]) * scale
            }
        }
    }

    private struct Sums {
        var level = 0.0
        var levelCount = 0
        var coherence = 0.0
        var coherenceCount = 0

        var errors: Errors? {
            levelCount == 0
                ? nil : Errors(levelDifference: level / Double(levelCount), coherence: coherence / Double(max(1, coherenceCount)))
        }

        mutating func add(_ original: Cell, _ other: Cell, quiet: Double) {
            let expected = original.level(quiet: quiet)
            level += abs(other.level(quiet: quiet) - expected)
            levelCount += 1
            // A silent side has no correlation.
            guard abs(expected) < levelLimit else { return }
            coherence += abs(other.coherence - original.coherence)
            coherenceCount += 1
        }
    }

    /// Measures the first two channels of signals that have the same sample rate and length.
    init(reference: AudioSignal, test: AudioSignal) {
        let size = BarkBands.frameSize(sampleRate: reference.sampleRate)
        let bands = BarkBands(sampleRate: reference.sampleRate, size: size, perBark: 1)
        let scale = MaskingModel.scale(size: size)
        var sums = [Sums](repeating: Sums(), count: bands.points.count)
        var sumsOfAll = Sums()
        let empty = [Cell](repeating: Cell(), count: bands.points.count)
        var (originals, others) = (empty, empty)
        var count = 0
        for frame in SpectrumPairs(reference, test, size: size, takesTest: true) {
            for band in bands.points.indices {
                originals[band].add(frame[0].first, frame[1].first, bands.points[band], scale: scale)
                others[band].add(frame[0].second, frame[1].second, bands.points[band], scale: scale)
            }
            count += 1
            guard count == Self.framesAtOnce else { continue }
            let loudest = originals.map { $0.left + $0.right }.max() ?? 0
            for band in bands.points.indices {
                let whole = originals[band].left + originals[band].right
                // At least 10 dB above the threshold in quiet and at most 50 dB below the loudest band.
                guard whole > 10 * Double(count) * bands.quiet[band], whole > 1e-5 * loudest else { continue }
                sums[band].add(originals[band], others[band], quiet: Double(count) * bands.quiet[band])
                sumsOfAll.add(originals[band], others[band], quiet: Double(count) * bands.quiet[band])
            }
            (originals, others, count) = (empty, empty, 0)
        }
        bandEdges = bands.edges
        self.bands = sums.map { $0.errors }
        total = sumsOfAll.errors
    }
}
