// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Pre-echo exposure: the audibility of a window's quantisation noise, which is spread evenly over time, around attacks.
///
/// Noise is compared with the temporal masking at each step, not attacks with what precedes them. So a soft onset in silence is exposed,
/// and a pulse that the pulse before it still masks is not.
extension TransientDetector {
    // MARK: Long windows

    /// The exposure of a long window, in decibels summed over steps and regions.
    package struct Exposure {
        /// The exposure before all novel attacks, and after the last one.
        package var total: Float

        /// The exposure before isolated attacks, which no similar pulse precedes.
        package var isolated: Float

        /// Makes an exposure of both amounts.
        package init(total: Float, isolated: Float) {
            self.total = total
            self.isolated = isolated
        }
    }

    /// Returns the exposure of a long window over the newest two blocks.
    ///
    /// Only attacks count that short windows would separate from the noise; earlier and later ones are left to the neighbouring frames.
    ///
    /// - Parameter followsShort: Whether the frame before has short windows, so that this one would rise as steeply as a short window.
    package mutating func preEchoExposure(followsShort: Bool = false) -> Exposure {
        var exposure = Exposure(total: 0, isolated: 0)
        let windowPower = followsShort ? Self.stopWindowPower : Self.windowPower
        for region in 0..<Self.regionCount { addExposure(of: region, windowPower: windowPower.span, to: &exposure) }
        return exposure
    }

    /// Adds the exposure of a long window in one frequency region.
    ///
    /// With the energies e[n] of the steps, the power w[n] of the window, and the ratio of noise to signal κ (``noiseToSignal``), the noise of
    /// a step is
    ///
    ///     N[n] = κ/16 · w[n] · Σ e[i] w[i]
    ///
    /// since the window's power sums to 16 over its 32 steps. The energy that is masked in a step is
    ///
    ///     M[n] = max(ρ · max(F[n], B[n]), Q)
    ///
    /// with forward masking F[n] by the steps before (``ForwardMasking``), backward masking B[n] = max(e[n], δ · B[n+1]), masking ratio ρ
    /// (``maskingRatio``) and threshold in quiet Q (``quietEnergy``). A step is exposed by
    ///
    ///     X[n] = min(10 log10(N[n] / M[n]), 30)   where N[n] > M[n], else 0
    ///
    /// The total is the sum of X[n] over the steps that precede a novel attack, and those after the last attack. Steps that precede an
    /// attack that is not novel (``isNovel(_:_:at:)``) don't count. The isolated part is that before attacks which are isolated as well
    /// (``isIsolated(_:_:at:)``).
    private mutating func addExposure(of region: Int, windowPower: Span<Float>, to exposure: inout Exposure) {
        let first = region * Self.kept + Self.kept - 2 * Self.stepsPerBlock
        let energies = energies.span(first: Self.regionCount * Self.kept)
        let steps = energies.extracting(first..<first + 2 * Self.stepsPerBlock)
        var windowed = SIMD4<Float>(repeating: 0)
        var loudest = windowed
        var softest = SIMD4<Float>(repeating: .infinity)
        for step in stride(from: 0, to: Self.separableSteps - 1, by: 4) {
            let energies = steps.vector(at: step)
            windowed += energies * windowPower.vector(at: step)
            loudest = loudest.maximum(energies)
            softest = softest.minimum(energies)
        }
        let windowPower = windowPower.extracting(0..<Self.separableSteps + 3)
        let last = steps[Self.separableSteps - 1]
        let noise = (windowed.laneSum + last * windowPower[Self.separableSteps - 1]) * Self.noiseToSignal * Self.meanNoiseShare
        // Each step masks at least the noise that is `maskingRatio` below its own energy.
        guard noise > max(min(softest.least, last) * Self.maskingRatio, quietEnergy) else { return }
        do {
            var levels = masking.mutableSpan(first: 2 * Self.stepsPerBlock)
            Self.measureForwardMasking(energies, first: first, into: &levels)
            var ratios = audibleNoise.mutableSpan(first: 2 * Self.stepsPerBlock)
            Self.measureAudibleNoise(
                steps, noise: noise, windowPower: windowPower, decayed: levels.span, quietEnergy: quietEnergy, into: &ratios)
        }
        let (decayed, audible) = (masking.span(first: 2 * Self.stepsPerBlock), audibleNoise.span(first: 2 * Self.stepsPerBlock))
        let attack = loudest.most.maximum(last) * Self.attackShare
        // The exposure of the steps since the latest attack, which counts only if the next attack is novel.
        var pending: Float = 0
        for step in 0..<Self.separableSteps {
            let energy = steps[step]
            if audible[step] > 1 {
                pending += min(Float(PortableMath.decibelsPerOctave) * PortableMath.log2(audible[step]), Self.largestExposure)
            }
            if energy > (Self.attackRatio * decayed[step]).maximum(attack) {
                if Self.isNovel(energy, energies, at: first + step) { exposure.total += pending }
                if Self.isIsolated(energy, energies, at: first + step) { exposure.isolated += pending }
                pending = 0
            }
        }
        exposure.total += pending
    }

