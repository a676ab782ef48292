// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding
package import TransformEncoding

/// The values that an encoder derives from its configuration before the first frame; some of them again when the bit rate changes.
package struct EncoderSetup {
    /// The configuration as given by the user, with the current bit rate.
    private(set) var configuration: AACEncoderConfiguration

    /// The profile to encode; never ``/AudioPrimitives/AACProfile/automatic``.
    let profile: AACProfile

    /// The index of the input channel for each channel of the stream.
    let inputChannels: [Int]

    /// The channel configuration of the AAC-LC core: mono for HE-AAC v2.
    let channelConfiguration: ChannelConfiguration

    /// The sample rate of the core, in hertz: half of the input's with SBR, but not with low delay SBR at single rate.
    let coreSampleRate: Int

    /// The sampling frequency index of the AAC-LC core.
    let samplingFrequencyIndex: Int

    /// The configuration of the stream for a decoder.
    let audioSpecificConfig: AudioSpecificConfig

    /// The highest frequency of the decoded signal, in hertz.
    private(set) var bandwidth: Int

    /// The parameters of the core that follow from its bit rate.
    private(set) var tuning: RateTuning

    /// The extent of the search in the quantisation stage.
    let searchEffort: SearchEffort

    /// Whether frames are coded on trial: with the most effort in AAC-LC; elsewhere it was not measured.
    package var codesOnTrial: Bool { searchEffort.codesOnTrial && profile == .lowComplexity }

    /// The syntax of access units.
    var syntax: Syntax {
        switch profile {
        // Small builds have no low delay.
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        case .lowDelay: .lowDelay
        case .enhancedLowDelay: .enhancedLowDelay
        #endif
        default: .lowComplexity
        }
    }

    /// Whether a frame's window ends with the newest block.
    var hasNoLookAhead: Bool { configuration.settings.lowDelay || profile.isLowDelay }

    /// The parameters of SBR; `nil` for AAC-LC.
    package let sbr: SBRTuning?

    /// The parameters of parametric stereo; `nil` for the other profiles.
    let parametricStereo: StereoCodingSettings?

    /// The base-2 logarithm of the noise scale of the first frame.
    private(set) var initialLog2NoiseScale: Float

    /// The dependence of the noise scale on a frame's perceptual entropy.
    package private(set) var entropyNoiseScaling: EntropyNoiseScaling

    /// Derives the setup of a configuration.
    ///
    /// - Throws: `CodecError` if the configuration is unsupported.
    package init(_ requested: AACEncoderConfiguration) throws(CodecError) {
        try requested.checkRateGroup()
        let configuration = requested.resolved
        try Self.validate(configuration)
        self.configuration = configuration
        profile = Self.chooseProfile(configuration)
        coreSampleRate = Self.coreSampleRate(configuration, profile: profile)
        guard let inputConfiguration = Self.channelConfiguration(of: configuration),
            let channelConfiguration = profile == .highEfficiencyV2 ? ChannelConfiguration(channelCount: 1) : inputConfiguration,
            let index = SamplingFrequencyIndex(hertz: coreSampleRate)
        else { throw .unsupportedSampleRate(configuration.sampleRate, allowed: AACEncoderConfiguration.sampleRates) }
        self.channelConfiguration = channelConfiguration
        let coreChannelCount = channelConfiguration.channelCount
        samplingFrequencyIndex = index.rawValue
        let order = configuration.inputLayout ?? inputConfiguration.layout.inWAVOrder
        guard let inputChannels = inputConfiguration.layout.permutation(from: order) else {
            throw .channelCountMismatch(expected: configuration.channelCount, found: order.channelCount)
        }
        self.inputChannels = inputChannels
        sbr = Self.makeSBRTuning(configuration, profile: profile, coreChannelCount: coreChannelCount)
        parametricStereo = Self.makeStereoSettings(configuration, profile: profile, sbr: sbr)
        audioSpecificConfig = Self.makeAudioSpecificConfig(
            configuration, profile: profile, coreSampleRate: coreSampleRate, channelConfiguration: channelConfiguration, sbr: sbr)
        // The rate control holds the rate of the whole stream, SBR included, so the core's tuning starts from the same rate.
        let coreTypicalBitRate = Self.typicalBitRate(
            configuration.rateControl, sampleRate: coreSampleRate, channelCount: coreChannelCount)
        tuning = RateTuning(
            bitRate: configuration.bitRate ?? coreTypicalBitRate, sampleRate: coreSampleRate, channelCount: coreChannelCount,
            profile: profile, hasReplication: sbr != nil)
        bandwidth = Self.bandwidth(configuration, tuning: tuning, sbr: sbr)
        searchEffort = SearchEffort(configuration.settings.effort)
        initialLog2NoiseScale = tuning.initialLog2NoiseScale * Self.noiseScaleShare(configuration, profile: profile)
        entropyNoiseScaling = Self.makeEntropyNoiseScaling(configuration, profile: profile)
    }

    /// Derives the values that depend on the bit rate again.
    ///
    /// Profile, SBR and parametric stereo remain those of the first rate, since the AudioSpecificConfig and the SBR header signal them.
    ///
    /// - Throws: `CodecError` if the bit rate is unsupported; nothing has changed then.
    mutating func setBitRate(_ bitRate: Int) throws(CodecError) {
        let rates = configuration.bitRates(profile: profile)
        let allowed = rates.lowerBound...min(rates.upperBound, configuration.settings.peakBitRate ?? .max)
        guard let current = configuration.bitRate else { throw .variableBitRate }
        if configuration.settings.rateGroup != nil { throw .unsupportedBitRate(bitRate, allowed: current...current) }
        guard allowed.contains(bitRate) else { throw .unsupportedBitRate(bitRate, allowed: allowed) }
        if case .constant = configuration.rateControl {
            configuration.rateControl = .constant(bitRate: bitRate)
        } else {
            configuration.rateControl = .average(bitRate: bitRate)
        }
        tuning = RateTuning(
            bitRate: bitRate, sampleRate: coreSampleRate, channelCount: channelConfiguration.channelCount, profile: profile,
            hasReplication: sbr != nil)
        bandwidth = Self.bandwidth(configuration, tuning: tuning, sbr: sbr)
        initialLog2NoiseScale = tuning.initialLog2NoiseScale * Self.noiseScaleShare(configuration, profile: profile)
        entropyNoiseScaling = Self.makeEntropyNoiseScaling(configuration, profile: profile)
    }

    /// Returns the highest frequency that the AAC-LC core codes in long windows with the parameters of a bit rate, in hertz.
    func coreBandwidth(_ tuning: RateTuning) -> Int { Self.coreBandwidth(configuration, tuning: tuning, sbr: sbr) }

    /// Returns the same in short windows.
    func shortCoreBandwidth(_ tuning: RateTuning) -> Int {
        sbr?.crossover ?? configuration.settings.bandwidth ?? Int(tuning.shortBandwidth)
    }

    /// Returns the one of long windows before the setup is complete.
    private static func coreBandwidth(_ configuration: AACEncoderConfiguration, tuning: RateTuning, sbr: SBRTuning?) -> Int {
        sbr?.crossover ?? configuration.settings.bandwidth ?? Int(tuning.bandwidth)
    }

    /// Returns the highest frequency of the decoded signal, in hertz.
    private static func bandwidth(_ configuration: AACEncoderConfiguration, tuning: RateTuning, sbr: SBRTuning?) -> Int {
        sbr?.top ?? min(coreBandwidth(configuration, tuning: tuning, sbr: sbr), configuration.sampleRate / 2)
    }

    /// The samples of a frame of the core.
    var frameLength: Int { configuration.settings.frameLength }

    /// The number of units in a rate group, and the bytes of all of them; `nil` without one.
    var group: (count: Int, byteCount: Int)? { configuration.settings.rateGroup.map { configuration.groupUnits($0) } }

    /// The bits of a frame at the nominal bit rate; 0 for a variable one.
    var nominalBits: Double {
        if let group { return 8 * Double(group.byteCount) / Double(group.count) }
        return Double(configuration.bitRate ?? 0) * Double(frameLength) / Double(coreSampleRate)
    }

    /// The number of samples of a channel that the filter bank takes for a unit: in AAC-ELD at dual rate those of ``unitLength``, since it halves
    /// the sample rate itself.
    var blockLength: Int { profile == .enhancedLowDelay ? unitLength : frameLength }

    /// The number of sample frames in an access unit, at the input's sample rate: those of a frame of the core, twice as many with SBR.
    var unitLength: Int { Self.unitLength(configuration, profile: profile) }

    /// Returns the same for a configuration and the profile chosen for it.
    static func unitLength(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Int {
        hasHalfRateCore(configuration, profile: profile) ? 2 * configuration.settings.frameLength : configuration.settings.frameLength
    }

    /// The number of decoded sample frames before the first input sample, at the input's sample rate.
    var delay: Int { Self.delay(configuration, profile: profile) }

    /// Returns the same for a configuration and the profile chosen for it.
    static func delay(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Int {
        usualDelay(configuration, profile: profile) - usualPadding(configuration, profile: profile)
            + padding(configuration, profile: profile)
    }

    /// The number of zeros encoded before the first input sample; the rest of ``delay`` comes from the filter banks.
    var padding: Int { Self.padding(configuration, profile: profile) }

    /// The access units before the one with the first input sample, which can be left out; 0 unless the delay is aligned for that.
    var omittableUnitCount: Int { configuration.alignsDelay ? delay / unitLength : 0 }

    /// Returns the number of zeros, which are as many as usual or, with an aligned delay, as few as complete a unit.
    private static func padding(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Int {
        let usual = usualPadding(configuration, profile: profile)
        guard configuration.alignsDelay else { return usual }
        let length = unitLength(configuration, profile: profile)
        let filterDelay = usualDelay(configuration, profile: profile) - usual
        return (length - filterDelay % length) % length
    }

    /// Returns the delay that players assume where a stream does not tell it.
    private static func usualDelay(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Int {
        switch profile {
        case .highEfficiency: SBRElementEncoder.priming(coreFrameLength: configuration.settings.frameLength)
        case .highEfficiencyV2: ParametricStereoEncoder.priming(SlotLayout(coreFrameLength: configuration.settings.frameLength))
        case .lowDelay: configuration.settings.frameLength
        case .enhancedLowDelay: enhancedLowDelayDelay(configuration)
        default:
            configuration.settings.lowDelay
                ? configuration.settings.frameLength : 2 * configuration.settings.frameLength + lowComplexityPadding
        }
    }

    /// Returns the delay of AAC-ELD: that of the filter bank, and with SBR that of a decoder's banks.
    private static func enhancedLowDelayDelay(_ configuration: AACEncoderConfiguration) -> Int {
        let (length, mode) = (configuration.settings.frameLength, lowDelaySBR(of: configuration, profile: .enhancedLowDelay))
        return mode == .off ? length / 2 : SBRElementEncoder.priming(coreFrameLength: length, mode)
    }

    /// Returns the zeros that are a part of it.
    private static func usualPadding(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Int {
        switch profile {
        case .highEfficiency: SBRElementEncoder.padding
        case .highEfficiencyV2: ParametricStereoEncoder.padding
        default: configuration.settings.lowDelay || profile.isLowDelay ? 0 : lowComplexityPadding
        }
    }

    /// The zeros encoded before the first input sample in AAC-LC.
    ///
    /// With them frames of 1024 have the delay that other encoders have, 2112, which players assume where a stream does not signal it.
    private static let lowComplexityPadding = 64

    /// Makes a rate controller before the first frame.
    ///
    /// - Parameter fixedLog2NoiseScale: The base-2 logarithm of a noise scale that replaces the rate control; `nil` for the
    ///   configured one.
    func makeRateController(fixedLog2NoiseScale: Float?) -> RateController {
        let channelCount = Self.bufferedChannelCount(channelConfiguration.channelCount)
        let mode: RateController.Mode =
            switch configuration.rateControl {
            case _ where fixedLog2NoiseScale != nil: .variable
            case .constant: .constant(bitsPerFrame: nominalBits)
            case .average: .average(bitsPerFrame: nominalBits)
            case .variable: .variable
            }
        var controller = RateController(
            mode: mode, channelCount: channelCount, initialLog2NoiseScale: fixedLog2NoiseScale ?? initialLog2NoiseScale,
            entropyNoiseScaling: entropyNoiseScaling, framesPerSecond: Float(coreSampleRate) / Float(frameLength))
        controller.peakBits = configuration.settings.peakBitRate.map {
            min($0, Self.highestPeakBitRate).scaled(by: frameLength, over: coreSampleRate) & ~7
        }
        if profile.isLowDelay {
            controller.limitReservoir(frames: Self.lowDelayReservoirFrames)
            controller.sideEntropy /= 2
        }
        if configuration.settings.lowDelay { controller.removeReservoir() }
        if let group, fixedLog2NoiseScale == nil { controller.setGroup(unitCount: group.count, bits: 8 * group.byteCount) }
        return controller
    }

    /// The frames at the nominal bit rate that the reservoir of AAC-LD and AAC-ELD holds, so that a receiver waits no longer than these last.
    private static let lowDelayReservoirFrames = 4.0

    /// Returns the channel configuration that has the speakers of the input; if none has, or they are not given, that for so many channels.
    ///
    /// Seven channels are supported only with the speakers of configuration 11, 6.1.
    static func channelConfiguration(of configuration: AACEncoderConfiguration) -> ChannelConfiguration? {
        if let layout = configuration.inputLayout, layout.channelCount == configuration.channelCount {
            let match = ChannelConfiguration.all.first { $0.layout.permutation(from: layout) != nil }
            if let match { return match }
        }
        return ChannelConfiguration(channelCount: configuration.channelCount)
    }

    /// A bit rate above that of any stream, in bits per second, so that products with it don't overflow.
    private static let highestPeakBitRate = 100_000_000

    /// Returns the number of channels that the decoder's input buffer is sized for: all but low-frequency ones.
    static func bufferedChannelCount(_ channelCount: Int) -> Int {
        let configuration = ChannelConfiguration.all.first { $0.channelCount == channelCount }
        return channelCount - (configuration?.elements.count { $0 == .lowFrequency } ?? 0)
    }
}

extension AACEncoderConfiguration {
    /// The target bit rate, in bits per second; `nil` for constant quality.
    var bitRate: Int? {
        switch rateControl {
        case .constant(let bitRate), .average(let bitRate): bitRate
        case .variable: nil
        }
    }
}
