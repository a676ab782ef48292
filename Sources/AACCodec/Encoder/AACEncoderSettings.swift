// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio

/// The settings of an AAC encoder that do not depend on the input format.
///
/// Every setting is declared only here. ``AACEncoderConfiguration`` and the configurations of files, recordings and batches contain this
/// value. The command and the C, Python and JavaScript libraries have a name for each property.
public struct AACEncoderSettings: Hashable, Sendable {
    /// The rate control mode and its target; `nil` for ``AACEncoderConfiguration/defaultRateControl(sampleRate:channelCount:)``.
    public var rateControl: AACEncoderConfiguration.RateControl?

    /// The peak bit rate of any access unit, in bits per second; `nil` for a limit by the size of a decoder's input buffer.
    ///
    /// It must be at least the bit rate. An example is Bluetooth, where a packet contains one access unit.
    public var peakBitRate: Int?

    /// The profile to encode; `nil` for AAC-LC, or with a rate group for the automatic choice.
    public var profile: AACProfile?

    /// The signalling of SBR and parametric stereo in the AudioSpecificConfig (ISO/IEC 14496-3:2009, 1.6.5); `nil` for backward compatible.
    ///
    /// With backward compatible signalling, decoders without SBR play the AAC-LC core. Otherwise they reject the stream. ADTS cannot carry
    /// this signal.
    public var signaling: AudioSpecificConfig.ExtensionSignaling?

    /// The processing time spent per frame.
    public var effort = AACEncoderConfiguration.Effort.balanced

    /// Whether an access unit is complete with the last sample that its window needs.
    ///
    /// The default is `false`.
    ///
    /// Use it for conversations and other live audio. HE-AAC does not support it.
    ///
    /// In AAC-LC it removes the block of look-ahead. The delay is one frame instead of two frames and 64 sample frames
    /// (``AACEncoder/delay``), and attacks are anticipated less well. With a constant bit rate no access unit exceeds the mean size, so
    /// that none waits for another's bits. Average and variable bit rates have no such limit. Documentation/Internals/Encoder.md has the
    /// cost in quality.
    ///
    /// AAC-LD and AAC-ELD never have look-ahead. There, it disables their small bit reservoir at a constant bit rate.
    public var lowDelay = false

    /// The core's sample frames per access unit: one of ``frameLengths``.
    ///
    /// AAC-LD and AAC-ELD support 512 and 480. The default means 512.
    public var frameLength = AACEncoderSettings.defaultFrameLength

    /// The use of SBR in AAC-ELD; in other profiles only ``LowDelaySBR/automatic`` is valid.
    public var lowDelaySBR = LowDelaySBR.automatic

    /// The group of access units that a fixed-rate transport requires; `nil` for other uses.
    ///
    /// It determines frame length and rate control. The access units of a group fill exactly its capacity, and the stream consists of whole
    /// groups. It also determines the profile unless one is set. AAC-LD and AAC-ELD are not supported.
    public var rateGroup: RateGroup?

    /// The highest coded frequency, in hertz, from 1000 to half the sample rate; `nil` selects it from the bit rate.
    ///
    /// With SBR the bandwidth depends on the bit rate, and only `nil` is valid.
    public var bandwidth: Int?

    /// Whether noise-like bands may be coded as their energy (PNS), and zeros as noise in xHE-AAC (noise filling).
    ///
    /// The default is `true`.
    ///
    /// MPEG-2 AAC does not support PNS. The encoder does not use it in AAC-LD and AAC-ELD.
    public var usesNoiseSubstitution = true

    /// The longest time between access units of xHE-AAC at which decoding can start, in seconds.
    package var accessPointInterval = 2.0

    /// The integrated loudness that xHE-AAC states, in LUFS and limited to -57.75 to 6, or `nil` if unknown.
    ///
    /// Players change the level by it, and those on devices may refuse a stream without it. Files are measured if it is `nil`.
    public var statedLoudness: Double?

    /// The treatment of input samples that are infinite or not a number.
    ///
    /// The default throws an error.
    public var invalidSamples = AACEncoderConfiguration.InvalidSamplePolicy.throwError

    /// Creates settings with the defaults.
    public init() {}

    /// The frame length without a setting.
    public static let defaultFrameLength = 1024

    /// The supported frame lengths, except for AAC-LD and AAC-ELD.
    ///
    /// Digital radio uses 960.
    public static let frameLengths = [defaultFrameLength, 960]

    /// The frame lengths of AAC-LD and AAC-ELD.
    package static let lowDelayFrameLengths = [512, 480]
}
