// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Envelopes of a channel in three frequency regions, in steps of 64 samples; what they say of noise before attacks stands in
/// `TransientDetector+Exposure.swift`.
struct TransientDetector {
    /// Samples a step.
    static let step = 64

    /// Steps of a block of 1024 samples.
    static let stepsPerBlock = 16

    /// Frequency regions: all, middle, high.
    static let regionCount = 3

    /// Steps kept: the blocks of one long window, the block before, and the look-ahead.
    static let kept = 64

    /// Energy of each region and step, the newest block last; region after region.
    private(set) var energies = [192 of Float](repeating: 0)

    /// Moves one block on: `samples` are the last four of the block before, and its 1024.
    mutating func append(_ samples: Span<Float>) {
        precondition(samples.count == Self.step * Self.stepsPerBlock + 4)
        var energies = energies.mutableSpan
        for region in 0..<Self.regionCount {
            let first = region * Self.kept
            for step in stride(from: first, to: first + Self.kept - Self.stepsPerBlock, by: 4) {
                energies.store(energies.vector(at: step + Self.stepsPerBlock), at: step)
            }
        }
        for step in stride(from: 0, to: Self.stepsPerBlock, by: 4) {
            let four = (
                Self.energies(samples, step: step), Self.energies(samples, step: step + 1), Self.energies(samples, step: step + 2),
                Self.energies(samples, step: step + 3)
            )
            let place = Self.kept - Self.stepsPerBlock + step
            energies.store(Self.totals(four.0.all, four.1.all, four.2.all, four.3.all), at: place)
            energies.store(Self.totals(four.0.middle, four.1.middle, four.2.middle, four.3.middle), at: Self.kept + place)
            energies.store(Self.totals(four.0.high, four.1.high, four.2.high, four.3.high), at: 2 * Self.kept + place)
        }
    }

    /// The energies of a step in each region, still in four lanes.
    private static func energies(
        _ samples: Span<Float>, step: Int
    ) -> (all: SIMD4<Float>, middle: SIMD4<Float>, high: SIMD4<Float>) {
        let samples = samples.extracting(step * Self.step..<(step + 1) * Self.step + 4)
        var all = SIMD4<Float>(repeating: 0)
        var (middle, high) = (all, all)
        var place = 0
        while place < Self.step {
            // Not beyond the span: its length is that of a step and four more.
            let now = unsafe samples.vector(unchecked: place &+ 4)
            let oneBefore = unsafe samples.vector(unchecked: place &+ 3)
            let twoBefore = unsafe samples.vector(unchecked: place &+ 2)
            let second = now - oneBefore - (oneBefore - twoBefore)
            let spaced = unsafe now - samples.vector(unchecked: place)
            all += now * now
            middle += spaced * spaced
            high += second * second
            place &+= 4
        }
        return (all, middle, high)
    }

    /// The sums of four vectors' lanes.
    @inline(__always)
    private static func totals(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>) -> SIMD4<Float> {
        let lanes = SIMD4<Float>.transposed(a, b, c, d)
        return (lanes.0 + lanes.1) + (lanes.2 + lanes.3)
    }

    /// How even the level of the treble is over the window to be coded, two blocks before the look-ahead: the geometric mean of its
    /// steps over the arithmetic one.
    var trebleEvenness: Float { evenness(2) }

    /// Whether the level is so even in each region above the bass that shaping noise in time has nothing to gain.
    var isEven: Bool { evenness(1) > Self.evennessOfSteadySound && evenness(2) > Self.evennessOfSteadySound }

    private static let evennessOfSteadySound: Float = 0.7

    private func evenness(_ region: Int) -> Float {
        let energies = energies.span
        var sum = SIMD4<Float>(repeating: 0)
        var logSum = sum
        let steps = 2 * Self.stepsPerBlock
        let first = (region + 1) * Self.kept - 3 * Self.stepsPerBlock
        for step in stride(from: first, to: first + steps, by: 4) {
            let energy = energies.vector(at: step) + SIMD4(repeating: 1)
            sum += energy
            logSum += PortableMath.log2(energy)
        }
        return PortableMath.exp2(logSum.laneSum / Float(steps)) / (sum.laneSum / Float(steps))
    }
}
