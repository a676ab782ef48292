// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// A decimator by two for one channel, with a 63-tap half-band filter.
///
/// The passband ends at 0.22 of the input sample rate. Attenuation is 6 dB at 0.25, and at least 70 dB from 0.28.
package struct HalfBandDecimator: ~Copyable {
    /// The delay, in input samples.
    package static let delay = 30

    /// Odd samples: history, then a block.
    private var oddSamples: FixedArray<Float>
    /// Even samples: history, then a block.
    private var evenSamples: FixedArray<Float>
    /// The number of output samples per block.
    private let blockLength: Int

    /// The number of nonzero taps on either side of the centre.
    private static let tapCount = 16
    private static let oddHistoryCount = 32
    private static let evenHistoryCount = 16

    /// Creates a filter with zeroed history.
    ///
    /// - Parameter blockLength: The number of output samples per block, a multiple of four.
    package init(blockLength: Int) {
        self.blockLength = blockLength
        oddSamples = FixedArray(repeating: 0, count: Self.oddHistoryCount + blockLength)
        evenSamples = FixedArray(repeating: 0, count: Self.evenHistoryCount + blockLength)
    }

    /// Decimates twice the block length to one block.
    package mutating func decimate(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
        var newEvens = evenSamples.mutableSpan
        var newOdds = oddSamples.mutableSpan
        // All accesses are within these bounds.
        precondition(
            newOdds.count == Self.oddHistoryCount &+ blockLength && newEvens.count == Self.evenHistoryCount &+ blockLength
                && input.count >= 2 &* blockLength && blockLength & 3 == 0)
        for index in stride(from: 0, to: blockLength, by: 4) {
            let (a, b) = unsafe (input.vector(unchecked: 2 &* index), input.vector(unchecked: 2 &* index &+ 4))
            unsafe newEvens.store(SIMD4(a.x, a.z, b.x, b.z), unchecked: Self.evenHistoryCount &+ index)
            unsafe newOdds.store(SIMD4(a.y, a.w, b.y, b.w), unchecked: Self.oddHistoryCount &+ index)
        }
        filter(into: &output)
        oddSamples.copy(blockLength..<blockLength + Self.oddHistoryCount, to: 0)
        evenSamples.copy(blockLength..<blockLength + Self.evenHistoryCount, to: 0)
    }

    /// Filters the samples of a block.
    private func filter(into output: inout MutableSpan<Float>) {
        let (odd, even) = (oddSamples.span, evenSamples.span)
        let taps = Self.taps.span.extracting(0..<Self.tapCount)
        let half = SIMD4<Float>(repeating: 0.5)
        // All accesses are within these bounds.
        precondition(
            odd.count == Self.oddHistoryCount &+ blockLength && even.count == Self.evenHistoryCount &+ blockLength
                && output.count >= blockLength
                && blockLength & 3 == 0)
        for index in stride(from: 0, to: blockLength, by: 4) {
            // All samples that the taps reach.
            let near = unsafe odd.extracting(unchecked: index &+ 1..<index &+ 36)
            // The centre tap is at the even sample 15 back, with odd samples on either side.
            var sum = unsafe even.vector(unchecked: index &+ Self.evenHistoryCount &- 15) * half
            // Unrolled by hand: the compiler generates a loop of two taps, with a quarter of its time spent on counters.
            for first in stride(from: 0, to: Self.tapCount, by: 8) {
                Self.add(first, near, taps, to: &sum)
                Self.add(first &+ 1, near, taps, to: &sum)
                Self.add(first &+ 2, near, taps, to: &sum)
                Self.add(first &+ 3, near, taps, to: &sum)
                Self.add(first &+ 4, near, taps, to: &sum)
                Self.add(first &+ 5, near, taps, to: &sum)
                Self.add(first &+ 6, near, taps, to: &sum)
                Self.add(first &+ 7, near, taps, to: &sum)
            }
            unsafe output.store(sum, unchecked: index)
        }
    }

    /// Adds the two samples of a tap.
    @inline(__always)
    private static func add(_ tap: Int, _ near: Span<Float>, _ taps: Span<SIMD4<Float>>, to sum: inout SIMD4<Float>) {
        let before = unsafe near.vector(unchecked: tapCount &- 1 &- tap)
        let after = unsafe near.vector(unchecked: tapCount &+ tap)
        sum += (before + after) * taps[tap]
    }

    /// The taps at odd distances 1 to 31 from the centre: sin(πn/2)/(πn) with a Kaiser window (β = 6.8).
    private static let taps: ContiguousArray<SIMD4<Float>> = {
        var sum = 0.0
        var values = [Double](repeating: 0, count: tapCount)
        for tap in 0..<tapCount {
            let distance = Double(2 * tap + 1)
            let position = distance / 32
            let window = CircularFunctions.besselI0(6.8 * (1 - position * position).squareRoot()) / CircularFunctions.besselI0(6.8)
            values[tap] = (tap % 2 == 0 ? window : -window) / (Double.pi * distance)
            sum += values[tap]
        }
        // Normalized to a DC gain of exactly one.
        return ContiguousArray(values.map { SIMD4(repeating: Float($0 * 0.25 / sum)) })
    }()
}
