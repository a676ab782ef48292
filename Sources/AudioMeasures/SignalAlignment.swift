// SPDX-License-Identifier: Apache-2.0

/// The delay of a test signal relative to its reference.
public struct SignalAlignment: Hashable, Sendable {
    /// The delay of the test, in frames; negative if it is early.
    public let delay: Int
    /// The correlation at that delay, -1 to 1; 0 if one signal is silent.
    public let correlation: Double

    /// The reference frames that have a counterpart in the test.
    package let referenceRange: Range<Int>

    /// The maximum searched delay in both directions, in frames.
    package static let limit = 16_384
    /// The smallest magnitude of a correlation by which a delay is known.
    package static let minimumCorrelation = 0.05

    private static let blockSize = 2 * limit
    /// The number of loudest blocks that the coarse search uses.
    private static let blockLimit = 64

    /// Creates the alignment for a known delay.
    ///
    /// - Parameter delay: The delay of the test, in frames; negative if it is early.
    package init(reference: AudioSignal, test: AudioSignal, delay: Int) {
        self.init(reference.mixed(), test.mixed(), delay: delay)
    }

    /// Creates the alignment of two mono signals for a known delay.
    private init(_ reference: [Float], _ test: [Float], delay: Int) {
        self.delay = delay
        // Beyond these limits nothing overlaps.
        let delay = min(max(delay, -reference.count), test.count)
        let start = min(reference.count, max(0, -delay))
        referenceRange = start..<max(start, min(reference.count, test.count - delay))
        var (cross, first, second) = (0.0, 0.0, 0.0)
        for frame in referenceRange {
            let (a, b) = (Double(reference[frame]), Double(test[frame + delay]))
            cross += a * b
            first += a * a
            second += b * b
        }
        let scale = (first * second).squareRoot()
        correlation = scale > 0 ? cross / scale : 0
    }

    /// Finds the delay, up to 16 384 frames, with the largest absolute correlation; 0 if the signals do not correlate.
    ///
    /// The coarse search correlates the loudest blocks at all delays with Fourier transforms. The fine search sums the products of all
    /// frames at the eight best delays. The sum is not normalized, so that a periodic signal, which matches at several delays, gets the
    /// delay with the longest overlap.
    package init(reference: AudioSignal, test: AudioSignal) {
        let (first, second) = (reference.mixed(), test.mixed())
        let coarse = Self.correlations(first, second)
        var best = SignalAlignment(first, second, delay: 0)
        guard coarse.contains(where: { $0 != 0 }) else {
            self = best
            return
        }
        var largest = -1.0
        let candidates = indicesFromLargest(coarse.map { abs($0) }).prefix(8)
        for index in candidates where coarse[index] != 0 {
            let candidate = SignalAlignment(first, second, delay: index - Self.limit)
            let range = candidate.referenceRange
            let delay = candidate.delay
            let common = energy(first, range) * energy(second, range.lowerBound + delay..<range.upperBound + delay)
            let product = abs(candidate.correlation) * common.squareRoot()
            if product > largest { (best, largest) = (candidate, product) }
        }
        self = abs(best.correlation) < Self.minimumCorrelation ? SignalAlignment(first, second, delay: 0) : best
    }

    /// Returns the sum over blocks of reference[n] test[n + delay], for delays from -limit to limit.
    private static func correlations(_ reference: [Float], _ test: [Float]) -> [Double] {
        let size = 2 * blockSize
        let transform = FourierTransform(size: size)
        let none = [Double](repeating: 0, count: size)
        var (sumReal, sumImaginary) = (none, none)
        for start in loudestBlocks(reference) {
            var (real, imaginary) = (none, none)
            for index in 0..<min(blockSize, reference.count - start) { real[index] = Double(reference[start + index]) }
            for index in 0..<size {
                let frame = start - limit + index
                if frame >= 0, frame < test.count { imaginary[index] = Double(test[frame]) }
            }
            transform.forward(&real, &imaginary)
            let (first, second) = HalfSpectrum.pair(real, imaginary)
            for index in 0...size / 2 {
                // Conjugated, because a second forward transform replaces the inverse one.
                let re = first.real[index] * second.real[index] + first.imaginary[index] * second.imaginary[index]
                let im = first.imaginary[index] * second.real[index] - first.real[index] * second.imaginary[index]
                sumReal[index] += re
                sumImaginary[index] += im
                if index > 0, index < size / 2 {
                    sumReal[size - index] += re
                    sumImaginary[size - index] -= im
                }
            }
        }
        transform.forward(&sumReal, &sumImaginary)
        return Array(sumReal[0...2 * limit])
    }

    /// Returns the first frame of each of the loudest blocks.
    private static func loudestBlocks(_ samples: [Float]) -> [Int] {
        let starts = stride(from: 0, to: samples.count, by: blockSize).map { $0 }
        let energies = starts.map { energy(samples, $0..<min(samples.count, $0 + blockSize)) }
        return indicesFromLargest(energies).prefix(blockLimit).filter { energies[$0] > 0 }.map { starts[$0] }
    }
}
