// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Pre-echo excess: the audibility of a window's quantization noise, which is uniform over time, around transients.
///
/// Noise is compared with the temporal masking at each step; transients are not compared with the preceding signal. A soft onset in
/// silence therefore has an excess, but not a pulse that the previous pulse still masks.
extension TransientDetector {
    // MARK: Long windows

    /// The pre-echo excess of a long window, in decibels summed over steps and regions.
    package struct PreEchoExcess {
        /// The excess before all novel transients and after the last transient.
        package var total: Float

        /// The excess before isolated transients, which do not follow a similar pulse.
        package var isolated: Float

        package init(total: Float, isolated: Float) {
            self.total = total
            self.isolated = isolated
        }
    }

    /// Returns the pre-echo excess of a long window over the newest two blocks.
    ///
    /// Only transients that short windows would separate from the noise count. Neighbouring frames handle earlier and later ones.
    ///
    /// - Parameter followsShort: Whether the previous frame has short windows, so that this window would rise as steeply as a short one.
    package mutating func preEchoExcess(followsShort: Bool = false) -> PreEchoExcess {
        var preEchoExcess = PreEchoExcess(total: 0, isolated: 0)
        let windowPower = followsShort ? Self.stopWindowPower : Self.windowPower
        for region in 0..<Self.regionCount { addPreEchoExcess(of: region, windowPower: windowPower.span, to: &preEchoExcess) }
        return preEchoExcess
    }

    /// Adds the pre-echo excess of a long window in one frequency region.
    ///
    /// With the step energies e[n], the window power w[n] and the noise-to-signal ratio κ (``noiseToSignal``), the noise of a step is
    ///
    ///     N[n] = κ/16 · w[n] · Σ e[i] w[i]
    ///
    /// because the window power sums to 16 over its 32 steps. The masked energy of a step is
    ///
    ///     M[n] = max(ρ · max(F[n], B[n]), Q)
    ///
    /// with forward masking F[n] by previous steps (``ForwardMasking``), backward masking B[n] = max(e[n], δ · B[n+1]), masking ratio ρ
    /// (``maskingRatio``) and threshold in quiet Q (``quietEnergy``). The excess of a step is
    ///
    ///     X[n] = min(10 log10(N[n] / M[n]), 30)   if N[n] > M[n], else 0
    ///
    /// The total is the sum of X[n] over the steps before novel transients (``isNovel(_:_:at:)``) and after the last transient. Steps
    /// before other transients do not count. The isolated part is the sum before isolated transients (``isIsolated(_:_:at:)``).
    private mutating func addPreEchoExcess(of region: Int, windowPower: Span<Float>, to preEchoExcess: inout PreEchoExcess) {
        let first = region * Self.retainedCount + Self.retainedCount - 2 * Self.stepsPerBlock
        let energies = energies.span(first: Self.regionCount * Self.retainedCount)
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
        let noise = (windowed.laneSum + last * windowPower[Self.separableSteps - 1]) * Self.noiseToSignal * Self.meanNoiseFraction
        // Each step masks at least noise that is `maskingRatio` below the step's own energy.
        guard noise > max(min(softest.least, last) * Self.maskingRatio, quietEnergy) else { return }
        do {
            var levels = masking.mutableSpan(first: 2 * Self.stepsPerBlock)
            Self.measureForwardMasking(energies, first: first, into: &levels)
            var ratios = audibleNoise.mutableSpan(first: 2 * Self.stepsPerBlock)
            Self.measureAudibleNoise(
                steps, noise: noise, windowPower: windowPower, decayed: levels.span, quietEnergy: quietEnergy, into: &ratios)
        }
        let (decayed, audible) = (masking.span(first: 2 * Self.stepsPerBlock), audibleNoise.span(first: 2 * Self.stepsPerBlock))
        let attack = loudest.most.maximum(last) * Self.attackWeight
        // The excess since the last transient. It counts only if the next transient is novel.
        var pending: Float = 0
        for step in 0..<Self.separableSteps {
            let energy = steps[step]
            if audible[step] > 1 {
                pending += min(Float(PortableMath.decibelsPerOctave) * PortableMath.log2(audible[step]), Self.maximumPreEchoExcess)
            }
            if energy > (Self.attackRatio * decayed[step]).maximum(attack) {
                if Self.isNovel(energy, energies, at: first + step) { preEchoExcess.total += pending }
                if Self.isIsolated(energy, energies, at: first + step) { preEchoExcess.isolated += pending }
                pending = 0
            }
        }
        preEchoExcess.total += pending
    }

    /// Computes the forward masking F[n] of each step by previous steps.
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

