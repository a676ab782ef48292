// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Envelopes of a channel in three frequency regions, in steps of 64 samples, and the attacks found in them.
///
/// The statistic is pre-echo exposure: how far the flat noise of a long window would rise above what the ear is deaf to
/// just before and after a loud moment. It needs no ratio of energies: a soft onset in silence is exposed, a pulse whose
/// predecessor still masks is not.
struct TransientDetector {
    /// Samples a step.
    static let step = 64

    /// Steps of a block of 1024 samples.
    static let stepsPerBlock = 16

    /// Frequency regions: all, middle, high.
    static let regionCount = 3

    /// Steps kept: the blocks of one long window, the block before, and the look-ahead.
    private static let kept = 64

    /// Energy of each region and step, the newest block last; region after region.
    private var energies = [192 of Float](repeating: 0)

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

    /// How much of a long window's noise would be heard around the loud moments of the newest window, in decibel steps.
    ///
    /// The newest window is the last two blocks. Its attacks count if they lie where short windows would separate them;
    /// earlier and later ones are for the neighbouring frames.
    /// - Parameter noiseToSignal: The energy of quantisation noise in the window, relative to the signal's.
    func preEchoExposure(noiseToSignal: Float) -> Float {
        var exposure: Float = 0
        let energies = energies.span
        for region in 0..<Self.regionCount {
            exposure += Self.regionExposure(region, energies, noiseToSignal: noiseToSignal)
        }
        return exposure
    }

    private static func regionExposure(_ region: Int, _ energies: Span<Float>, noiseToSignal: Float) -> Float {
        let first = region * kept + kept - 2 * stepsPerBlock
        let windowPower = Self.windowPower
        var windowed: Float = 0
        var loudest: Float = 0
        var softest = Float.infinity
        for step in 0..<separableSteps {
            windowed += energies[first + step] * windowPower.span[step]
            loudest = max(loudest, energies[first + step])
            softest = min(softest, energies[first + step])
        }
        let noise = windowed * noiseToSignal * meanNoiseShare
        // Each step masks at least what lies that far below itself.
        guard noise > max(softest * maskingRatio, quietEnergy) else { return 0 }
        var backward = [32 of Float](repeating: 0)
        var next: Float = 0
        for step in stride(from: separableSteps - 1, through: 0, by: -1) {
            next = max(energies[first + step], next * backwardDecay)
            backward[step] = next
        }
        var forward: Float = 0
        var sincePeak = 0
        var exposure: Float = 0
        var pending: Float = 0
        for step in -stepsPerBlock..<separableSteps {
            let energy = energies[first + step]
            let decayed = forward * (sincePeak < fastDecaySteps ? fastDecay : slowDecay)
            if step >= 0 {
                let masked = max(max(decayed, backward.span[step]) * maskingRatio, quietEnergy)
                let heard = noise * windowPower.span[step] / masked
                if heard > 1 { pending += min(Float(PortableMath.decibelsPerOctave) * PortableMath.log2(heard), largestExposure) }
                if energy > max(attackRatio * decayed, attackShare * loudest) {
                    if isNovel(energy, energies, at: first + step) { exposure += pending }
                    pending = 0
                }
            }
            sincePeak = energy >= decayed ? 0 : sincePeak + 1
            forward = max(energy, decayed)
        }
        return exposure + pending
    }

    /// Whether an attack is louder than what was there shortly before: the pulses of a voice or a string are not, and long windows
    /// with their fine lines code those best.
    private static func isNovel(_ energy: Float, _ energies: Span<Float>, at place: Int) -> Bool {
        var loudest: Float = 0
        for earlier in place - longestPeriod...place - shortestPeriod { loudest = max(loudest, energies[earlier]) }
        return energy > novelty * loudest
    }

    /// Steps back in which an attack may have its like, and how much louder it has to be.
    private static let shortestPeriod = 3
    private static let longestPeriod = 6
    private static let novelty: Float = 1.25

    /// What is above the decay of earlier sound by so much, and not softer than the loudest moment by more, is an attack.
    private static let attackRatio: Float = 2
    private static let attackShare: Float = 0.25

    /// Steps from the start of a window to the end of its short windows.
    private static let separableSteps = 25

    /// The share of noise in a step, for a window that is even over its 32 steps and weighted by the synthesis window.
    private static let meanNoiseShare: Float = 1 / 16

    /// The power of a sine window at each step: sin²(π (step + 1/2) / 32).
    private static let windowPower: [25 of Float] = [
        0.0024, 0.0215, 0.0590, 0.1135, 0.1828, 0.2643, 0.3549, 0.4510, 0.5490, 0.6451, 0.7357, 0.8172, 0.8865, 0.9410, 0.9785,
        0.9976, 0.9976, 0.9785, 0.9410, 0.8865, 0.8172, 0.7357, 0.6451, 0.5490, 0.4510,
    ]

    /// What a peak still masks a step later, for the first steps and then: -8.9 and -1.1 dB.
    private static let fastDecay: Float = 0.1288
    private static let slowDecay: Float = 0.7762
    private static let fastDecaySteps = 4

    /// What a peak already masks a step before: -18 dB.
    private static let backwardDecay: Float = 0.01585

    /// Noise this far below the masking envelope is not heard: -8 dB.
    private static let maskingRatio: Float = 0.158

    /// The energy of a step below which nothing is heard: 64 samples of amplitude 4 at 16 bits.
    private static let quietEnergy: Float = 1024

    /// No step counts more than 30 dB.
    private static let largestExposure: Float = 30
}
