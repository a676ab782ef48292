// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Measures the temporal envelopes of a channel in three frequency regions, in steps of a sixteenth of a block.
///
/// `TransientDetector+Exposure.swift` derives from them the pre-echo that a window would have.
package struct TransientDetector: ~Copyable {
    /// The samples in a step: 64 in a block of 1024.
    let step: Int

    /// The samples of a step that are measured: ``step`` rounded up to a multiple of four, from as many before it on.
    private let measuredLength: Int

    /// The samples before a block that are needed to measure it.
    package var lead: Int { 4 + measuredLength - step }

    /// The energy of a step that is just audible in quiet, Q: samples of amplitude 4 at 16 bits.
    let quietEnergy: Float

    /// The steps in a block.
    static let stepsPerBlock = 16

    /// The number of frequency regions: all, without the bass, and treble.
    static let regionCount = 3

    /// The number of steps kept: the two blocks of a long window, the block before it, and the look-ahead.
    static let kept = 64

    /// The energy of each region and step, region after region, with the newest step last.
    package private(set) var energies = FixedArray<Float>(repeating: 0, count: regionCount * kept)

    /// The forward masking of each step of a window by the steps before it.
    var masking = FixedArray<Float>(repeating: 0, count: 2 * stepsPerBlock)

    /// The ratio of the noise of each step of a window to what is masked in it.
    var audibleNoise = FixedArray<Float>(repeating: 0, count: 2 * stepsPerBlock)

    /// Makes a detector after silence.
    ///
    /// - Parameter blockLength: The samples in a block, a multiple of 16.
    package init(blockLength: Int) {
        precondition(blockLength % Self.stepsPerBlock == 0)
        step = blockLength / Self.stepsPerBlock
        measuredLength = (step + 3) & ~3
        quietEnergy = Float(16 * step)
    }

    /// Replaces all energies by silence.
    package mutating func reset() { energies.fill(0) }

    /// Appends the energies of one block, and discards those of the oldest.
    ///
    /// - Parameter samples: The last ``lead`` samples of the block before, and those of the block.
    package mutating func append(_ samples: Span<Float>) {
        var energies = energies.mutableSpan(first: Self.regionCount * Self.kept)
        for region in 0..<Self.regionCount {
            let first = region * Self.kept
            for step in stride(from: first, to: first + Self.kept - Self.stepsPerBlock, by: 4) {
                energies.store(energies.vector(at: step + Self.stepsPerBlock), at: step)
            }
        }
        measure(samples)
    }

    /// Replaces the energies of the newest block.
    ///
    /// - Parameter samples: The last ``lead`` samples of the block before, and those of the block.
    package mutating func replaceNewest(_ samples: Span<Float>) { measure(samples) }

    /// Measures the newest block.
    private mutating func measure(_ samples: Span<Float>) {
        precondition(samples.count == step * Self.stepsPerBlock + lead)
        let (hop, length) = (step, measuredLength)
        var energies = energies.mutableSpan(first: Self.regionCount * Self.kept)
        for step in stride(from: 0, to: Self.stepsPerBlock, by: 4) {
            let first = step * hop
            let four = (
                Self.energies(samples, at: first, length: length), Self.energies(samples, at: first + hop, length: length),
                Self.energies(samples, at: first + 2 * hop, length: length),
                Self.energies(samples, at: first + 3 * hop, length: length)
            )
            let index = Self.kept - Self.stepsPerBlock + step
            energies.store(Self.totals(four.0.all, four.1.all, four.2.all, four.3.all), at: index)
            energies.store(Self.totals(four.0.middle, four.1.middle, four.2.middle, four.3.middle), at: Self.kept + index)
            energies.store(Self.totals(four.0.high, four.1.high, four.2.high, four.3.high), at: 2 * Self.kept + index)
        }
    }

    /// Returns the energies of a step in each region, as sums over every fourth sample.
    ///
    /// The regions are those of the filters 1, 1 - z⁻⁴ and (1 - z⁻¹)².
    private static func energies(
        _ samples: Span<Float>, at start: Int, length: Int
    ) -> (all: SIMD4<Float>, middle: SIMD4<Float>, high: SIMD4<Float>) {
        let samples = samples.extracting(start..<start + length + 4)
        var all = SIMD4<Float>(repeating: 0)
        var (middle, high) = (all, all)
        var index = 0
        while index < length {
            // Within the span, whose length is that of a step, a multiple of four, and four more.
            let now = unsafe samples.vector(unchecked: index &+ 4)
            let oneBefore = unsafe samples.vector(unchecked: index &+ 3)
            let twoBefore = unsafe samples.vector(unchecked: index &+ 2)
            let second = now - oneBefore - (oneBefore - twoBefore)
            let spaced = unsafe now - samples.vector(unchecked: index)
            all += now * now
            middle += spaced * spaced
            high += second * second
            index &+= 4
        }
        return (all, middle, high)
    }

    /// Returns the sums of the lanes of four vectors.
    private static func totals(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>) -> SIMD4<Float> {
        let lanes = SIMD4<Float>.transposed(a, b, c, d)
        return (lanes.0 + lanes.1) + (lanes.2 + lanes.3)
    }

    /// The temporal flatness of the treble over the current window: the geometric mean of the energies of its steps over the arithmetic one.
    ///
    /// The current window is that of the frame to be coded, whose two blocks precede the look-ahead.
    package var trebleEvenness: Float {
        let energies = energies.span
        var sum = SIMD4<Float>(repeating: 0)
        var logSum = sum
        let steps = 2 * Self.stepsPerBlock
        let first = 3 * Self.kept - 3 * Self.stepsPerBlock
        for step in stride(from: first, to: first + steps, by: 4) {
            let energy = energies.vector(at: step) + SIMD4(repeating: 1)
            sum += energy
            logSum += PortableMath.log2(energy)
        }
        return PortableMath.exp2(logSum.laneSum / Float(steps)) / (sum.laneSum / Float(steps))
    }
}