    /// Computes the forward masking of each step by the steps before it, F[n].
    private static func measureForwardMasking(_ energies: Span<Float>, first: Int, into levels: inout MutableSpan<Float>) {
        var masking = ForwardMasking()
        for index in first - stepsPerBlock..<first {
            _ = masking.decay()
            masking.rise(to: energies[index])
        }
        for step in 0..<separableSteps {
            levels[step] = masking.decay()
            masking.rise(to: energies[first + step])
        }
    }

    /// Computes the ratio of the noise of each step to what is masked in it, N[n] / M[n].
    private static func measureAudibleNoise(
        _ steps: Span<Float>, noise: Float, windowPower: Span<Float>, decayed: Span<Float>, quietEnergy: Float,
        into ratios: inout MutableSpan<Float>
    ) {
        // First the backward masking, B[n] = max(e[n], δ · B[n+1]).
        var next: Float = 0
        for step in stride(from: separableSteps - 1, through: 0, by: -1) {
            next = steps[step].maximum(next * backwardDecay)
            ratios[step] = next
        }
        for step in stride(from: 0, to: separableSteps, by: 4) {
            let masked = (decayed.vector(at: step).maximum(ratios.vector(at: step)) * maskingRatio).maximum(SIMD4(repeating: quietEnergy))
            ratios.store(windowPower.vector(at: step) * noise / masked, at: step)
        }
    }

    /// Returns whether an attack is louder than the steps one pulse period before it.
    ///
    /// The periodic pulses of a voice or a string are not novel: long windows with their fine frequency resolution code those best.
    private static func isNovel(_ energy: Float, _ energies: Span<Float>, at index: Int) -> Bool {
        energy > novelty * energies.vector(at: index - longestPeriod).most
    }

    /// Returns whether an attack is twice as loud as the steps one pulse period before it, down to the lowest voices and bass strings.
    private static func isIsolated(_ energy: Float, _ energies: Span<Float>, at index: Int) -> Bool {
        let first = energies.vector(at: index - longestBassPeriod).maximum(energies.vector(at: index - longestBassPeriod + 4))
        let second = energies.vector(at: index - longestBassPeriod + 8).maximum(energies.vector(at: index - longestBassPeriod + 12))
        return energy > isolation * first.maximum(second).maximum(energies.vector(at: index - longestPeriod)).most
    }

    /// The shortest period of pulses, in steps.
    static let shortestPeriod = 3

    /// The longest period of pulses, in steps; with the shortest one it spans four steps.
    private static let longestPeriod = 6

    /// The longest period of pulses in the bass, in steps: that of 37 Hz.
    static let longestBassPeriod = 20

    /// The ratio of an attack's energy to that of the steps before it from which it is isolated.
    ///
    /// Measured in Windows.md#pulses-in-short-windows.
    static let isolation: Float = 2

    /// The ratio of an attack's energy to that of the steps before it from which it is novel.
    ///
    /// Measured in Tools.md#the-tools-one-by-one.
    private static let novelty: Float = 1.25

    /// The ratio of a step's energy to the decayed level of the steps before it from which it can be an attack.
    private static let attackRatio: Float = 2

    /// The ratio of a step's energy to that of the loudest step from which it can be an attack.
    static let attackShare: Float = 0.25

    /// The steps from the start of a window to the end of its short windows.
    private static let separableSteps = 25

    /// The energy of a long window's noise relative to its signal, κ, at the bit rates where block switching matters: -15 dB.
    private static let noiseToSignal: Float = 0.03

    /// The inverse of the sum of a window's power over its 32 steps.
    private static let meanNoiseShare: Float = 1 / 16

