// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Interpolates a signal at four times its sample rate to find peaks between samples (ITU-R BS.1770, annex 2).
package struct PeakInterpolator {
    /// The number of samples on each side of a point that contribute to it.
    package static let halfLength = 12
    private static let factor = 4
    /// The shape parameter of the Kaiser window.
    private static let beta = 6.0

    /// The coefficients of the points at 1/4, 1/2 and 3/4 of a sample interval.
    private let phases: [(SIMD8<Float>, SIMD8<Float>, SIMD8<Float>)]
    /// The maximum amplitude of a point if no sample exceeds 1.
    let maximumGain: Float

    /// Computes the coefficients.
    package init() {
        let taps: [[Float]] = (1..<Self.factor).map { phase in
            let offset = Double(phase) / Double(Self.factor)
            let taps = (0..<2 * Self.halfLength).map { tap in
                let distance = Double(tap - Self.halfLength + 1) - offset
                let shape = 1 - (distance / Double(Self.halfLength)) * (distance / Double(Self.halfLength))
                let window = Self.bessel(Self.beta * max(0, shape).squareRoot()) / Self.bessel(Self.beta)
                return window * sin(Double.pi * distance) / (Double.pi * distance)
            }
            // Normalizes the gain at 0 Hz to exactly 1.
            let sum = taps.reduce(0, +)
            return taps.map { Float($0 / sum) }
        }
        maximumGain = taps.map { $0.reduce(0) { $0 + abs($1) } }.max() ?? 1
        phases = taps.map { (SIMD8($0[0..<8]), SIMD8($0[8..<16]), SIMD8($0[16..<24])) }
    }

    /// Returns the true peak of a range of samples, or `limit` if that is larger.
    ///
    /// Skips parts that cannot exceed `limit`.
    ///
    /// - Parameters:
    ///   - samples: The signal, with at least ``halfLength`` samples on each side of the range.
    ///   - limit: An amplitude.
    package func truePeak(_ samples: [Float], _ range: Range<Int>, above limit: Float) -> Float {
        var largest = limit
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.partLength) {
            largest = max(largest, peak(samples, start..<min(range.upperBound, start + Self.partLength), above: largest))
        }
        return largest
    }

    /// The granularity of skipping, in samples.
    private static let partLength = 64

    /// Returns the maximum amplitude of a range of samples and of the points up to the sample after the range.
    ///
    /// - Parameters:
    ///   - samples: The signal, with at least ``halfLength`` samples on each side of the range.
    ///   - limit: An amplitude. Smaller peaks need not be exact.
    package func peak(_ samples: [Float], _ range: Range<Int>, above limit: Float) -> Float {
        let largest = Self.amplitude(samples, range.lowerBound - Self.halfLength..<range.upperBound + Self.halfLength)
        guard largest * maximumGain > limit else { return largest }
        var peak: Float = 0
        samples.withUnsafeBytes { bytes in
            func eight(_ index: Int) -> SIMD8<Float> { bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Float>.self) }
            for index in range {
                peak = max(peak, abs(samples[index]))
                let start = index - Self.halfLength + 1
                let (first, second, third) = (eight(start), eight(start + 8), eight(start + 16))
                for taps in phases { peak = max(peak, abs((taps.0 * first + taps.1 * second + taps.2 * third).sum())) }
            }
        }
        return max(peak, abs(samples[range.upperBound]))
    }

    /// Returns the maximum amplitude of a range of samples; infinity if one is not finite.
    static func amplitude(_ samples: [Float], _ range: Range<Int>) -> Float {
        precondition(range.lowerBound >= 0 && range.upperBound <= samples.count)
        return samples.withUnsafeBytes { bytes in
            var (lowest, highest, invalid) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
            let end = range.lowerBound + range.count / 8 * 8
            for index in stride(from: range.lowerBound, to: end, by: 8) {
                let eight = bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Float>.self)
                lowest.replace(with: eight, where: eight .< lowest)
                highest.replace(with: eight, where: eight .> highest)
                // A finite number minus itself is 0; NaN otherwise.
                invalid += eight - eight
            }
            var largest = max(highest.max(), -lowest.min())
            var sum = invalid.sum()
            for sample in samples[end..<range.upperBound] {
                largest = max(largest, abs(sample))
                sum += sample - sample
            }
            return sum == 0 ? largest : .infinity
        }
    }

    /// The modified Bessel function of the first kind, order 0.
    private static func bessel(_ x: Double) -> Double {
        var (term, sum) = (1.0, 1.0)
        for index in 1...40 {
            term *= (x / 2 / Double(index)) * (x / 2 / Double(index))
            sum += term
        }
        return sum
    }
}
