// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio

/// The settings of an encoder of AAC, whatever the format of its input.
///
/// Each setting is declared here, and nowhere else: ``AACEncoderConfiguration``, the encoding of files, recordings and batches hold this
/// value, and the command, the library for C, Python and JavaScript have a name for each of its properties.
public struct AACEncoderSettings: Hashable, Sendable {
    /// The rate control mode and its target; `nil` for an average bit rate that fits the input
    /// (``AACEncoderConfiguration/defaultRateControl(sampleRate:channelCount:)``).
    public var rateControl: AACEncoderConfiguration.RateControl?

    /// The bit rate, in bits per second, that no access unit exceeds while it lasts; `nil` for the size of a decoder's input buffer.
    ///
    /// It is at least the bit rate. Packets of Bluetooth hold one unit each, for example.
    public var peakBitRate: Int?

    /// The profile to encode; `nil` for AAC-LC.
    public var profile: AACProfile?

    /// The way in which the AudioSpecificConfig signals SBR and parametric stereo (ISO/IEC 14496-3:2009, 1.6.5); `nil` for backward compatible.
    ///
    /// Decoders without SBR play the AAC-LC core of a stream that is signalled in the backward compatible way, and reject the other
    /// kind. Streams in ADTS carry no such signal.
    public var signaling: AudioSpecificConfig.ExtensionSignaling?

    /// The processing time spent per frame.
    public var effort = AACEncoderConfiguration.Effort.balanced

    /// Whether an access unit is complete with the last sample that its window needs.
    ///
    /// The default is `false`. For conversations and other live audio; not in HE-AAC. AAC-LD and AAC-ELD never have look-ahead; in these it means that
    /// at a constant bit rate no unit takes more than its share, without their small reservoir. In AAC-LC: There is no block of look-ahead, so that the delay is
    /// one frame (``AACEncoder/delay``), not two and 64 sample frames: attacks are anticipated less well. At a constant bit rate no unit takes more than
    /// its share, so that none waits for the bits of another; an average or variable bit rate has no such limit. What it costs in
    /// quality is in Documentation/Internals/Encoder.md.
    public var lowDelay = false

    /// The number of sample frames of the core in an access unit: one of ``frameLengths``.
    ///
    /// In AAC-LD and AAC-ELD it is one of 512 and 480, and the default stands for the first of these.
    public var frameLength = AACEncoderSettings.defaultFrameLength

    /// The use of SBR in AAC-ELD; in other profiles only ``LowDelaySBR/automatic`` is valid.
    public var lowDelaySBR = LowDelaySBR.automatic

    /// The group of units that a transport of a fixed rate demands; `nil` for other uses.
    ///
    /// It determines the frame length and the rate control: the units of a group take exactly the bytes that it has for them, and the number of units is
    /// that of whole groups. The profile is that of the group unless it is set, and never AAC-LD or AAC-ELD.
    public var rateGroup: RateGroup?

    /// The highest coded frequency, in hertz, from 1000 to half the sample rate; `nil` to choose by bit rate.
    ///
    /// In HE-AAC, HE-AAC v2 and AAC-ELD with SBR the bandwidth follows from the bit rate, and only `nil` is valid.
    public var bandwidth: Int?

    /// Whether noise-like bands may be sent as their energy; MPEG-2 AAC has no such tool, and the encoder does not use it in AAC-LD and AAC-ELD.
    ///
    /// The default is `true`.
    public var usesNoiseSubstitution = true

    /// The treatment of input samples that are infinite or not a number.
    ///
    /// The default is to throw an error.
    public var invalidSamples = AACEncoderConfiguration.InvalidSamplePolicy.throwError

    /// Creates settings with the defaults.
    public init() {}

    /// The frame length without a setting.
    public static let defaultFrameLength = 1024

    /// The frame lengths that can be encoded, in every profile but AAC-LD and AAC-ELD; digital radio has 960.
    public static let frameLengths = [defaultFrameLength, 960]

    /// The frame lengths of AAC-LD and AAC-ELD.
    package static let lowDelayFrameLengths = [512, 480]
}
