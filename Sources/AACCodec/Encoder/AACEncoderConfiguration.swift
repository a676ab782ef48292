// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio

/// The parameters of an ``AACEncoder``: the format of its input, and its settings.
///
/// A configuration is a plain value. Its properties are checked when an encoder is made from it, not when they are set.
public struct AACEncoderConfiguration: Hashable, Sendable {
    /// The quantity that an encoder keeps constant.
    public enum RateControl: Hashable, Sendable {
        /// Constant bit rate, in bits per second: the input buffer of a standard decoder never underflows
        /// (ISO/IEC 14496-3:2009, 4.5.3).
        case constant(bitRate: Int)
        /// Average bit rate, in bits per second: the mean over the whole stream; single seconds may take more or less.
        case average(bitRate: Int)
        /// Constant quality, from 0 (smallest) to 100 (transparent); the bit rate follows from the signal.
        case variable(quality: Double)
    }

    /// The processing time spent on the search for the best use of the bits.
    public enum Effort: Hashable, Sendable, CaseIterable {
        /// The fastest search, for live streams with many channels and for slow processors.
        case fast
        /// The default.
        case balanced
        /// The widest search, for files that are encoded once and kept.
        case best
    }

    /// The treatment of input samples that are infinite or not a number.
    public enum InvalidSamplePolicy: Hashable, Sendable {
        /// Throw `CodecError.invalidSample`.
        case throwError
        /// Encode zero in place of the sample.
        case silence
    }

    /// The sample rate of the input, in hertz: one of ``sampleRates``.
    public var sampleRate: Int

    /// The number of channels of the input: one of ``channelCounts``.
    public var channelCount: Int

    /// The settings that do not depend on the format.
    ///
    /// They are properties of the configuration too: `configuration.effort` is `configuration.settings.effort`.
    public var settings: AACEncoderSettings

    /// Whether the two channels of the input are known to be nearly identical.
    ///
    /// The default is `false`.
    ///
    /// Only ``/AudioPrimitives/AACProfile/automatic`` uses it: parametric stereo then remains the best choice up to higher bit rates.
    package var isNearlyMono = false

    /// Whether zeros before the input make the delay a whole number of access units, so that those before the first sample can be left out.
    ///
    /// The first unit that is kept has the headers of SBR and needs no other.
    package var alignsDelay = false

    /// The speakers of the input's channels, in order; `nil` for the order that WAV files have.
    ///
    /// 6.1 with a back centre (7 channels), 7.1 with back channels and 7.1 with top channels are encoded only if their speakers are given
    /// here; 8 channels without are 7.1 with five in front.
    public var inputLayout: ChannelLayout?

    /// Creates a configuration for AAC-LC.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the input, in hertz: one of ``sampleRates``.
    ///   - channelCount: The number of channels of the input: one of ``channelCounts``.
    ///   - rateControl: The rate control mode; `nil` for ``defaultRateControl(sampleRate:channelCount:)``.
    ///   - effort: The processing time spent per frame.
    ///   - bandwidth: The highest coded frequency, in hertz; `nil` to choose by bit rate.
    public init(
        sampleRate: Int, channelCount: Int, rateControl: RateControl? = nil, effort: Effort = .balanced, bandwidth: Int? = nil
    ) {
        var settings = AACEncoderSettings()
        settings.rateControl = rateControl
        settings.effort = effort
        settings.bandwidth = bandwidth
        self.init(sampleRate: sampleRate, channelCount: channelCount, settings: settings)
    }

    /// Creates a configuration of settings.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the input, in hertz: one of ``sampleRates``.
    ///   - channelCount: The number of channels of the input: one of ``channelCounts``.
    ///   - settings: The settings that do not depend on the format.
    public init(sampleRate: Int, channelCount: Int, settings: AACEncoderSettings) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.settings = settings
    }

    // MARK: Settings

    /// The rate control mode and its target; that of the settings, or ``defaultRateControl(sampleRate:channelCount:)``, which is the constant bit
    /// rate in AAC-LD and AAC-ELD.
    public var rateControl: RateControl {
        get {
            if let rateControl = settings.rateControl { return rateControl }
            let standard = Self.defaultRateControl(sampleRate: sampleRate, channelCount: channelCount)
            guard case .average(let bitRate) = standard, profile.isLowDelay else { return standard }
            return .constant(bitRate: bitRate)
        }
        set { settings.rateControl = newValue }
    }

    /// The profile to encode; that of the settings, or AAC-LC, or with a rate group the one that it demands.
    public var profile: AACProfile {
        get { settings.profile ?? (settings.rateGroup == nil ? .lowComplexity : .automatic) }
        set { settings.profile = newValue }
    }

    /// The signalling of SBR and parametric stereo; that of the settings, or backward compatible.
    public var signaling: AudioSpecificConfig.ExtensionSignaling {
        get { settings.signaling ?? .backwardCompatible }
        set { settings.signaling = newValue }
    }
}
