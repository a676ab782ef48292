// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// The parameters of an ``AACEncoder``.
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
        /// Throw ``AACError/invalidSample(channel:frame:)``.
        case throwError
        /// Encode zero in place of the sample.
        case silence
    }

    /// The sample rate of the input, in hertz: one of ``sampleRates``.
    public var sampleRate: Int

    /// The number of channels of the input: one of ``channelCounts``.
    public var channelCount: Int

    /// The rate control mode and its target.
    public var rateControl: RateControl

    /// The profile to encode.
    ///
    /// The default is ``AACProfile/lowComplexity``.
    public var profile = AACProfile.lowComplexity

    /// Whether the two channels of the input are known to be nearly identical.
    ///
    /// The default is `false`.
    ///
    /// Only ``AACProfile/automatic`` uses it: parametric stereo then remains the best choice up to higher bit rates.
    public var isNearlyMono = false

    /// The way in which the AudioSpecificConfig signals SBR and parametric stereo (ISO/IEC 14496-3:2009, 1.6.5).
    ///
    /// Decoders without SBR play the AAC-LC core of a stream that is signalled in the backward compatible way, and reject the other
    /// kind. Streams in ADTS carry no such signal. The default is backward compatible.
    public var signaling = AudioSpecificConfig.ExtensionSignaling.backwardCompatible

    /// The processing time spent per frame.
    public var effort: Effort

    /// Whether an access unit is complete with the last sample that its window needs.
    ///
    /// The default is `false`. For conversations and other live audio; only in AAC-LC. There is no block of look-ahead, so that the delay is
    /// 1024 sample frames (``AACEncoder/delay``), not 2112: attacks are anticipated less well. At a constant bit rate no unit takes more than
    /// its share, so that none waits for the bits of another; an average or variable bit rate has no such limit. What it costs in
    /// quality is in Documentation/Internals/Encoder.md.
    public var lowDelay = false

    /// The highest coded frequency, in hertz, from 1000 to half the sample rate; `nil` to choose by bit rate.
    ///
    /// In HE-AAC and HE-AAC v2 the bandwidth follows from the bit rate, and only `nil` is valid.
    public var bandwidth: Int?

    /// The bit rate, in bits per second, that no access unit exceeds while it lasts; `nil` for the size of a decoder's input buffer.
    ///
    /// It is at least the bit rate. Packets of Bluetooth hold one unit each, for example.
    public var peakBitRate: Int?

    /// Whether noise-like bands may be sent as their energy; MPEG-2 AAC has no such tool.
    ///
    /// The default is `true`.
    public var usesNoiseSubstitution = true

    /// The speakers of the input's channels, in order; `nil` for the order that WAV files have.
    ///
    /// 6.1 with a back centre (7 channels), 7.1 with back channels and 7.1 with top channels are encoded only if their speakers are given
    /// here; 8 channels without are 7.1 with five in front.
    public var inputLayout: ChannelLayout?

    /// The treatment of input samples that are infinite or not a number.
    ///
    /// The default is to throw an error.
    public var invalidSamples: InvalidSamplePolicy = .throwError

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
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.rateControl = rateControl ?? Self.defaultRateControl(sampleRate: sampleRate, channelCount: channelCount)
        self.effort = effort
        self.bandwidth = bandwidth
    }
}
