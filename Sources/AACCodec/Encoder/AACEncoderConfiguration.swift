// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio

/// The parameters of an ``AACEncoder``: its input format and its settings.
///
/// A configuration is a plain value. Creating an encoder validates the properties, but setting them does not.
public struct AACEncoderConfiguration: Hashable, Sendable {
    /// The quantity that an encoder keeps constant.
    public enum RateControl: Hashable, Sendable {
        /// Constant bit rate, in bits per second. The input buffer of a standard decoder never underflows (ISO/IEC 14496-3:2009, 4.5.3).
        case constant(bitRate: Int)
        /// Average bit rate over the whole stream, in bits per second. Short-term rates may differ.
        case average(bitRate: Int)
        /// Constant quality, from 0 (smallest) to 100 (transparent). The bit rate depends on the signal.
        case variable(quality: Double)
    }

    /// The processing time spent on optimizing the use of bits.
    public enum Effort: Hashable, Sendable, CaseIterable {
        /// The fastest search, for live streams with many channels and for slow processors.
        case fast
        /// The default.
        case balanced
        /// The most thorough search, for files that are encoded once and kept.
        case best
    }

    /// The treatment of input samples that are infinite or not a number.
    public enum InvalidSamplePolicy: Hashable, Sendable {
        /// Throw `CodecError.invalidSample`.
        case throwError
        /// Encode zero instead of the sample.
        case silence
    }

    /// The input sample rate, in hertz: one of ``sampleRates``.
    public var sampleRate: Int

    /// The input channel count: one of ``channelCounts``.
    public var channelCount: Int

    /// The settings that do not depend on the input format.
    ///
    /// Each is also a property of the configuration: `configuration.effort` is `configuration.settings.effort`.
    public var settings: AACEncoderSettings

    /// Whether the two input channels are known to be nearly identical.
    ///
    /// The default is `false`.
    ///
    /// Only ``/AudioPrimitives/AACProfile/automatic`` uses it: for such input, parametric stereo remains the best choice at higher bit
    /// rates.
    package var isNearlyMono = false

    /// Whether SBR starts at a higher frequency, because the low band needs few bits (``AACEncoder/raisedCrossoverLevel``).
    package var raisesCrossover = false

    /// Whether SBR codes the high band of xHE-AAC, or `nil` to decide by the bit rate (``AACEncoder/bandReplicationTrial``).
    package var usesBandReplication: Bool?

    /// The changes that suit the signal, by default none (``AACEncoder/possibleAdaptations``).
    package var adaptations: SignalAdaptations = []

    /// The measured loudness that xHE-AAC states, or `nil` for ``AACEncoderSettings/statedLoudness``.
    package var measuredLoudness: LoudnessInfoSet?

    /// A number that distinguishes the streams of xHE-AAC between which players switch, or `nil` for a single stream.
    package var streamIdentifier: UInt16?

    /// Whether to align the delay to whole access units with leading zeros, so that the access units before the first sample can be
    /// omitted.
    ///
    /// The first retained access unit contains the SBR headers and does not depend on earlier ones.
    package var alignsDelay = false

    /// The speakers of the input channels, in order; `nil` for WAVE order.
    ///
    /// 6.1 with a back centre (7 channels), 7.1 with back channels and 7.1 with top channels require an explicit layout. Without one, 8
    /// channels are 7.1 with five front channels.
    public var inputLayout: ChannelLayout?

    /// Creates a configuration for AAC-LC.
    ///
    /// - Parameters:
    ///   - sampleRate: The input sample rate, in hertz: one of ``sampleRates``.
    ///   - channelCount: The input channel count: one of ``channelCounts``.
    ///   - rateControl: The rate control mode; `nil` for ``defaultRateControl(sampleRate:channelCount:)``.
    ///   - effort: The processing time spent per frame.
    ///   - bandwidth: The highest coded frequency, in hertz; `nil` selects it from the bit rate.
    public init(
        sampleRate: Int, channelCount: Int, rateControl: RateControl? = nil, effort: Effort = .balanced, bandwidth: Int? = nil
    ) {
        var settings = AACEncoderSettings()
        settings.rateControl = rateControl
        settings.effort = effort
        settings.bandwidth = bandwidth
        self.init(sampleRate: sampleRate, channelCount: channelCount, settings: settings)
    }

    /// Creates a configuration with the given settings.
    ///
    /// - Parameters:
    ///   - sampleRate: The input sample rate, in hertz: one of ``sampleRates``.
    ///   - channelCount: The input channel count: one of ``channelCounts``.
    ///   - settings: The settings that do not depend on the input format.
    public init(sampleRate: Int, channelCount: Int, settings: AACEncoderSettings) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.settings = settings
    }

    // MARK: Settings

    /// The rate control mode and its target.
    ///
    /// Without a setting: ``defaultRateControl(sampleRate:channelCount:)``, as a constant bit rate in AAC-LD and AAC-ELD.
    public var rateControl: RateControl {
        get {
            if let rateControl = settings.rateControl { return rateControl }
            let standard = Self.defaultRateControl(sampleRate: sampleRate, channelCount: channelCount)
            guard case .average(let bitRate) = standard, profile.isLowDelay else { return standard }
            return .constant(bitRate: bitRate)
        }
        set { settings.rateControl = newValue }
    }

    /// The profile to encode.
    ///
    /// Without a setting: AAC-LC, or automatic with a rate group.
    public var profile: AACProfile {
        get { settings.profile ?? (settings.rateGroup == nil ? .lowComplexity : .automatic) }
        set { settings.profile = newValue }
    }

    /// The signalling of SBR and parametric stereo.
    ///
    /// Without a setting: backward compatible.
    public var signaling: AudioSpecificConfig.ExtensionSignaling {
        get { settings.signaling ?? .backwardCompatible }
        set { settings.signaling = newValue }
    }
}