    /// The power of a sine window at each separable step, sin²(π (n + 1/2) / 32), then zeros.
    private static let windowPower: ContiguousArray<Float> = [
        0.0024, 0.0215, 0.0590, 0.1135, 0.1828, 0.2643, 0.3549, 0.4510, 0.5490, 0.6451, 0.7357, 0.8172, 0.8865, 0.9410, 0.9785,
        0.9976, 0.9976, 0.9785, 0.9410, 0.8865, 0.8172, 0.7357, 0.6451, 0.5490, 0.4510, 0, 0, 0,
    ]

    /// The power of a stop window at each step: zero in the first seven, the means of a short window's sin² in the next two steps, then one.
    private static let stopWindowPower: ContiguousArray<Float> = [
        0, 0, 0, 0, 0, 0, 0, 0.1817, 0.8183, 1, 1, 1, 1, 1, 1, 1,
        0.9976, 0.9785, 0.9410, 0.8865, 0.8172, 0.7357, 0.6451, 0.5490, 0.4510, 0, 0, 0,
    ]

    /// The decay of backward masking per step, δ: -18 dB.
    private static let backwardDecay: Float = 0.01585

    /// The ratio of masked noise to the masking energy, ρ: -8 dB.
    private static let maskingRatio: Float = 0.158

    /// The largest exposure of a step, in decibels.
    private static let largestExposure: Float = 30

    // MARK: Short windows

    /// Returns the onset exposure of each short window of the current frame, in octaves.
    ///
    /// It is the largest ratio, over the steps before the window's loudest, of the window's energy spread evenly over time to the
    /// energy that masks it: 0 where the envelope is flat or falls, large where an attack falls into the end of the window.
    ///
    /// Measured in Windows.md#noise-before-attacks.
    package mutating func onsetExposures() -> SIMD8<Float> {
        var exposures = SIMD8<Float>(repeating: 0)
        let energies = energies.span(first: Self.regionCount * Self.kept)
        for region in 0..<Self.regionCount {
            let first = region * Self.kept + Self.kept - 3 * Self.stepsPerBlock
            var forward = ForwardMasking()
            var masked = masking.mutableSpan(first: 2 * Self.stepsPerBlock)
            for step in -Self.stepsPerBlock..<Self.separableSteps {
                _ = forward.decay()
                forward.rise(to: energies[first + step])
                if step >= 0 { masked[step] = max(forward.level, quietEnergy) }
            }
            for window in 0..<8 {
                let start = Self.firstShortStep + 2 * window
                guard Self.isOnset(energies, at: first + start) else { continue }
                let exposure = Self.onsetExposure(
                    energies.vector(at: first + start), masked: masked.vector(at: start))
                exposures[window] = max(exposures[window], exposure)
            }
        }
        return exposures
    }

    /// Returns whether a window of four steps is louder than all of the twelve steps before it.
    ///
    /// Pulses that follow each other faster, such as those of a voice, mask each other's noise.
    private static func isOnset(_ energies: Span<Float>, at start: Int) -> Bool {
        let now = energies.vector(at: start)
        let earlier = energies.vector(at: start - 12).maximum(energies.vector(at: start - 8)).maximum(energies.vector(at: start - 4))
        return now.most > novelty * earlier.most
    }

    /// Returns the exposure of a window of four steps before the loudest of them, in octaves.
    ///
    /// - Parameters:
    ///   - energies: The energies of the steps.
    ///   - masked: The energies that the signal masks in the steps, before the masking ratio is applied.
    private static func onsetExposure(_ energies: SIMD4<Float>, masked: SIMD4<Float>) -> Float {
        let mean = (energies * shortWindowPower).laneSum * 0.25
        let ratios = shortWindowPower * mean / masked
        var loudest: Float = 0
        var largest: Float = 1
        var largestSoFar: Float = 1
        for step in 0..<4 {
            largestSoFar = max(largestSoFar, ratios[step])
            guard energies[step] > loudest else { continue }
            loudest = energies[step]
            largest = largestSoFar
        }
        return min(PortableMath.log2(largest), largestOnset)
    }

    /// The step at which the first short window begins.
    private static let firstShortStep = 7

    /// The power of a short window at each of its four steps, relative to the mean.
    private static let shortWindowPower = SIMD4<Float>(0.3634, 1.6366, 1.6366, 0.3634)

    /// The largest onset exposure, in octaves.
    private static let largestOnset: Float = 8
}
