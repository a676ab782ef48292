// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import TransformCoding
package import TransformEncoding

#if !hasFeature(Embedded) || LINNET_USAC
internal import USACCodec
#endif

/// The core coder parameters for a bit rate per channel.
package struct RateTuning {
    /// The bit rate per channel, in bits per second, scaled to a sample rate of 48 kHz: a measure of the bits per line.
    private(set) var bitRatePerChannel: Float

    /// The weight of the speech tuning, 0 to 1.
    ///
    /// Mono at low rates uses it, except for the downmix of parametric stereo.
    ///
    /// It ends at the bit rate above which it would degrade mono music.
    ///
    /// Measured in NoiseTargets.md#speech-in-mono.
    private let speechWeight: Float

    /// Whether the stream is mono and not a PS downmix.
    private let isMono: Bool

    /// Whether the core sample rate is at most 24 kHz.
    private let isNarrow: Bool

    /// The weight, 0 to 1, with which the noise of short windows follows the energy more closely in mono.
    ///
    /// At sample rates up to 24 kHz it also applies at low bit rates, because short windows are then longer than pitch periods of a voice.
    ///
    /// Measured in NoiseTargets.md#short-windows-at-higher-rates.
    private let shortEnergyWeight: Float

    private let isLowDelay: Bool

    private let hasSBR: Bool

    /// Whether quantized bands may get back lost energy: without SBR, and in xHE-AAC.
    private let restoresEnergy: Bool

    /// Whether the core is that of xHE-AAC with SBR in stereo.
    private let isPairWithEnhancedSBR: Bool

    /// Whether the stream is xHE-AAC without SBR.
    private let isUSACWithoutSBR: Bool

    /// Whether the stream is mono at a bit rate so low that quantization removes much of its energy.
    ///
    /// Measured in Tools.md#energy-that-quantisation-takes.
    private let isLowRateMono: Bool

    /// Whether bands with more than half of their power common to both channels keep their lines instead of using PNS.
    ///
    /// Set if the bits suffice.
    ///
    /// Measured in Tools.md#noise-substitution-and-stereo.
    let keepsCommonLines: Bool

    /// Creates the parameters for a bit rate.
    ///
    /// - Parameters:
    ///   - bitRate: The bit rate of all channels, in bits per second.
    ///   - sampleRate: The core sample rate, in hertz.
    ///   - channelCount: The core channel count.
    ///   - hasSBR: Whether SBR codes the high band.
    ///   - isDownmix: Whether the channel is a downmix of two.
    package init(bitRate: Int, sampleRate: Int, channelCount: Int, profile: AACProfile, hasSBR: Bool, isDownmix: Bool = false) {
        isMono = channelCount == 1 && !isDownmix
        isNarrow = sampleRate <= 24_000
        self.hasSBR = hasSBR
        restoresEnergy = !hasSBR || profile == .extendedHighEfficiency
        isPairWithEnhancedSBR = hasSBR && profile == .extendedHighEfficiency && channelCount == 2
        isUSACWithoutSBR = !hasSBR && profile == .extendedHighEfficiency
        let range: [Float] = hasSBR ? [48_000, 80_000] : [32_000, 48_000]
        speechWeight = isMono ? PortableMath.interpolate(Float(bitRate), at: range, values: [1, 0]) : 0
        shortEnergyWeight =
            isMono && !hasSBR
            ? PortableMath.interpolate(
                Float(bitRate), at: [32_000, 48_000, 64_000, 96_000], values: [isNarrow ? 1 : 0, 1, 1, 0]) : 0
        isLowDelay = profile.isLowDelay
        bitRatePerChannel = Float(bitRate) / Float(channelCount) * 48000 / Float(sampleRate)
        isLowRateMono = isMono && bitRate <= 48_000
        keepsCommonLines = bitRatePerChannel >= 32_000
    }

    /// The parameters for a pair of equal channels.
    ///
    /// Their mid channel gets the bits of both, which helps up to 64 kbit/s.
    ///
    /// Measured in NoiseTargets.md#equal-channels.
    var forEqualChannels: RateTuning {
        var tuning = self
        tuning.bitRatePerChannel = max(bitRatePerChannel, min(2 * bitRatePerChannel, 64_000))
        return tuning
    }

    /// The coded bandwidth of long windows, in hertz.
    ///
    /// It is high because PNS codes the highest bands at low rates.
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

    /// The ``bandwidth`` of AAC-LD and AAC-ELD, in hertz.
    ///
    /// Their windows have half the length, and need more bits for the same noise.
    ///
    /// Measured in LowDelay.md#bandwidth.
    private var lowDelayBandwidth: Float {
        PortableMath.interpolate(
            bitRatePerChannel, at: [16_000, 24_000, 32_000, 48_000, 64_000, 96_000, 160_000],
            values: [5_000, 8_500, 11_000, 14_000, 16_000, 18_500, 20_000])
    }

    /// The coded bandwidth of short windows, in hertz.
    ///
    /// It is lower at low rates because short windows do not use PNS.
    var shortBandwidth: Float {
        min(bandwidth, PortableMath.interpolate(bitRatePerChannel, at: [24_000, 32_000, 48_000], values: [12_000, 16_500, 22_000]))
    }

    /// The exponents of the noise allocation rule.
    ///
    /// Long windows of HE-AAC have no tilt, because quality would suffer.
    ///
    /// At low sample rates, short windows are longer than pitch periods of a voice, so that their noise cannot avoid the pulses.
    ///
    /// Measured in NoiseTargets.md#noise-allocation and SBR.md#xhe-aac.
    var noiseAllocation: NoiseAllocation {
        let coreWeight = hasSBR ? 0 : speechWeight
        let onsetWeight = isNarrow ? coreWeight : 0
        let longNoiseTilt = PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [0, 0.4])
        var allocation = NoiseAllocation()
        let exponents = maskingExponents
        allocation.energyExponent = energyExponent - exponents.reduction
        allocation.thresholdExponent = exponents.threshold
        let pairWeight = PortableMath.interpolate(bitRatePerChannel, at: [40_000, 48_000], values: [1, 0])
        allocation.shortExponentOffset = (hasSBR ? -0.15 : -0.175) + 0.07 * (isPairWithEnhancedSBR ? pairWeight : shortEnergyWeight)
        allocation.shortOffset = hasSBR ? -1.4 : PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [-1.4, -1.6])
        allocation.shortNoiseTilt = shortNoiseTilt
        allocation.longNoiseTilt = hasSBR ? 0 : longNoiseTilt * (1 - coreWeight)
        allocation.raiseLimit = Self.raiseLimit - initialLog2NoiseScale
        allocation.prominenceWeight = prominenceWeight
        allocation.onsetExponent = onsetExponent * (isPairWithEnhancedSBR ? 0.5 * pairWeight : 1) - 0.2 * onsetWeight
        allocation.fallWeight = fallWeight
        allocation.maskingWeight = isMono ? 0.1 : 0
        return allocation
    }

    /// Mono noise reduction at 10 Bark, between speech formants, in octaves.
    ///
    /// Measured in NoiseTargets.md#masking-of-frames-and-formants.
    var formantReduction: Float { isMono ? 0.5 : 0 }

    /// The exponent of the band energy.
    ///
    /// Measured in NoiseTargets.md#exponents-of-pairs.
    var energyExponent: Float {
        isMono
            ? PortableMath.interpolate(bitRatePerChannel, at: [48_000, 64_000, 96_000], values: [0.70, 0.64, 0.60])
            : PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000, 64_000, 96_000], values: [0.70, 0.66, 0.62, 0.58])
    }

    /// The exponent of the masking threshold, and the reduction of the exponent of the energy.
    ///
    /// For speech, noise follows the masking threshold more closely, because formants mask the noise between them. So it does in HE-AAC and
    /// xHE-AAC.
    ///
    /// Measured in NoiseTargets.md#noise-allocation, NoiseTargets.md#exponents-of-he-aac-and-xhe-aac and SBR.md#xhe-aac.
    private var maskingExponents: (threshold: Float, reduction: Float) {
        if isUSACWithoutSBR { return (0.2, 0.06) }
        if isPairWithEnhancedSBR { return (PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [0.16, 0.2]), 0) }
        if !hasSBR { return (0.12 + 0.08 * speechWeight, 0.02 + 0.02 * speechWeight) }
        return isMono ? (0.1 + 0.1 * speechWeight, 0) : (0.15, 0.03)
    }

    /// The exponent of the onset exposure of short windows.
    ///
    /// It is larger in mono, where noise before a consonant is heard as a lisp.
    ///
    /// Measured in Windows.md#noise-before-attacks and NoiseTargets.md#exponents-of-pairs.
    private var onsetExponent: Float {
        isMono
            ? PortableMath.interpolate(
                bitRatePerChannel, at: [32_000, 48_000, 56_000, 96_000, 140_000], values: [0.2, 0.55, 0.4, 0.4, 0.2])
            : PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000, 96_000, 140_000], values: [0.1, 0.25, 0.25, 0.17])
    }

    /// The weight of band prominence in long windows.
    ///
    /// Measured in NoiseTargets.md#prominence-of-bands and NoiseTargets.md#exponents-of-pairs.
    private var prominenceWeight: Float {
        PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: isMono ? [0.2, 0.3] : [0.25, 0.35])
    }

    /// The noise tilt in short windows; 0 in mono at low rates and in HE-AAC, because it degrades speech and HE-AAC.
    ///
    /// Measured in NoiseTargets.md#noise-by-frequency and NoiseTargets.md#exponents-of-pairs.
    private var shortNoiseTilt: Float {
        guard !hasSBR else { return 0 }
        return isMono
            ? PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [0, 0.5])
            : PortableMath.interpolate(bitRatePerChannel, at: [24_000, 32_000, 48_000], values: [0, 0.45, 0.58])
    }

    /// The weight of a band's decay between groups of short windows; 0 in mono and in HE-AAC, because it degrades speech.
    ///
    /// Measured in Windows.md#falls-between-groups.
    private var fallWeight: Float {
        isMono || hasSBR ? 0 : PortableMath.interpolate(bitRatePerChannel, at: [24_000, 32_000, 48_000], values: [0, 0.1, 0.15])
    }

    /// The log2 noise-to-energy ratio up to which the tilt raises noise: -8 dB.
    ///
    /// Measured in NoiseTargets.md#noise-by-frequency-in-long-windows and NoiseTargets.md#many-values-at-once.
    private static let raiseLimit: Float = -2.7

    /// The pre-echo exposure of pulses that justifies one bit per channel, in decibels summed over steps of 64 samples; 0 if bits do not
    /// count.
    ///
    /// It is 0 in HE-AAC with more than one channel, where it degrades applause and sawtooth signals.
    ///
    /// Measured in Windows.md#pulses-in-short-windows and SBR.md#speech.
    var preEchoExcessPerBit: Float {
        if isMono { return PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [1.4, 2]) }
        return hasSBR ? 0 : PortableMath.interpolate(bitRatePerChannel, at: [24_000, 32_000], values: [0, 2])
    }

    /// The lowest frequency of PNS bands, in hertz; `nil` if the bits suffice for lines, and in AAC-LD and AAC-ELD.
    ///
    /// Measured in LowDelay.md#noise-substitution.
    var lowestNoiseFrequency: Int? {
        !isLowDelay && bitRatePerChannel < NoiseSubstitution.highestBitRate ? NoiseSubstitution.lowestFrequency : nil
    }

    /// The lowest frequency of intensity stereo bands that are not amplitude-panned, in hertz; `nil` if the bits suffice for both channels.
    var lowestIntensityFrequency: Int? { bitRatePerChannel < IntensityStereo.highestBitRate ? IntensityStereo.lowestFrequency : nil }

    /// Returns the lowest frequency of bands with energy restoration, in hertz; `nil` for none.
    ///
    /// It is lower in mono at low rates. Elsewhere, energy is restored only if the search lowers quantized values.
    ///
    /// Measured in Tools.md#energy-that-quantisation-takes. In xHE-AAC with SBR it reduces the Zimtohrli distance by 2 % in mono at 24
    /// kbit/s.
    package func lowestRestoredFrequency(_ effort: SearchEffort) -> Int? {
        guard restoresEnergy else { return nil }
        return isLowRateMono ? 2_000 : effort.lowersValues ? 4_000 : nil
    }

    /// The lowest frequency, in hertz, of omitted bands that PNS replaces; `nil` for none.
    ///
    /// It ends with the speech tuning, because mono music does not benefit at 48 kbit/s.
    ///
    /// Measured in Tools.md#energy-that-quantisation-takes.
    package var lowestFilledFrequency: Int? {
        !isLowDelay && !hasSBR && speechWeight > 0.5 ? NoiseSubstitution.lowestFrequency : nil
    }

    /// The refinement of noise targets in long windows.
    ///
    /// Measured in Search.md#noise-targets-within-a-long-window.
    var refinement: TargetRefinement.Weights {
        TargetRefinement.Weights(
            fluctuation: PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000, 64_000], values: [0.06, 0.1, 0.12]),
            crest: PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [0.1, 0]),
            highFrequency: PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [0.2, 0]))
    }

    /// The weight of previous frames' loudness (``LoudnessSmoother``) if noise targets are refined.
    var refinedLoudnessWeight: Float {
        PortableMath.interpolate(bitRatePerChannel, at: [32_000, 64_000], values: [0.19, 0.34])
    }

    /// The weight of the signal-to-mask ratio of bands if noise targets are refined.
    ///
    /// Measured in Search.md#signal-to-mask-ratio.
    var refinedSignalToMaskWeight: Float { 0.15 - 0.075 * speechWeight }

    /// The error added to every critical band in ``TargetCorrection``.
    ///
    /// It is lower at rates that permit smaller errors.
    ///
    /// Measured in Search.md#coding-on-trial.
    var minimumError: Float {
        PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000, 64_000], values: [2e-4, 7e-5, 7e-6])
    }

    /// Whether mid and side use the noise targets of both channels instead of the lower one, if noise targets are refined.
    ///
    /// Measured in Search.md#coding-on-trial.
    var combinesTargets: Bool { bitRatePerChannel < 40_000 }

    /// The pre-echo exposure above which short windows are better at equal cost, in decibels summed over steps of 64 samples.
    ///
    /// It is lower in mono and lowest for speech. In pairs without SBR it falls with the rate.
    ///
    /// Measured in NoiseTargets.md#speech-in-mono and Windows.md#pulses-in-short-windows.
    var preEchoExcessLimit: Float {
        if isMono { return 45 - 15 * speechWeight }
        return hasSBR ? 60 : PortableMath.interpolate(bitRatePerChannel, at: [32_000, 48_000], values: [60, 30])
    }

    #if !hasFeature(Embedded) || LINNET_USAC
    /// The amplitudes of noise filling in xHE-AAC.
    ///
    /// With full amplitude in empty bands, the Zimtohrli distance is 1 % larger at 64 and 96 kbit/s (mean of three clips).
    var noiseFilling: NoiseFillingPlanner.Amplitudes { .init(besideValues: 0.2, emptyBands: 0.85) }
    #endif

    /// Whether frames of xHE-AAC without SBR may omit noise filling; not with the speech tuning.
    ///
    /// Measured in Tools.md#noise-filling.
    var choosesNoiseFilling: Bool { speechWeight == 0 }

    /// The base-2 logarithm of the noise scale at which typical music needs this bit rate.
    package var initialLog2NoiseScale: Float {
        PortableMath.interpolate(bitRatePerChannel, at: Self.noiseScaleRates, values: Self.log2NoiseScales)
    }

    /// The bit rates per channel of ``log2NoiseScales``.
    package static let noiseScaleRates: [Float] = [16_000, 28_500, 41_000, 56_500, 74_000, 93_000, 160_000, 288_000]

    /// The values of ``initialLog2NoiseScale``, by `Scripts/Measure/calibrate`.
    private static let log2NoiseScales: [Float] = [-0.5, -2, -3, -4, -5, -6, -9, -16]
}
