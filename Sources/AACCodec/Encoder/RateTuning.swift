// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import TransformCoding
package import TransformEncoding

/// The parameters of a core coder that follow from its bit rate per channel.
package struct RateTuning {
    /// The bit rate per channel, in bits per second, scaled to a sample rate of 48 kHz: a measure of the bits per line.
    private(set) var bitRatePerChannel: Float

    /// The share of the tuning for speech, 0 to 1: one channel at a low rate has it, unless it is the downmix of parametric stereo.
    ///
    /// It ends where music in mono would lose by it.
    ///
    /// Measured in NoiseTargets.md#speech-in-mono.
    private let speechWeight: Float

    /// Whether the core is the only channel of the stream, and no downmix.
    private let isMono: Bool

    /// Whether the sample rate of the core is at most 24 kHz.
    private let isNarrow: Bool

    /// The share, 0 to 1, by which short windows of one channel follow the energy more.
    ///
    /// At up to 24 kHz they do so at low rates too: short windows are longer than the pulses of a voice there.
    ///
    /// Measured in NoiseTargets.md#short-windows-at-higher-rates.
    private let shortEnergyWeight: Float

    /// Whether the profile is AAC-LD or AAC-ELD.
    private let isLowDelay: Bool

    /// Whether the core codes the whole spectrum.
    private let isLowComplexity: Bool

    /// Whether the core is the only channel of the stream, and has so few bits that quantisation takes much of its energy.
    ///
    /// Measured in Tools.md#energy-that-quantisation-takes.
    private let isLowRateMono: Bool

    /// Whether bands of a pair whose channels have more than half of their power in common keep their lines in place of noise: where bits
    /// suffice for them.
    ///
    /// Measured in Tools.md#noise-substitution-and-stereo.
    let keepsCommonLines: Bool

    /// Makes the parameters of a bit rate.
    ///
    /// - Parameters:
    ///   - bitRate: The bit rate of all channels, in bits per second.
    ///   - sampleRate: The sample rate of the core, in hertz.
    ///   - channelCount: The number of channels of the core.
    ///   - profile: The profile of the stream.
    ///   - hasReplication: Whether SBR codes the upper part of the spectrum.
    package init(bitRate: Int, sampleRate: Int, channelCount: Int, profile: AACProfile, hasReplication: Bool) {
        isMono = channelCount == 1 && profile != .highEfficiencyV2
        isNarrow = sampleRate <= 24_000
        isLowComplexity = !hasReplication
        let range: [Float] = isLowComplexity ? [32_000, 48_000] : [48_000, 80_000]
        speechWeight = isMono ? PortableMath.interpolate(Float(bitRate), at: range, values: [1, 0]) : 0
        shortEnergyWeight =
            isMono && isLowComplexity
            ? PortableMath.interpolate(
                Float(bitRate), at: [32_000, 48_000, 64_000, 96_000], values: [isNarrow ? 1 : 0, 1, 1, 0]) : 0
        isLowDelay = profile.isLowDelay
        bitRatePerChannel = Float(bitRate) / Float(channelCount) * 48000 / Float(sampleRate)
        isLowRateMono = isMono && bitRate <= 48_000
        keepsCommonLines = bitRatePerChannel >= 32_000
    }

    /// The parameters for a pair of channels that are equal: their middle has the bits of both, and gains by it up to 64 kb/s.
    ///
    /// Measured in NoiseTargets.md#equal-channels.
    var forEqualChannels: RateTuning {
        var tuning = self
        tuning.bitRatePerChannel = max(bitRatePerChannel, min(2 * bitRatePerChannel, 64_000))
        return tuning
    }

    /// The highest frequency worth coding in long windows, in hertz: wide, since the highest bands are noise where bits are short.
    ///
    /// Measured in NoiseTargets.md#bandwidth-and-the-level-of-noise.
    var bandwidth: Float {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        if isLowDelay { return lowDelayBandwidth }
        #endif
        return PortableMath.interpolate(
            bitRatePerChannel, at: [16_000, 24_000, 32_000, 48_000, 64_000, 80_000, 96_000, 160_000],
            values: [8_500, 15_500, 18_500, 18_500, 19_500, 20_000, 20_500, 22_000])
    }

    /// The ``bandwidth`` of AAC-LD and AAC-ELD, in hertz: their windows are half as long, and take more bits for the same noise.
    ///
    /// Measured in LowDelay.md#bandwidth.
    private var lowDelayBandwidth: Float {
        PortableMath.interpolate(
            bitRatePerChannel, at: [16_000, 24_000, 32_000, 48_000, 64_000, 96_000, 160_000],
            values: [5_000, 8_500, 11_000, 14_000, 16_000, 18_500, 20_000])
    }

    /// The highest frequency worth coding in short windows, in hertz: lower where bits are short, since these have no noise bands.
    var shortBandwidth: Float {
        min(bandwidth, PortableMath.interpolate(bitRatePerChannel, at: [24_000, 32_000, 48_000], values: [12_000, 16_500, 22_000]))
    }

    /// The exponents of the noise allocation rule; in HE-AAC, which loses by it in long windows, without tilt.
    ///
    /// In speech noise follows the masking threshold more: what lies between the formants is masked by them. At low sample rates the
    /// short windows are longer than the pulses of a voice, and their noise can't avoid those.
    ///
    /// Measured in NoiseTargets.md#noise-allocation.
    var noiseAllocation: NoiseAllocation {
        let coreWeight = isLowComplexity ? speechWeight : 0
        let onsetWeight = isNarrow ? coreWeight : 0
        let longTilt = PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [0, 0.4])
        var allocation = NoiseAllocation()
        allocation.energyExponent = energyExponent - 0.04 * coreWeight
        allocation.thresholdExponent = 0.1 + 0.1 * speechWeight
        allocation.shortExponentOffset = -0.15 + 0.07 * shortEnergyWeight
        allocation.shortTilt = shortTilt
        allocation.longTilt = isLowComplexity ? longTilt * (1 - coreWeight) : 0
        allocation.raiseLimit = Self.raiseLimit - initialLog2NoiseScale
        allocation.prominenceShare = prominenceShare
        allocation.onsetExponent = onsetExponent - 0.2 * onsetWeight
        allocation.fallShare = fallShare
        allocation.maskingShare = isMono ? 0.1 : 0
        return allocation
    }

    /// The octaves by which the noise of one channel is lower at 10 Bark, between the formants of speech.
    ///
    /// Measured in NoiseTargets.md#masking-of-frames-and-formants.
    var formantReduction: Float { isMono ? 0.5 : 0 }

    /// The exponent of a band's energy.
    ///
    /// Measured in NoiseTargets.md#exponents-of-pairs.
    private var energyExponent: Float {
        isMono
            ? PortableMath.interpolate(bitRatePerChannel, at: [48_000, 64_000, 96_000], values: [0.70, 0.64, 0.60])
            : PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000, 64_000, 96_000], values: [0.70, 0.66, 0.62, 0.58])
    }

    /// The exponent of the onset exposure of short windows: larger in one channel, where noise before a consonant is heard as a lisp.
    ///
    /// Measured in Windows.md#noise-before-attacks and NoiseTargets.md#exponents-of-pairs.
    private var onsetExponent: Float {
        isMono
            ? PortableMath.interpolate(
                bitRatePerChannel, at: [32_000, 48_000, 56_000, 96_000, 140_000], values: [0.2, 0.55, 0.4, 0.4, 0.2])
            : PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000, 96_000, 140_000], values: [0.1, 0.3, 0.3, 0.2])
    }

    /// The share of the prominence of bands in long windows.
    ///
    /// Measured in NoiseTargets.md#prominence-of-bands and NoiseTargets.md#exponents-of-pairs.
    private var prominenceShare: Float {
        PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: isMono ? [0.2, 0.3] : [0.25, 0.35])
    }

    /// The tilt of the noise in short windows; none in one channel at low rates, nor in HE-AAC: speech and HE-AAC lose by it.
    ///
    /// Measured in NoiseTargets.md#noise-by-frequency and NoiseTargets.md#exponents-of-pairs.
    private var shortTilt: Float {
        guard isLowComplexity else { return 0 }
        return isMono
            ? PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [0, 0.5])
            : PortableMath.interpolate(bitRatePerChannel, at: [24_000, 32_000, 48_000], values: [0, 0.5, 0.7])
    }

    /// The share of the fall of a band between groups of short windows; none in one channel, nor in HE-AAC: speech loses by it.
    ///
    /// Measured in Windows.md#falls-between-groups.
    private var fallShare: Float {
        isMono || !isLowComplexity ? 0 : PortableMath.interpolate(bitRatePerChannel, at: [24_000, 32_000], values: [0, 0.1])
    }

    /// The noise relative to the energy of a band, as a base-2 logarithm, up to which the tilt raises it: -9 dB.
    ///
    /// Measured in NoiseTargets.md#noise-by-frequency-in-long-windows.
    private static let raiseLimit: Float = -3

    /// The pre-echo exposure of pulses that justifies a bit in each channel, in decibels summed over steps of 64 samples; 0 where bits
    /// don't count, as in HE-AAC of more than one channel, where applause and saws lose by it.
    ///
    /// Measured in Windows.md#pulses-in-short-windows and SBR.md#speech.
    var exposurePerBit: Float {
        if isMono { return PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [1.4, 2]) }
        return isLowComplexity ? PortableMath.interpolate(bitRatePerChannel, at: [24_000, 32_000], values: [0, 2]) : 0
    }

    /// The lowest frequency of a band that may be noise, in hertz; `nil` where bits suffice for the lines, and in AAC-LD and AAC-ELD.
    ///
    /// Measured in LowDelay.md#noise-substitution.
    var lowestNoiseFrequency: Int? {
        !isLowDelay && bitRatePerChannel < NoiseSubstitution.highestBitRate ? NoiseSubstitution.lowestFrequency : nil
    }

    /// The lowest frequency of a band that may be intensity stereo without being panned by amplitude, in hertz; `nil` where bits suffice for
    /// both channels.
    var lowestIntensityFrequency: Int? { bitRatePerChannel < IntensityStereo.highestBitRate ? IntensityStereo.lowestFrequency : nil }

    /// Returns the lowest frequency of a band whose energy is restored, in hertz; `nil` for none.
    ///
    /// It is lower in one channel at low rates, and elsewhere energy is restored only where the search lowers quantised values.
    ///
    /// Measured in Tools.md#energy-that-quantisation-takes.
    package func lowestRestoredFrequency(_ effort: SearchEffort) -> Int? {
        guard isLowComplexity else { return nil }
        return isLowRateMono ? 2_000 : effort.lowersValues ? 4_000 : nil
    }

    /// The lowest frequency of a band that is sent as noise if it is left out, in hertz; `nil` for none.
    ///
    /// It ends with the parameters for speech: music in mono gains nothing by it at 48 kb/s.
    ///
    /// Measured in Tools.md#energy-that-quantisation-takes.
    package var lowestFilledFrequency: Int? {
        !isLowDelay && isLowComplexity && speechWeight > 0.5 ? NoiseSubstitution.lowestFrequency : nil
    }

    /// The refinement of noise targets in long windows; `nil` in HE-AAC, where it was not measured.
    ///
    /// Measured in Search.md#noise-targets-within-a-long-window.
    var refinement: TargetRefinement.Shares? {
        guard isLowComplexity else { return nil }
        return TargetRefinement.Shares(
            fluctuation: PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000, 64_000], values: [0.04, 0.08, 0.1]),
            crest: PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [0.1, 0]),
            treble: PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [0.2, 0]))
    }

    /// The weight of the loudness of earlier frames (``LoudnessSmoother``) where noise targets are refined.
    var refinedLoudnessWeight: Float {
        PortableMath.interpolate(bitRatePerChannel, at: [32_000, 64_000], values: [0.15, 0.3])
    }

    /// The share of the signal-to-mask ratio of bands where noise targets are refined.
    ///
    /// Measured in Search.md#signal-to-mask-ratio.
    static let refinedSignalToMaskShare: Float = 0.15

    /// The error of a critical band that is added to all of them in ``TargetCorrection``: less where bits suffice for smaller errors.
    ///
    /// Measured in Search.md#coding-on-trial.
    var leastError: Float { PortableMath.interpolate(bitRatePerChannel, at: [48_000, 64_000], values: [3e-4, 3e-5]) }

    /// The pre-echo exposure from which short windows are better if they take as many bits, in decibels summed over steps of 64 samples.
    ///
    /// It is half of that of a pair where one channel is speech as a rule, and three quarters at higher rates.
    ///
    /// Measured in NoiseTargets.md#speech-in-mono.
    var exposureLimit: Float { isMono ? 45 - 15 * speechWeight : 60 }

    /// The base-2 logarithm of the noise scale at which typical music takes this bit rate.
    var initialLog2NoiseScale: Float {
        PortableMath.interpolate(
            bitRatePerChannel, at: [16_000, 28_500, 41_000, 56_500, 74_000, 93_000, 160_000, 288_000],
            values: [-0.5, -2, -3, -4, -5, -6, -9, -16])
    }
}
