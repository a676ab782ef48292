// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding
package import TransformEncoding

#if !hasFeature(Embedded) || LINNET_USAC
internal import USACCodec
#endif

/// The values that an encoder derives from its configuration before the first frame, and partly again when the bit rate changes.
package struct EncoderSetup {
    /// The resolved configuration, with the current bit rate.
    private(set) var configuration: AACEncoderConfiguration

    /// The profile to encode; never ``/AudioPrimitives/AACProfile/automatic``.
    let profile: AACProfile

    /// The input channel index of each stream channel.
    let inputChannels: [Int]

    /// The core's channel configuration; mono with a downmix.
    let channelConfiguration: ChannelConfiguration

    /// The core sample rate, in hertz: half the input sample rate with dual-rate SBR.
    let coreSampleRate: Int

    let samplingFrequencyIndex: Int

    let audioSpecificConfig: AudioSpecificConfig

    /// The highest frequency of the decoded signal, in hertz.
    private(set) var bandwidth: Int

    /// The core parameters for the bit rate.
    private(set) var tuning: RateTuning

    package let searchEffort: SearchEffort

    /// Whether noise targets are refined and corrected by errors: in AAC-LC and in xHE-AAC without SBR, except with `Effort.fast`.
    var refinesTargets: Bool { searchEffort.refinesTargets && codesWholeBand }

    /// Whether frames are encoded on trial: in AAC-LC and in xHE-AAC without SBR, except with `Effort.fast`.
    package var usesAnalysisBySynthesis: Bool { searchEffort.usesAnalysisBySynthesis && codesWholeBand }

    /// Whether the profile is AAC-LC or xHE-AAC without SBR.
    var codesWholeBand: Bool { Self.codesWholeBand(configuration, profile: profile) }

    var syntax: Syntax {
        switch profile {
        // Small builds omit low delay.
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        case .lowDelay: .lowDelay
        case .enhancedLowDelay: .enhancedLowDelay
        #endif
        default: .lowComplexity
        }
    }

    /// The SBR parameters; `nil` without SBR.
    package let sbr: SBRTuning?

    /// The parameters of parametric stereo or MPEG Surround; `nil` without a downmix.
    let parametricStereo: StereoCodingSettings?

    /// The base-2 logarithm of the first frame's noise scale.
    private(set) var initialLog2NoiseScale: Float

    /// The dependence of the noise scale on a frame's perceptual entropy.
    package private(set) var entropyNoiseScaling: EntropyNoiseScaling

    /// Derives the setup from a configuration.
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
            let channelConfiguration = Self.hasDownmix(configuration, profile: profile)
                ? ChannelConfiguration(channelCount: 1) : inputConfiguration,
            let index = SamplingFrequencyIndex(hertz: coreSampleRate)
        else { throw .unsupportedSampleRate(configuration.sampleRate, allowed: AACEncoderConfiguration.sampleRates) }
        self.channelConfiguration = channelConfiguration
        let coreChannelCount = channelConfiguration.channelCount
        samplingFrequencyIndex = index.rawValue
        let order = configuration.inputLayout ?? inputConfiguration.layout.inWAVOrder
        guard let inputChannels = inputConfiguration.layout.permutation(from: order) else {
            guard order.channelCount == configuration.channelCount else {
                throw .channelCountMismatch(expected: configuration.channelCount, found: order.channelCount)
            }
            throw .unsupportedChannelLayout(order, allowed: inputConfiguration.layout.inWAVOrder)
        }
        self.inputChannels = inputChannels
        sbr = Self.makeSBRTuning(configuration, profile: profile, coreChannelCount: coreChannelCount)
        parametricStereo = Self.makeStereoSettings(configuration, profile: profile, sbr: sbr)
        audioSpecificConfig = Self.makeAudioSpecificConfig(
            configuration, profile: profile, coreSampleRate: coreSampleRate, channelConfiguration: channelConfiguration, sbr: sbr,
            stereo: parametricStereo)
        tuning = RateTuning(
            bitRate: Self.coreBitRate(configuration, profile: profile, coreChannelCount: coreChannelCount), sampleRate: coreSampleRate,
            channelCount: coreChannelCount, profile: profile, hasSBR: sbr != nil, isDownmix: parametricStereo != nil)
        bandwidth = Self.bandwidth(configuration, tuning: tuning, sbr: sbr)
        searchEffort = Self.searchEffort(configuration, profile: profile)
        initialLog2NoiseScale = Self.initialLog2NoiseScale(configuration, profile: profile, tuning: tuning)
        entropyNoiseScaling = Self.makeEntropyNoiseScaling(configuration, profile: profile)
    }

    /// Changes the bit rate, and re-derives the values that depend on it.
    ///
    /// The profile and the SBR and PS parameters do not change, because the AudioSpecificConfig and the SBR header signal them.
    ///
    /// - Throws: `CodecError` if the bit rate is unsupported. The setup is then unchanged.
    mutating func setBitRate(_ bitRate: Int) throws(CodecError) {
        let rates = Self.changedBitRates(configuration, profile: profile)
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
            hasSBR: sbr != nil, isDownmix: parametricStereo != nil)
        bandwidth = Self.bandwidth(configuration, tuning: tuning, sbr: sbr)
        initialLog2NoiseScale = Self.initialLog2NoiseScale(configuration, profile: profile, tuning: tuning)
        entropyNoiseScaling = Self.makeEntropyNoiseScaling(configuration, profile: profile)
    }

    /// Returns the highest frequency that the core codes in long windows, in hertz.
    func coreBandwidth(_ tuning: RateTuning) -> Int { Self.coreBandwidth(configuration, tuning: tuning, sbr: sbr) }

    /// Returns the highest frequency that the core codes in short windows, in hertz.
    func shortCoreBandwidth(_ tuning: RateTuning) -> Int {
        sbr?.crossover ?? configuration.settings.bandwidth ?? Int(tuning.shortBandwidth)
    }

    /// Returns the core bandwidth of long windows, for use before the setup is complete.
    private static func coreBandwidth(_ configuration: AACEncoderConfiguration, tuning: RateTuning, sbr: SBRTuning?) -> Int {
        sbr?.crossover ?? configuration.settings.bandwidth ?? Int(tuning.bandwidth)
    }

    /// Returns the highest frequency of the decoded signal, in hertz.
    private static func bandwidth(_ configuration: AACEncoderConfiguration, tuning: RateTuning, sbr: SBRTuning?) -> Int {
        sbr?.top ?? min(coreBandwidth(configuration, tuning: tuning, sbr: sbr), configuration.sampleRate / 2)
    }

    /// Creates the scale factor bands of the core, with the limits of TNS in the profile.
    func makeBands() -> ScaleFactorBands {
        #if !hasFeature(Embedded) || LINNET_USAC
        if profile == .extendedHighEfficiency { return ScaleFactorBands(coreRate: coreSampleRate, frameLength: frameLength) }
        #endif
        return ScaleFactorBands(samplingFrequencyIndex: samplingFrequencyIndex, frameLength: frameLength)
    }

    /// The core's frame length, in samples.
    var frameLength: Int { configuration.settings.frameLength }

    /// The number of access units in a rate group and their total size in bytes; `nil` without a rate group.
    var group: (count: Int, byteCount: Int)? { configuration.settings.rateGroup.map { configuration.groupUnits($0) } }

    /// Bits per frame at the nominal bit rate; 0 for a variable bit rate.
    var nominalBits: Double {
        if let group { return 8 * Double(group.byteCount) / Double(group.count) }
        return Double(configuration.bitRate ?? 0) * Double(frameLength) / Double(coreSampleRate)
    }

    /// The number of samples per channel that the filter bank consumes per access unit.
    ///
    /// It is ``framesPerAccessUnit`` in dual-rate AAC-ELD, whose filter bank halves the sample rate.
    var blockLength: Int { profile == .enhancedLowDelay ? framesPerAccessUnit : frameLength }

    /// The number of sample frames per access unit, at the input sample rate: the frame length, or twice that with a half-rate core.
    var framesPerAccessUnit: Int { Self.framesPerAccessUnit(configuration, profile: profile) }

    /// Returns the sample frames per access unit of a configuration with a resolved profile.
    static func framesPerAccessUnit(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Int {
        hasHalfRateCore(configuration, profile: profile) ? 2 * configuration.settings.frameLength : configuration.settings.frameLength
    }

    /// The number of decoded sample frames before the first input sample, at the input sample rate.
    var delay: Int { Self.delay(configuration, profile: profile) }

    static func delay(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Int {
        usualDelay(configuration, profile: profile) - usualPadding(configuration, profile: profile)
            + padding(configuration, profile: profile)
    }

    /// The number of zeros encoded before the first input sample.
    ///
    /// The filter banks cause the remaining ``delay``.
    var padding: Int { Self.padding(configuration, profile: profile) }

    /// The number of omittable access units before the first input sample; 0 unless the delay is aligned.
    var omittableUnitCount: Int { configuration.alignsDelay ? delay / framesPerAccessUnit : 0 }

    /// Returns the number of leading zeros: the usual number or, with an aligned delay, the minimum that completes an access unit.
    private static func padding(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Int {
        let usual = usualPadding(configuration, profile: profile)
        guard configuration.alignsDelay else { return usual }
        let length = framesPerAccessUnit(configuration, profile: profile)
        let filterDelay = usualDelay(configuration, profile: profile) - usual
        return (length - filterDelay % length) % length
    }

    /// Returns the delay that players assume if a stream does not signal it.
    private static func usualDelay(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Int {
        switch profile {
        case .highEfficiency: SBRElementEncoder.priming(coreFrameLength: configuration.settings.frameLength)
        case _ where hasDownmix(configuration, profile: profile):
            ParametricStereoEncoder.priming(SlotLayout(coreFrameLength: configuration.settings.frameLength))
        case .lowDelay: configuration.settings.frameLength
        case .enhancedLowDelay: enhancedLowDelayDelay(configuration)
        case .extendedHighEfficiency where hasEnhancedSBR(configuration, profile: profile):
            SBRElementEncoder.priming(coreFrameLength: configuration.settings.frameLength)
        default:
            configuration.settings.lowDelay
                ? configuration.settings.frameLength : 2 * configuration.settings.frameLength + lowComplexityPadding
        }
    }

    /// Returns the delay of AAC-ELD: the filter bank's and, with SBR, the delay of a decoder's QMF banks.
    private static func enhancedLowDelayDelay(_ configuration: AACEncoderConfiguration) -> Int {
        let (length, mode) = (configuration.settings.frameLength, lowDelaySBR(of: configuration, profile: .enhancedLowDelay))
        return mode == .off ? length / 2 : SBRElementEncoder.priming(coreFrameLength: length, mode)
    }

    /// Returns the leading zeros included in ``usualDelay(_:profile:)``.
    private static func usualPadding(_ configuration: AACEncoderConfiguration, profile: AACProfile) -> Int {
        switch profile {
        case .highEfficiency: SBRElementEncoder.padding
        case _ where hasDownmix(configuration, profile: profile): ParametricStereoEncoder.padding
        case .extendedHighEfficiency where hasEnhancedSBR(configuration, profile: profile): SBRElementEncoder.padding
        default: configuration.settings.lowDelay || profile.isLowDelay ? 0 : lowComplexityPadding
        }
    }

    /// The number of zeros encoded before the first input sample in AAC-LC.
    ///
    /// With frames of 1024 they make the delay 2112, which other encoders have and players assume if a stream does not signal it.
    private static let lowComplexityPadding = 64

    /// Creates a rate controller for the first frame.
    ///
    /// - Parameter fixedLog2NoiseScale: The base-2 logarithm of a noise scale that replaces the rate control; `nil` to use the configured
    ///   rate control.
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
        if let group, fixedLog2NoiseScale == nil { controller.setGroup(accessUnitCount: group.count, bits: 8 * group.byteCount) }
        return controller
    }

    /// The reservoir size of AAC-LD and AAC-ELD, in frames at the nominal bit rate.
    ///
    /// It bounds a receiver's wait.
    private static let lowDelayReservoirFrames = 4.0

    /// Returns the channel configuration with the input's speakers, or else the default for the channel count.
    ///
    /// Seven channels are supported only with the speakers of configuration 11 (6.1).
    static func channelConfiguration(of configuration: AACEncoderConfiguration) -> ChannelConfiguration? {
        if let layout = configuration.inputLayout, layout.channelCount == configuration.channelCount {
            let match = ChannelConfiguration.all.first { $0.layout.permutation(from: layout) != nil }
            if let match { return match }
        }
        return ChannelConfiguration(channelCount: configuration.channelCount)
    }

    /// An upper bound for bit rates, in bits per second, that prevents overflow in products.
    private static let highestPeakBitRate = 100_000_000

    /// Returns the number of channels that determine a decoder's input buffer size: all except low-frequency ones.
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
