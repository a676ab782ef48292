// SPDX-License-Identifier: Apache-2.0

/// The errors of the stereo image: of level differences and coherence between left and right.
public struct StereoImage: Hashable, Sendable {
    /// Errors of a band, or of all of them.
    public struct Errors: Hashable, Sendable {
        /// Mean of the absolute error of left over right, in decibels; both levels are limited to ±30 dB.
        public let levelDifference: Double
        /// Mean of the absolute error of the correlation of left and right, 0 to 2.
        public let coherence: Double
    }

    /// Band edges in hertz, one more than there are bands.
    package let bandEdges: [Double]
    /// By band; nil where the reference is never loud enough to measure.
    package let bands: [Errors?]
    /// Over all bands, each weighted by the number of its measurements; nil if there are none.
    public let total: Errors?

    private static let framesAtOnce = 4
    private static let levelLimit = 30.0

    /// Sums over a few frames of one signal in one band.
    private struct Cell {
        var left = 0.0
        var right = 0.0
        var cross = 0.0

        /// Left over right in decibels; energies below the threshold in quiet count as equal.
        func level(quiet: Double) -> Double {
            max(-levelLimit, min(levelLimit, Decibels.power((left + 0.1 * quiet) / (right + 0.1 * quiet))))
        }

        var coherence: Double {
            let scale = (left * right).squareRoot()
            return scale > 0 ? cross / scale : 0
        }

        /// Adds the points of a band of both channels.
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

        /// Compares the cells of a band.
        mutating func add(_ original: Cell, _ other: Cell, quiet: Double) {
            let expected = original.level(quiet: quiet)
            level += abs(other.level(quiet: quiet) - expected)
            levelCount += 1
            // With one side silent there is nothing to correlate.
            guard abs(expected) < levelLimit else { return }
            coherence += abs(other.coherence - original.coherence)
            coherenceCount += 1
        }
    }

    /// Measures the first two channels of signals with equal sample rates and lengths.
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
                // Louder than the threshold by 10 dB, and not more than 50 dB below the loudest band.
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
