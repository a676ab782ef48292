// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

extension EncoderSetup {
    /// Checks a configuration with a resolved profile.
    ///
    /// - Throws: `CodecError` for the first value that is unsupported or out of range.
    static func validate(_ configuration: AACEncoderConfiguration) throws(CodecError) {
        let (sampleRate, channelCount) = (configuration.sampleRate, configuration.channelCount)
        guard AACEncoderConfiguration.sampleRates.contains(sampleRate) else {
            throw .unsupportedSampleRate(sampleRate, allowed: AACEncoderConfiguration.sampleRates)
        }
        guard channelConfiguration(of: configuration) != nil else {
            throw .unsupportedChannelCount(channelCount, allowed: AACEncoderConfiguration.channelCounts)
        }
        let frameLengths =
            configuration.profile == .extendedHighEfficiency
            ? [AACEncoderSettings.defaultFrameLength]
            : configuration.profile.isLowDelay ? AACEncoderSettings.lowDelayFrameLengths : AACEncoderSettings.frameLengths
        guard frameLengths.contains(configuration.settings.frameLength) else {
            throw .unsupportedFrameLength(configuration.settings.frameLength, allowed: frameLengths)
        }
        if case .variable(let quality) = configuration.rateControl, !(0...100).contains(quality) { throw .unsupportedQuality(quality) }
        let profile = chooseProfile(configuration)
        try validateProfile(profile, of: configuration)
        let bitRates = configuration.bitRates(profile: profile)
        if let bitRate = configuration.bitRate, !bitRates.contains(bitRate), configuration.settings.rateGroup == nil {
            throw .unsupportedBitRate(bitRate, allowed: bitRates)
        }
        let lowestPeak = configuration.bitRate ?? bitRates.lowerBound
        if let peak = configuration.settings.peakBitRate, peak < lowestPeak {
            throw .unsupportedPeakBitRate(peak, minimum: lowestPeak)
        }
        let bandwidths = 1_000...sampleRate / 2
        if let bandwidth = configuration.settings.bandwidth, !bandwidths.contains(bandwidth) {
            throw .unsupportedBandwidth(bandwidth, allowed: bandwidths)
        }
    }

    /// Checks that the profile supports the configuration's sample rate, channel count and bandwidth.
    private static func validateProfile(_ profile: AACProfile, of configuration: AACEncoderConfiguration) throws(CodecError) {
        let (sampleRate, channelCount) = (configuration.sampleRate, configuration.channelCount)
        let profiles = AACEncoderConfiguration.profiles(sampleRate: sampleRate, channelCount: channelCount)
        if !profiles.contains(profile) {
            let rates = AACEncoderConfiguration.sampleRates(of: profile == .highEfficiencyV2 ? .highEfficiency : profile, channelCount: 1)
            guard rates.contains(sampleRate) else {
                throw .unsupportedProfileRate(profile, sampleRate: sampleRate, allowed: rates.reversed())
            }
            throw .unsupportedProfile(profile, channelCount: channelCount, allowed: profiles)
        }
        let asked = configuration.settings.lowDelaySBR
        let isChosen = profile == .enhancedLowDelay ? [.singleRate, .dualRate].contains(asked) : asked != .automatic
        if isChosen, profile != .enhancedLowDelay || sampleRate < AACEncoderConfiguration.lowestSBRSampleRate {
            throw .lowDelaySBR(profile, sampleRate: sampleRate)
        }
        if configuration.settings.bandwidth != nil, Self.hasSBR(configuration, profile: profile) { throw .fixedBandwidth(profile) }
        if configuration.settings.lowDelay, profile.hasSBR || profile == .extendedHighEfficiency { throw .lowDelayProfile(profile) }
    }

    /// Returns the configured profile, with ``/AudioPrimitives/AACProfile/automatic`` resolved to the best profile for the bit rate.
    static func chooseProfile(_ configuration: AACEncoderConfiguration) -> AACProfile {
        guard configuration.profile == .automatic else { return configuration.profile }
        let settings = configuration.settings
        if let group = settings.rateGroup { return profile(of: group, channelCount: configuration.channelCount) }
        guard settings.bandwidth == nil, !settings.lowDelay else { return .lowComplexity }
        let (sampleRate, channelCount) = (max(configuration.sampleRate, 1), configuration.channelCount)
        let allowed = AACEncoderConfiguration.profiles(sampleRate: configuration.sampleRate, channelCount: channelCount)
        let bitRate = limitedBitRate(configuration)
        let parametricStereoLimit = configuration.isNearlyMono ? nearlyMonoParametricStereoLimit : parametricStereoLimit
        if allowed.contains(.highEfficiencyV2), bitRate.scaled(by: 48_000, over: sampleRate) < parametricStereoLimit {
            return .highEfficiencyV2
        }
        let limit =
            switch channelCount {
            case 1: monoSBRLimit
            case 2: pairSBRLimit
            default: sbrLimit
            }
        return allowed.contains(.highEfficiency) && bitRatePerChannel(bitRate, configuration) < limit ? .highEfficiency : .lowComplexity
    }

    private static func profile(of group: RateGroup, channelCount: Int) -> AACProfile {
        switch channelCount == 1 ? group.objectTypes.first : group.objectTypes.last {
        case .sbr: .highEfficiency
        case .parametricStereo: .highEfficiencyV2
        default: .lowComplexity
        }
    }

    /// The bit rate per channel, scaled to a sample rate of 48 kHz, below which HE-AAC gives better quality than AAC-LC.
    ///
    /// Measured in SBR.md#which-profile-at-which-rate.
    private static let sbrLimit = 48_000

    /// The equivalent of ``sbrLimit`` for two channels.
    private static let pairSBRLimit = 38_000

    /// The mono equivalent of ``sbrLimit``.
    private static let monoSBRLimit = 55_000

    /// The bit rate, scaled to a sample rate of 48 kHz, below which HE-AAC v2 gives better quality than HE-AAC
    /// (Documentation/Internals/HighEfficiency.md).
    private static let parametricStereoLimit = 25_000

    /// ``parametricStereoLimit`` for two nearly identical channels.
    private static let nearlyMonoParametricStereoLimit = 50_000
}
