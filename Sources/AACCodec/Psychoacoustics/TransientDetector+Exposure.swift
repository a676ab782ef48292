// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Pre-echo exposure: how far the flat noise of a window would rise above what the ear is deaf to just before and after a loud moment.
///
/// It needs no ratio of energies: a soft onset in silence is exposed, a pulse whose predecessor still masks is not.
extension TransientDetector {
    // MARK: Of a long window

    /// How much of a long window's noise would be heard around the loud moments of the newest window, in decibel steps.
    ///
    /// The newest window is the last two blocks. Its attacks count if they lie where short windows would separate them;
    /// earlier and later ones are for the neighbouring frames.
    /// - Parameters:
    ///   - noiseToSignal: The energy of quantisation noise in the window, relative to the signal's.
    ///   - followsShort: Whether the frame before has short windows, so that this one could begin where they end.
    func preEchoExposure(noiseToSignal: Float, followsShort: Bool = false) -> Float {
        var exposure: Float = 0
        let energies = energies.span
        let windowPower = followsShort ? Self.stopWindowPower : Self.windowPower
        for region in 0..<Self.regionCount {
            exposure += Self.regionExposure(region, energies, noiseToSignal: noiseToSignal, windowPower: windowPower.span)
        }
        return exposure
    }

    private static func regionExposure(
        _ region: Int, _ energies: Span<Float>, noiseToSignal: Float, windowPower: Span<Float>
    ) -> Float {
        let first = region * kept + kept - 2 * stepsPerBlock
        var windowed: Float = 0
        var loudest: Float = 0
        var softest = Float.infinity
        for step in 0..<separableSteps {
            windowed += energies[first + step] * windowPower[step]
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
        var masking = ForwardMasking()
        var exposure: Float = 0
        var pending: Float = 0
        for step in -stepsPerBlock..<separableSteps {
            let energy = energies[first + step]
            let decayed = masking.decay()
            if step >= 0 {
                let masked = max(max(decayed, backward.span[step]) * maskingRatio, quietEnergy)
                let heard = noise * windowPower[step] / masked
                if heard > 1 { pending += min(Float(PortableMath.decibelsPerOctave) * PortableMath.log2(heard), largestExposure) }
                if energy > max(attackRatio * decayed, attackShare * loudest) {
                    if isNovel(energy, energies, at: first + step) { exposure += pending }
                    pending = 0
                }
            }
            masking.rise(to: energy)
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

    /// The same of a window that rises like a short one: nothing up to sample 448, and in the next two steps the means of sin².
    private static let stopWindowPower: [25 of Float] = [
        0, 0, 0, 0, 0, 0, 0, 0.1817, 0.8183, 1, 1, 1, 1, 1, 1, 1,
        0.9976, 0.9785, 0.9410, 0.8865, 0.8172, 0.7357, 0.6451, 0.5490, 0.4510,
    ]

    /// What a peak already masks a step before: -18 dB.
    private static let backwardDecay: Float = 0.01585

    /// Noise this far below the masking envelope is not heard: -8 dB.
    private static let maskingRatio: Float = 0.158

    /// The energy of a step below which nothing is heard: 64 samples of amplitude 4 at 16 bits.
    private static let quietEnergy: Float = 1024

    /// No step counts more than 30 dB.
    private static let largestExposure: Float = 30

    // MARK: Of short windows

    /// How far the energy of each short window of the frame to be coded, spread as its noise will be, rises above what is heard in it
    /// at its softest moment, in octaves: 0 where the window is even or fades, much where an attack falls into its end.
    func onsetExposures() -> [8 of Float] {
        var exposures = [8 of Float](repeating: 0)
        let energies = energies.span
        for region in 0..<Self.regionCount {
            let first = region * Self.kept + Self.kept - 3 * Self.stepsPerBlock
            var masking = ForwardMasking()
            var heard = [32 of Float](repeating: 0)
            for step in -Self.stepsPerBlock..<Self.separableSteps {
                _ = masking.decay()
                masking.rise(to: energies[first + step])
                if step >= 0 { heard[step] = max(masking.level, Self.quietEnergy) }
            }
            for window in 0..<8 {
                let start = Self.firstShortStep + 2 * window
                guard Self.isOnset(energies, at: first + start) else { continue }
                let exposure = Self.onsetExposure(
                    energies.vector(at: first + start), heard: SIMD4(heard[start], heard[start + 1], heard[start + 2], heard[start + 3]))
                exposures[window] = max(exposures[window], exposure)
            }
        }
        return exposures
    }

    /// Whether a window of four steps is louder than all that was there in twelve steps before: pulses that follow each other faster,
    /// such as a voice's, hide each other's noise.
    private static func isOnset(_ energies: Span<Float>, at start: Int) -> Bool {
        let now = energies.vector(at: start)
        let earlier = energies.vector(at: start - 12).maximum(energies.vector(at: start - 8)).maximum(energies.vector(at: start - 4))
        return max(max(now[0], now[1]), max(now[2], now[3]))
            > novelty * max(max(earlier[0], earlier[1]), max(earlier[2], earlier[3]))
    }

    /// The exposure of a window of four steps, before the loudest of them.
    private static func onsetExposure(_ energies: SIMD4<Float>, heard: SIMD4<Float>) -> Float {
        let mean = (energies * shortWindowPower).laneSum * 0.25
        let spread = shortWindowPower * mean / heard
        var (loudest, largest) = (Float(0), Float(1))
        var softBefore: Float = 1
        for step in 0..<4 {
            softBefore = max(softBefore, spread[step])
            guard energies[step] > loudest else { continue }
            loudest = energies[step]
            largest = softBefore
        }
        return min(PortableMath.log2(largest), largestOnset)
    }

    /// The step at which the first short window begins, and the power of each of its four steps, relative to their mean.
    private static let firstShortStep = 7
    private static let shortWindowPower = SIMD4<Float>(0.3634, 1.6366, 1.6366, 0.3634)

    /// No window is exposed by more octaves.
    private static let largestOnset: Float = 8
}

/// What a peak masks after itself, step by step: it falls fast at first, then slowly.
private struct ForwardMasking {
    /// The energy below which nothing is heard.
    private(set) var level: Float = 0
    private var stepsSincePeak = 0

    /// Goes on to the next step; returns what is left of the peaks before it.
    mutating func decay() -> Float {
        level *= stepsSincePeak < Self.fastSteps ? Self.fastDecay : Self.slowDecay
        return level
    }

    /// Takes in the energy of that step.
    mutating func rise(to energy: Float) {
        stepsSincePeak = energy >= level ? 0 : stepsSincePeak + 1
        level = max(energy, level)
    }

    /// What a peak still masks a step later, for the first steps and then: -8.9 and -1.1 dB.
    private static let fastDecay: Float = 0.1288
    private static let slowDecay: Float = 0.7762
    private static let fastSteps = 4
}
