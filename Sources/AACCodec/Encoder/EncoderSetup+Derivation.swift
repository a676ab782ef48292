// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio
internal import TransformCoding

extension EncoderSetup {
    /// Returns the bit rate that typical music takes at the configured quality, in bits per second; 0 at a fixed bit rate.
    static func typicalBitRate(_ configuration: AACEncoderConfiguration) -> Int {
        typicalBitRate(configuration.rateControl, sampleRate: configuration.sampleRate, channelCount: configuration.channelCount)
    }

    /// Returns the bit rate that typical music takes at a constant quality, in bits per second; 0 at a fixed bit rate.
    ///
    /// For stereo at 44.1 kHz it is 64 kbit/s at quality 20, 128 kbit/s at 50 and 256 kbit/s at 92.
    static func typicalBitRate(_ rateControl: AACEncoderConfiguration.RateControl, sampleRate: Int, channelCount: Int) -> Int {
        guard case .variable(let quality) = rateControl else { return 0 }
        let stereo = 42_000 * PortableMath.power(2, quality / 45 * 1.28 + 0.05)
        return Int(stereo * Double(sampleRate * channelCount) / (2 * 44_100))
    }

    /// Makes the parameters of SBR; `nil` for AAC-LC.
    static func makeSBRTuning(_ configuration: AACEncoderConfiguration, profile: AACProfile, coreChannelCount: Int) -> SBRTuning? {
        guard profile.hasReplication else { return nil }
        let stereoRate = profile == .highEfficiencyV2 ? parametricStereoBitRate.scaled(by: configuration.sampleRate, over: 48_000) : 0
        return SBRTuning(
            bitRate: (configuration.bitRate ?? typicalBitRate(configuration) / 2) - stereoRate, sampleRate: configuration.sampleRate,
            channelCount: coreChannelCount, coreFrameLength: configuration.settings.frameLength,
            hasParametricStereo: profile == .highEfficiencyV2,
            isHalved: configuration.settings.effort == .fast && profile == .highEfficiency)
    }

    /// The bit rate that parametric stereo takes from core and SBR at a sample rate of 48 kHz, in bits per second.
    private static let parametricStereoBitRate = 4_000

    /// Makes the parameters of parametric stereo; `nil` for the other profiles.
    static func makeStereoSettings(
        _ configuration: AACEncoderConfiguration, profile: AACProfile, sbr: SBRTuning?
    ) -> StereoCodingSettings? {
        guard profile == .highEfficiencyV2, let sbr else { return nil }
        var settings = StereoCodingSettings(
            bitRate: configuration.bitRate ?? typicalBitRate(configuration) / 2, sampleRate: configuration.sampleRate,
            crossoverSubband: sbr.tables.crossoverSubband)
        settings.isFast = configuration.settings.effort == .fast
        return settings
    }

    /// Makes the configuration for a decoder.
    static func makeAudioSpecificConfig(
        _ configuration: AACEncoderConfiguration, profile: AACProfile, coreSampleRate: Int, channelConfiguration: ChannelConfiguration
    ) -> AudioSpecificConfig {
        let usesShortFrame = [960, 480].contains(configuration.settings.frameLength)
        // Small builds have no low delay.
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        if profile == .enhancedLowDelay {
            return AudioSpecificConfig(
                sampleRate: coreSampleRate, channelConfiguration: channelConfiguration,
                enhancedLowDelay: ELDSpecificConfig(usesShortFrame: usesShortFrame))
        }
        #endif
        var generalAudio = GASpecificConfig(usesShortFrame: usesShortFrame)
        // Object types with error resilience have its flags, all 0.
        if profile == .lowDelay { generalAudio.extensionData = GASpecificConfig.Extension() }
        return AudioSpecificConfig(
            objectType: profile == .lowDelay ? .errorResilientAACLD : .aacLC, sampleRate: coreSampleRate,
            channelConfiguration: channelConfiguration, generalAudio: generalAudio,
            extensionConfig: makeExtensionConfig(configuration, profile: profile, coreChannelCount: channelConfiguration.channelCount))
    }

    /// Makes the part of the AudioSpecificConfig that signals SBR and parametric stereo.
    static func makeExtensionConfig(
        _ configuration: AACEncoderConfiguration, profile: AACProfile, coreChannelCount: Int
    ) -> AudioSpecificConfig.Extension {
        guard profile.hasReplication else { return .implicit }
        // A decoder has to allow for parametric stereo in a mono stream unless its absence is signalled.
        let hasStereo = coreChannelCount == 1 ? profile == .highEfficiencyV2 : nil
        switch configuration.signaling {
        case .implicit: return .implicit
        case .backwardCompatible: return .backwardCompatible(sampleRate: configuration.sampleRate, hasParametricStereo: hasStereo)
        case .hierarchical: return .hierarchical(sampleRate: configuration.sampleRate, hasParametricStereo: hasStereo == true)
        }
    }

    /// Returns the share of AAC-LC's initial log2 noise scale that a profile starts with.
    ///
    /// The low band takes more bits a line than the full band of AAC-LC. Measured by the noise scales at which five clips take 24, 32,
    /// 48 and 64 kbit/s: -0.96, -1.81, -2.66, -3.34 in HE-AAC, and -1.46, -2.28, -3.45, -4.43 in AAC-LC. At constant quality the
    /// share is 1.
    static func noiseScaleShare(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Float {
        guard configuration.bitRate != nil else { return 1 }
        switch profile {
        case .highEfficiency: return 0.78
        case .highEfficiencyV2: return 0.68
        default: return 1
        }
    }

    /// Makes the dependence of noise on entropy; none in HE-AAC v2, which gains nothing by it, nor at constant quality in HE-AAC, where
    /// this was not measured.
    static func makeEntropyNoiseScaling(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> EntropyNoiseScaling {
        switch configuration.rateControl {
        case .average(let bitRate) where profile != .highEfficiencyV2:
            let coreSampleRate = profile.hasReplication ? configuration.sampleRate / 2 : configuration.sampleRate
            return EntropyNoiseScaling(
                exponent: EntropyNoiseScaling.averageExponent,
                typicalBits: Float(bitRate) * Float(configuration.settings.frameLength) / Float(coreSampleRate))
        case .variable where !profile.hasReplication:
            let bits = Float(typicalBitRate(configuration)) * Float(configuration.settings.frameLength) / Float(configuration.sampleRate)
            return EntropyNoiseScaling(
                exponent: EntropyNoiseScaling.variableExponent,
                typicalBits: configuration.channelCount == 1 ? bits * monoShare : bits)
        default: return EntropyNoiseScaling()
        }
    }

    /// The typical bits of a single channel relative to half of a pair: speech in mono takes 0.6 of the bits of stereo, not 0.5.
    private static let monoShare: Float = 1.2
}

extension SearchEffort {
    /// Makes the search of an effort level.
    init(_ effort: AACEncoderConfiguration.Effort) {
        switch effort {
        case .fast: self = .fast
        case .balanced: self = .balanced
        case .best: self = .best
        }
    }
}