    /// Computes the ratio of noise to masked energy, N[n] / M[n], of each step.
    private static func measureAudibleNoise(
        _ steps: Span<Float>, noise: Float, windowPower: Span<Float>, decayed: Span<Float>, quietEnergy: Float,
        into ratios: inout MutableSpan<Float>
    ) {
        // Backward masking: B[n] = max(e[n], δ · B[n+1]).
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

    /// Returns whether a transient is louder than the steps one pulse period earlier.
    ///
    /// The periodic pulses of voices and strings are not novel. Long windows code them best, with their fine frequency resolution.
    private static func isNovel(_ energy: Float, _ energies: Span<Float>, at index: Int) -> Bool {
        energy > novelty * energies.vector(at: index - maximumPeriod).most
    }

    /// Returns whether a transient is twice as loud as the steps one pulse period earlier, for periods down to the lowest voices and bass
    /// strings.
    private static func isIsolated(_ energy: Float, _ energies: Span<Float>, at index: Int) -> Bool {
        let first = energies.vector(at: index - maximumLowFrequencyPeriod).maximum(
            energies.vector(at: index - maximumLowFrequencyPeriod + 4))
        let second = energies.vector(at: index - maximumLowFrequencyPeriod + 8).maximum(
            energies.vector(at: index - maximumLowFrequencyPeriod + 12))
        return energy > isolation * first.maximum(second).maximum(energies.vector(at: index - maximumPeriod)).most
    }

    /// The minimum pulse period, in steps.
    static let minimumPeriod = 3

    /// The maximum pulse period, in steps.
    ///
    /// The range from the minimum is four steps.
    private static let maximumPeriod = 6

    /// The maximum pulse period at low frequencies, in steps: 37 Hz.
    static let maximumLowFrequencyPeriod = 20

    /// The minimum energy ratio of an isolated transient to earlier steps.
    ///
    /// Measured in Windows.md#pulses-in-short-windows.
    static let isolation: Float = 2

    /// The minimum energy ratio of a novel transient to earlier steps.
    ///
    /// Measured in Tools.md#the-tools-one-by-one.
    private static let novelty: Float = 1.25

    /// The minimum energy ratio of a transient to the decayed level of previous steps.
    private static let attackRatio: Float = 2

    /// The minimum energy ratio of a transient to the loudest step.
    static let attackWeight: Float = 0.25

    /// The number of steps from the start of a window to the end of its short windows.
    private static let separableSteps = 25

    /// The noise-to-signal energy ratio κ of a long window at bit rates where block switching matters: -15 dB.
    private static let noiseToSignal: Float = 0.03

    /// The inverse of a window's total power over its 32 steps.
    private static let meanNoiseFraction: Float = 1 / 16

    /// The power of a sine window at each separable step, sin²(π (n + 1/2) / 32), then zeros.
    private static let windowPower: ContiguousArray<Float> = [
        0.0024, 0.0215, 0.0590, 0.1135, 0.1828, 0.2643, 0.3549, 0.4510, 0.5490, 0.6451, 0.7357, 0.8172, 0.8865, 0.9410, 0.9785,
        0.9976, 0.9976, 0.9785, 0.9410, 0.8865, 0.8172, 0.7357, 0.6451, 0.5490, 0.4510, 0, 0, 0,
    ]

    /// The power of a stop window at each step: zero in the first seven, the means of a short window's sin² in the next two, then one.
    private static let stopWindowPower: ContiguousArray<Float> = [
        0, 0, 0, 0, 0, 0, 0, 0.1817, 0.8183, 1, 1, 1, 1, 1, 1, 1,
        0.9976, 0.9785, 0.9410, 0.8865, 0.8172, 0.7357, 0.6451, 0.5490, 0.4510, 0, 0, 0,
    ]

    /// The backward masking decay per step, δ: -18 dB.
    private static let backwardDecay: Float = 0.01585

    /// The ratio of masked noise to masking energy, ρ: -8 dB.
    private static let maskingRatio: Float = 0.158

    /// The maximum excess of a step, in decibels.
    private static let maximumPreEchoExcess: Float = 30

    // MARK: Short windows

    /// Returns the pre-echo excess of each short window of the current frame, in octaves.
    ///
    /// It compares the window's energy, spread uniformly over time, with the masked energy, and takes the maximum ratio over the steps up
    /// to the loudest. It is 0 if the envelope is flat or falls, and large if a transient is at the end of the window.
    ///
    /// Measured in Windows.md#noise-before-attacks.
    package mutating func onsetPreEchoExcesses() -> SIMD8<Float> {
        var preEchoExcesses = SIMD8<Float>(repeating: 0)
        let energies = energies.span(first: Self.regionCount * Self.retainedCount)
        for region in 0..<Self.regionCount {
            let first = region * Self.retainedCount + Self.retainedCount - 3 * Self.stepsPerBlock
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
                let preEchoExcess = Self.onsetPreEchoExcess(
                    energies.vector(at: first + start), masked: masked.vector(at: start))
                preEchoExcesses[window] = max(preEchoExcesses[window], preEchoExcess)
            }
        }
        return preEchoExcesses
    }

    /// Returns whether a window of four steps is louder than each of the previous twelve steps.
    ///
    /// Faster pulses, as in a voice, mask each other's noise.
    private static func isOnset(_ energies: Span<Float>, at start: Int) -> Bool {
        let now = energies.vector(at: start)
        let earlier = energies.vector(at: start - 12).maximum(energies.vector(at: start - 8)).maximum(energies.vector(at: start - 4))
        return now.most > novelty * earlier.most
    }

    /// Returns the pre-echo excess of a window of four steps up to its loudest step, in octaves.
    ///
    /// - Parameter masked: The energies masked in the steps, before the masking ratio is applied.
    private static func onsetPreEchoExcess(_ energies: SIMD4<Float>, masked: SIMD4<Float>) -> Float {
        let mean = (energies * shortWindowPower).laneSum * 0.25
        let ratios = shortWindowPower * mean / masked
        var loudest: Float = 0
        var largest: Float = 1
        var peakSoFar: Float = 1
        for step in 0..<4 {
            peakSoFar = max(peakSoFar, ratios[step])
            guard energies[step] > loudest else { continue }
            loudest = energies[step]
            largest = peakSoFar
        }
        return min(PortableMath.log2(largest), maximumOnset)
    }

    private static let firstShortStep = 7

    /// The power of a short window at each of its four steps, relative to the mean.
    private static let shortWindowPower = SIMD4<Float>(0.3634, 1.6366, 1.6366, 0.3634)

    /// The maximum excess of a short window, in octaves.
    private static let maximumOnset: Float = 8
}
