// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

extension EncoderSetup {
    /// Returns the bit rate of typical music at the configured quality, in bits per second; 0 with a fixed bit rate or an invalid quality.
    static func typicalBitRate(_ configuration: AACEncoderConfiguration) -> Int {
        typicalBitRate(configuration.rateControl, sampleRate: configuration.sampleRate, channelCount: configuration.channelCount)
    }

    /// Returns the bit rate of typical music at a constant quality, in bits per second; 0 with a fixed bit rate or an invalid quality.
    ///
    /// For stereo at 44.1 kHz it is 64 kbit/s at quality 20, 128 kbit/s at 50 and 256 kbit/s at 92.
    package static func typicalBitRate(_ rateControl: AACEncoderConfiguration.RateControl, sampleRate: Int, channelCount: Int) -> Int {
        guard case .variable(let quality) = rateControl, (0...100).contains(quality) else { return 0 }
        let stereo = 42_000 * PortableMath.power(2, quality / 45 * 1.28 + 0.05)
        // The values may be unvalidated.
        return Int(min(max(stereo * (Double(sampleRate) * Double(channelCount)) / (2 * 44_100), 0), 1e9))
    }

    /// Returns the bit rate, or that of typical music, in bits per second.
    ///
    /// It is limited, because rates of an unvalidated configuration are multiplied.
    static func limitedBitRate(_ configuration: AACEncoderConfiguration) -> Int {
        min(max(configuration.bitRate ?? typicalBitRate(configuration), 0), 100_000_000)
    }

    /// Returns a bit rate per channel, scaled to a sample rate of 48 kHz.
    static func bitRatePerChannel(_ bitRate: Int, _ configuration: AACEncoderConfiguration) -> Int {
        (bitRate / max(configuration.channelCount, 1)).scaled(by: 48_000, over: max(configuration.sampleRate, 1))
    }

    /// Returns the use of SBR in AAC-ELD, with ``LowDelaySBR/automatic`` resolved to the best mode for the bit rate.
    ///
    /// Returns ``LowDelaySBR/off`` for other profiles.
    static func lowDelaySBR(of configuration: AACEncoderConfiguration, profile: AACProfile? = nil) -> LowDelaySBR {
        let settings = configuration.settings
        let profile = profile ?? configuration.profile
        guard profile.isLowDelay, profile == .enhancedLowDelay else { return .off }
        guard settings.lowDelaySBR == .automatic else { return settings.lowDelaySBR }
        let sampleRate = configuration.sampleRate
        guard settings.bandwidth == nil, sampleRate >= AACEncoderConfiguration.lowestSBRSampleRate else { return .off }
        let bitRate = limitedBitRate(configuration)
        guard bitRatePerChannel(bitRate, configuration) < lowDelaySBRLimit else { return .off }
        let mode: LowDelaySBR = sampleRate <= highestSingleRate ? .singleRate : .dualRate
        // Below the minimum bit rate of SBR the core gets all bits.
        var chosen = configuration
        chosen.settings.lowDelaySBR = mode
        return bitRate < chosen.bitRates(profile: .enhancedLowDelay).lowerBound ? .off : mode
    }

    /// The bit rate per channel, scaled to a sample rate of 48 kHz, below which AAC-ELD is better with SBR.
    ///
    /// Measured in LowDelay.md#sbr.
    private static let lowDelaySBRLimit = 60_000

    /// The highest sample rate, in hertz, at which a core at half the rate codes too little of the band, so that SBR uses single rate.
    ///
    /// Measured in LowDelay.md#sbr.
    static let highestSingleRate = 16_000

