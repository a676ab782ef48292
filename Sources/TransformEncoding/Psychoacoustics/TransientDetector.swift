// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Measures the temporal envelopes of a channel in three frequency regions, in steps of 1/16 block.
///
/// `TransientDetector+PreEchoExcess.swift` derives a window's pre-echo from them.
package struct TransientDetector: ~Copyable {
    /// The number of samples per step: 64 with blocks of 1024.
    let step: Int

    /// The number of measured samples per step: ``step`` rounded up to a multiple of four.
    ///
    /// The extra samples precede the step.
    private let measuredLength: Int

    /// The number of samples before a block that its measurement needs.
    package var lead: Int { 4 + measuredLength - step }

    /// The threshold in quiet Q, as energy per step: samples of amplitude 4 at 16 bits.
    let quietEnergy: Float

    static let stepsPerBlock = 16

    /// The number of frequency regions: full band, without low frequencies, and high frequencies.
    static let regionCount = 3

    /// The number of retained steps: both blocks of a long window, the previous block and the look-ahead.
    static let retainedCount = 64

    /// The energy of each region and step, region after region, newest step last.
    package private(set) var energies = FixedArray<Float>(repeating: 0, count: regionCount * retainedCount)

    /// The forward masking of each step of a window by previous steps.
    var masking = FixedArray<Float>(repeating: 0, count: 2 * stepsPerBlock)

    /// The ratio of noise to masked energy in each step of a window.
    var audibleNoise = FixedArray<Float>(repeating: 0, count: 2 * stepsPerBlock)

    /// Creates a detector with silent history.
    ///
    /// - Parameter blockLength: The number of samples per block, a multiple of 16.
    package init(blockLength: Int) {
        precondition(blockLength % Self.stepsPerBlock == 0)
        step = blockLength / Self.stepsPerBlock
        measuredLength = (step + 3) & ~3
        quietEnergy = Float(16 * step)
    }

    package mutating func reset() { energies.fill(0) }

    /// Appends the energies of one block and discards the oldest block.
    ///
    /// - Parameter samples: The last ``lead`` samples of the previous block, then the block.
    package mutating func append(_ samples: Span<Float>) {
        var energies = energies.mutableSpan(first: Self.regionCount * Self.retainedCount)
        for region in 0..<Self.regionCount {
            let first = region * Self.retainedCount
            for step in stride(from: first, to: first + Self.retainedCount - Self.stepsPerBlock, by: 4) {
                energies.store(energies.vector(at: step + Self.stepsPerBlock), at: step)
            }
        }
        replaceNewest(samples)
    }

    /// Replaces the energies of the newest block.
    ///
    /// - Parameter samples: The last ``lead`` samples of the previous block, then the block.
    package mutating func replaceNewest(_ samples: Span<Float>) {
        precondition(samples.count == step * Self.stepsPerBlock + lead)
        let (hop, length) = (step, measuredLength)
        var energies = energies.mutableSpan(first: Self.regionCount * Self.retainedCount)
        for step in stride(from: 0, to: Self.stepsPerBlock, by: 4) {
            let first = step * hop
            let four = (
                Self.energies(samples, at: first, length: length), Self.energies(samples, at: first + hop, length: length),
                Self.energies(samples, at: first + 2 * hop, length: length),
                Self.energies(samples, at: first + 3 * hop, length: length)
            )
            let index = Self.retainedCount - Self.stepsPerBlock + step
            energies.store(Self.totals(four.0.all, four.1.all, four.2.all, four.3.all), at: index)
            energies.store(Self.totals(four.0.mid, four.1.mid, four.2.mid, four.3.mid), at: Self.retainedCount + index)
            energies.store(Self.totals(four.0.high, four.1.high, four.2.high, four.3.high), at: 2 * Self.retainedCount + index)
        }
    }

    /// Returns the energies of a step in each region, summed over every fourth sample.
    ///
    /// The filters of the regions are 1, 1 - z⁻⁴ and (1 - z⁻¹)².
    private static func energies(
        _ samples: Span<Float>, at start: Int, length: Int
    ) -> (all: SIMD4<Float>, mid: SIMD4<Float>, high: SIMD4<Float>) {
        let samples = samples.extracting(start..<start + length + 4)
        var all = SIMD4<Float>(repeating: 0)
        var (mid, high) = (all, all)
        var index = 0
        while index < length {
            // Within the span, whose count is `length`, a multiple of four, plus four.
            let now = unsafe samples.vector(unchecked: index &+ 4)
            let oneBefore = unsafe samples.vector(unchecked: index &+ 3)
            let twoBefore = unsafe samples.vector(unchecked: index &+ 2)
            let second = now - oneBefore - (oneBefore - twoBefore)
            let spaced = unsafe now - samples.vector(unchecked: index)
            all += now * now
            mid += spaced * spaced
            high += second * second
            index &+= 4
        }
        return (all, mid, high)
    }

    /// Returns the lane sums of four vectors.
    private static func totals(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>) -> SIMD4<Float> {
        let lanes = SIMD4<Float>.transposed(a, b, c, d)
        return (lanes.0 + lanes.1) + (lanes.2 + lanes.3)
    }

    /// The temporal flatness of the high frequencies over the current window: the geometric mean of step energies over the arithmetic mean.
    ///
    /// The current window belongs to the next frame to encode. Its two blocks precede the look-ahead.
    package var highFrequencyFlatness: Float {
        let energies = energies.span
        var sum = SIMD4<Float>(repeating: 0)
        var logSum = sum
        let steps = 2 * Self.stepsPerBlock
        let first = 3 * Self.retainedCount - 3 * Self.stepsPerBlock
        for step in stride(from: first, to: first + steps, by: 4) {
            let energy = energies.vector(at: step) + SIMD4(repeating: 1)
            sum += energy
            logSum += PortableMath.log2(energy)
        }
        return PortableMath.exp2(logSum.laneSum / Float(steps)) / (sum.laneSum / Float(steps))
    }
}