    /// Returns whether a stream uses any kind of SBR.
    ///
    /// The configuration must be resolved.
    static func hasSBR(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Bool {
        profile.hasSBR || hasEnhancedSBR(configuration, profile: profile) || lowDelaySBR(of: configuration, profile: profile) != .off
    }

    /// The bit rates of xHE-AAC at a sample rate of 48 kHz below which SBR codes the high band, in bits per second.
    ///
    /// At equal payload, the Zimtohrli distance relative to HE-AAC with and without SBR is 0.94 and 0.95 at 24 kbit/s in mono, and 0.96 and
    /// 0.89 at 28 kbit/s (geometric mean of six clips). In stereo it is 0.91 and 0.99 at 56 kbit/s, and 0.93 and 0.90 at 60 kbit/s (five
    /// clips).
    private static let enhancedSBRLimit = (mono: 28_000, stereo: 58_000)

    /// Returns whether an xHE-AAC stream uses enhanced SBR: at low bit rates, if the configuration does not set the bandwidth.
    ///
    /// The configuration must be resolved.
    static func hasEnhancedSBR(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Bool {
        guard profile == .extendedHighEfficiency, let bitRates = enhancedSBRBitRates(configuration) else { return false }
        return configuration.usesBandReplication ?? bitRates.contains(configuration.bitRate ?? typicalBitRate(configuration))
    }

    /// Returns the bit rates of xHE-AAC with enhanced SBR, in bits per second; `nil` for none.
    private static func enhancedSBRBitRates(_ configuration: AACEncoderConfiguration) -> ClosedRange<Int>? {
        let (rate, channelCount) = (max(configuration.sampleRate, 1), max(configuration.channelCount, 1))
        guard configuration.settings.bandwidth == nil, AACEncoderConfiguration.supportsSBR(rate) else { return nil }
        let limit = channelCount == 1 ? enhancedSBRLimit.mono : enhancedSBRLimit.stereo
        let lowest = AACEncoderConfiguration.bitRates(sampleRate: rate, channelCount: channelCount, profile: .highEfficiency).lowerBound
        let highest = limit.scaled(by: rate, over: 48_000) - 1
        return lowest <= highest ? lowest...highest : nil
    }

    /// The bit rate of xHE-AAC in stereo at a sample rate of 48 kHz below which MPEG Surround makes both channels from one, in bits per
    /// second.
    ///
    /// At equal payload, the Zimtohrli distance relative to HE-AAC v2 with and without MPEG Surround is 0.81 and 0.89 at 16 kbit/s, 0.85
    /// and 0.75 at 18 kbit/s, and 0.98 and 0.74 at 20 kbit/s (geometric mean of six clips). For the worst clip it is 0.87 and 1.24, 1.01
    /// and 1.25, and 1.07 and 1.24.
    private static let surroundLimit = 20_000

    /// Returns whether the core codes the downmix of two channels: in HE-AAC v2, and in xHE-AAC at the lowest bit rates of stereo.
    ///
    /// The configuration must be resolved.
    static func hasDownmix(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Bool {
        if profile == .highEfficiencyV2 { return true }
        guard hasEnhancedSBR(configuration, profile: profile), configuration.channelCount == 2, let bitRate = configuration.bitRate
        else { return false }
        return bitRate < surroundLimit.scaled(by: configuration.sampleRate, over: 48_000)
    }

    /// Returns the bit rates to which a stream can change, which in xHE-AAC keep the use of SBR and MPEG Surround.
    static func changedBitRates(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> ClosedRange<Int> {
        let all = configuration.bitRates(profile: profile)
        guard profile == .extendedHighEfficiency, let bitRate = configuration.bitRate, let rates = enhancedSBRBitRates(configuration)
        else { return all }
        if rates.contains(bitRate) {
            let limit = surroundLimit.scaled(by: max(configuration.sampleRate, 1), over: 48_000)
            guard configuration.channelCount == 2, rates.contains(limit) else { return rates }
            return bitRate < limit ? rates.lowerBound...limit - 1 : limit...rates.upperBound
        }
        return bitRate > rates.upperBound ? rates.upperBound + 1...all.upperBound : all.lowerBound...rates.lowerBound - 1
    }

    /// Returns the core sample rate, in hertz: half the input sample rate with dual-rate SBR.
    static func coreSampleRate(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Int {
        hasHalfRateCore(configuration, profile: profile) ? configuration.sampleRate / 2 : configuration.sampleRate
    }

    /// Returns whether the core has half the input sample rate.
    static func hasHalfRateCore(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Bool {
        profile.hasSBR || hasEnhancedSBR(configuration, profile: profile)
            || lowDelaySBR(of: configuration, profile: profile) == .dualRate
    }

    /// Creates the SBR parameters; `nil` without SBR.
    static func makeSBRTuning(_ configuration: AACEncoderConfiguration, profile: AACProfile, coreChannelCount: Int) -> SBRTuning? {
        guard hasSBR(configuration, profile: profile) else { return nil }
        let isDualRate = profile.isLowDelay ? configuration.settings.lowDelaySBR == .dualRate : nil
        let hasDownmix = hasDownmix(configuration, profile: profile)
        let stereoRate = hasDownmix ? parametricStereoBitRate.scaled(by: configuration.sampleRate, over: 48_000) : 0
        let typicalBitRate = typicalBitRate(configuration) / (profile == .extendedHighEfficiency ? 1 : 2)
        return SBRTuning(
            bitRate: (configuration.bitRate ?? typicalBitRate) - stereoRate,
            sampleRate: 2 * coreSampleRate(configuration, profile: profile), channelCount: coreChannelCount,
            coreFrameLength: configuration.settings.frameLength, isDualRate: isDualRate, hasParametricStereo: hasDownmix,
            isHalved: configuration.settings.effort == .fast && !hasDownmix
                && [.highEfficiency, .extendedHighEfficiency].contains(profile),
            isEnhanced: profile == .extendedHighEfficiency, raisesCrossover: configuration.raisesCrossover)
    }

    /// The error with SBR relative to the error without SBR, in decibels, up to which xHE-AAC should use SBR, and the effort with which these
    /// errors are measured.
    ///
    /// The limit is positive at bit rates at which most signals have smaller errors with SBR, and negative at others. `nil` if that was not
    /// measured, or if the configuration determines the use of SBR.
    ///
    /// Measured in SBR.md#sbr-by-trial.
    var bandReplicationTrial: (limit: Double, effort: AACEncoderConfiguration.Effort)? {
        guard profile == .extendedHighEfficiency, configuration.usesBandReplication == nil, configuration.settings.bandwidth == nil,
            [44_100, 48_000].contains(configuration.sampleRate), let bitRate = configuration.bitRate
        else { return nil }
        let perChannel = Self.bitRatePerChannel(bitRate, configuration)
        guard Self.trialBitRates.contains(perChannel) else { return nil }
        let effort = configuration.settings.effort == .best ? .balanced : configuration.settings.effort
        if sbr != nil { return (5, effort) }
        return configuration.channelCount == 2 && perChannel >= 40_000 ? (-2, .fast) : (-1, effort)
    }

    /// The bit rates per channel, scaled to a sample rate of 48 kHz, at which the signal decides about SBR.
    private static let trialBitRates = 22_000...50_000

    /// The changes that can suit a file in AAC-LC; none without a bit rate, because they would change it.
    ///
    /// Other profiles and more channels were not measured.
    var possibleAdaptations: SignalAdaptations {
        guard profile == .lowComplexity, configuration.channelCount <= 2, configuration.bitRate != nil else { return [] }
        let hasNoise = configuration.settings.usesNoiseSubstitution && tuning.lowestNoiseFrequency != nil
        return hasNoise ? [.moreShortWindows, .noNoiseSubstitution] : .moreShortWindows
    }

    /// The log2 noise scale below which SBR should start higher, because the core has bits for more lines.
    ///
    /// `nil` if that was not measured, has no effect, or is already the case.
    var raisedCrossoverLevel: Float? {
        guard [.highEfficiency, .extendedHighEfficiency].contains(profile), sbr != nil, channelConfiguration.channelCount == 2,
            [44_100, 48_000].contains(configuration.sampleRate), !configuration.raisesCrossover, let bitRate = configuration.bitRate
        else { return nil }
        let perChannel = Self.bitRatePerChannel(bitRate, configuration)
        guard perChannel < Self.raisedCrossoverLimit else { return nil }
        return PortableMath.interpolate(Float(perChannel), at: [16_000, 24_000], values: [-2.8, -3.4])
    }

    /// The bit rate per channel, scaled to a sample rate of 48 kHz, from which the usual crossover is high enough.
    ///
    /// At 56 kbit/s a raised one does not reduce the Zimtohrli distance of twelve clips.
    private static let raisedCrossoverLimit = 26_000

    /// The bit rate that parametric stereo uses at a sample rate of 48 kHz, in bits per second.
    ///
    /// Core and SBR get the remaining bits.
    private static let parametricStereoBitRate = 4_000

    /// Creates the parameters of parametric stereo or MPEG Surround; `nil` without a downmix.
    static func makeStereoSettings(
        _ configuration: AACEncoderConfiguration, profile: AACProfile, sbr: SBRTuning?
    ) -> StereoCodingSettings? {
        guard hasDownmix(configuration, profile: profile), let sbr else { return nil }
        var settings = StereoCodingSettings(
            bitRate: configuration.bitRate ?? typicalBitRate(configuration) / 2, sampleRate: configuration.sampleRate,
            crossoverSubband: sbr.tables.crossoverSubband, isSurround: profile == .extendedHighEfficiency)
        settings.isFast = configuration.settings.effort == .fast
        return settings
    }

    static func makeAudioSpecificConfig(
        _ configuration: AACEncoderConfiguration, profile: AACProfile, coreSampleRate: Int, channelConfiguration: ChannelConfiguration,
        sbr: SBRTuning?, stereo: StereoCodingSettings?
    ) -> AudioSpecificConfig {
        #if !hasFeature(Embedded) || LINNET_USAC
        if profile == .extendedHighEfficiency {
            return AudioSpecificConfig(USACFrameWriter.makeConfiguration(configuration, sbr: sbr, surround: stereo?.surround))
        }
        #endif
        let usesShortFrame = [960, 480].contains(configuration.settings.frameLength)
        // Small builds omit low delay.
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        if profile == .enhancedLowDelay {
            return AudioSpecificConfig(
                sampleRate: coreSampleRate, channelConfiguration: channelConfiguration,
                enhancedLowDelay: ELDSpecificConfig(
                    usesShortFrame: usesShortFrame,
                    sbr: sbr.map { .init(isDualRate: !$0.isDownsampled, headers: [ELDSpecificConfig.Header($0.header)]) }))
        }
        #endif
        var generalAudio = GASpecificConfig(usesShortFrame: usesShortFrame)
        // Error resilient object types have resilience flags, all 0 here.
        if profile == .lowDelay { generalAudio.extensionData = GASpecificConfig.Extension() }
        return AudioSpecificConfig(
            objectType: profile == .lowDelay ? .aacLD : .aacLC, sampleRate: coreSampleRate,
            channelConfiguration: channelConfiguration, generalAudio: generalAudio,
            extensionConfig: makeExtensionConfig(configuration, profile: profile, coreChannelCount: channelConfiguration.channelCount))
    }

    /// Creates the part of the AudioSpecificConfig that signals SBR and parametric stereo.
    static func makeExtensionConfig(
        _ configuration: AACEncoderConfiguration, profile: AACProfile, coreChannelCount: Int
    ) -> AudioSpecificConfig.Extension {
        guard profile.hasSBR else { return .implicit }
        // Unless its absence is signalled, a decoder must expect parametric stereo in a mono stream.
        let hasStereo = coreChannelCount == 1 ? profile == .highEfficiencyV2 : nil
        switch configuration.signaling {
        case .implicit: return .implicit
        case .backwardCompatible: return .backwardCompatible(sampleRate: configuration.sampleRate, hasParametricStereo: hasStereo)
        case .hierarchical: return .hierarchical(sampleRate: configuration.sampleRate, hasParametricStereo: hasStereo == true)
        }
    }

    /// Returns the bit rate that selects the parameters of the core, in bits per second.
    ///
    /// It is the bit rate of the stream including SBR, as in the rate control. With constant quality, the core of HE-AAC has the noise of
    /// AAC-LC at the core's sample rate, and xHE-AAC keeps the typical bit rate with SBR.
    static func coreBitRate(_ configuration: AACEncoderConfiguration, profile: AACProfile, coreChannelCount: Int) -> Int {
        if let bitRate = configuration.bitRate { return bitRate }
        if profile == .extendedHighEfficiency { return typicalBitRate(configuration) }
        return typicalBitRate(
            configuration.rateControl, sampleRate: coreSampleRate(configuration, profile: profile), channelCount: coreChannelCount)
    }

    /// Returns the base-2 logarithm of the noise scale at which typical music needs the configured rate.
    ///
    /// Refined noise targets are lower. With the higher scale, ten clips keep their sizes within 1 % at qualities 20, 50 and 80. The targets of
    /// xHE-AAC are lower, too: with its scale, the sizes change by +5, +2 and -2 %.
    static func initialLog2NoiseScale(_ configuration: AACEncoderConfiguration, profile: AACProfile, tuning: RateTuning) -> Float {
        let effort = searchEffort(configuration, profile: profile)
        let codesWholeBand = codesWholeBand(configuration, profile: profile)
        let refinement: Float = effort.refinesTargets && codesWholeBand ? 0.45 : 0
        let exponents: Float = profile == .extendedHighEfficiency && codesWholeBand ? 0.15 : 0
        return tuning.initialLog2NoiseScale * noiseScaleWeight(configuration, profile: profile) + refinement + exponents
    }

    static func searchEffort(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> SearchEffort {
        switch (profile, configuration.settings.effort) {
        case (.extendedHighEfficiency, .balanced): .balancedInContext
        case (.extendedHighEfficiency, .best): .bestInContext
        case (_, let effort): SearchEffort(effort)
        }
    }

    /// Returns whether the profile is AAC-LC or xHE-AAC without SBR.
    static func codesWholeBand(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Bool {
        profile == .lowComplexity || profile == .extendedHighEfficiency && !hasSBR(configuration, profile: profile)
    }

    /// Returns the fraction of AAC-LC's initial log2 noise scale that a profile starts with.
    ///
    /// The low band needs more bits per line than the full band of AAC-LC. The fractions are derived from the log2 noise scales at which
    /// five clips need 24, 32, 48 and 64 kbit/s: -0.96, -1.81, -2.66, -3.34 in HE-AAC, and -1.46, -2.28, -3.45, -4.43 in AAC-LC. With
    /// constant quality the fraction of HE-AAC is 1.
    private static func noiseScaleWeight(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Float {
        guard configuration.bitRate != nil || profile == .extendedHighEfficiency else { return 1 }
        switch profile {
        case .highEfficiency: return 0.78
        case .enhancedLowDelay where hasSBR(configuration, profile: profile): return 0.78
        case _ where hasDownmix(configuration, profile: profile): return 0.68
        case .extendedHighEfficiency where hasSBR(configuration, profile: profile): return 0.78
        default: return 1
        }
    }

    /// Creates the dependence of noise on entropy.
    ///
    /// A downmix does not use it, because it does not help. Neither does HE-AAC with constant quality, where it was not measured.
    static func makeEntropyNoiseScaling(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> EntropyNoiseScaling {
        switch configuration.rateControl {
        case .average(let bitRate) where !hasDownmix(configuration, profile: profile):
            let coreSampleRate = coreSampleRate(configuration, profile: profile)
            return EntropyNoiseScaling(
                exponent: hasSBR(configuration, profile: profile)
                    ? EntropyNoiseScaling.averageExponentWithSBR : EntropyNoiseScaling.averageExponent,
                typicalBits: Float(bitRate) * Float(configuration.settings.frameLength) / Float(coreSampleRate))
        case .variable where profile == .extendedHighEfficiency || !hasSBR(configuration, profile: profile):
            let bits =
                Float(typicalBitRate(configuration)) * Float(configuration.settings.frameLength)
                / Float(coreSampleRate(configuration, profile: profile))
            return EntropyNoiseScaling(
                exponent: EntropyNoiseScaling.variableExponent,
                typicalBits: configuration.channelCount == 1 ? bits * monoWeight : bits)
        default: return EntropyNoiseScaling()
        }
    }

    /// The typical size of a mono channel relative to half a pair: mono speech needs 0.6 of the bits of stereo, not 0.5.
    private static let monoWeight: Float = 1.2
}

extension SearchEffort {
    init(_ effort: AACEncoderConfiguration.Effort) {
        switch effort {
        case .fast: self = .fast
        case .balanced: self = .balanced
        case .best: self = .best
        }
    }
}

extension ELDSpecificConfig.Header {
    /// Creates the encoded form of a header.
    fileprivate init(_ header: SBRHeader) {
        var writer = BitWriter(byteCapacity: 4)
        header.write(to: &writer)
        let bitCount = writer.bitCount
        writer.alignToByte()
        var bytes: [UInt8] = []
        writer.append(to: &bytes)
        self.init(bits: bytes.reduce(0) { $0 << 8 | UInt32($1) } >> UInt32(8 * bytes.count - bitCount), bitCount: bitCount)
    }
}
