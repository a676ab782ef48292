// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The parameters of an ``OpusEncoder``.
///
/// A configuration is a plain value. Its properties are checked when an encoder is made from it, not when they are set.
public struct OpusEncoderConfiguration: Hashable, Sendable {
    /// The purposes for which the encoder can be tuned.
    public enum Application: Hashable, Sendable, CaseIterable {
        /// Intelligible speech: an input filter, and the speech coder up to higher bit rates.
        case voice
        /// Faithful audio of any kind. The default.
        case audio
        /// The lowest delay: 2.5 ms of look-ahead, and no speech coder.
        case lowDelay
    }

    /// The ways in which the bit rate may vary.
    public enum BitRateMode: Hashable, Sendable, CaseIterable {
        /// The bit rate follows the signal; its mean is near the target. The default.
        case variable
        /// The bit rate follows the signal within the size of one frame's buffer.
        case constrained
        /// All packets have the same size.
        case constant
    }

    /// The kinds of signal that the encoder may expect.
    public enum Signal: Hashable, Sendable, CaseIterable {
        /// The encoder detects the kind. The default.
        case automatic
        /// Speech.
        case voice
        /// Music.
        case music
    }

    /// The treatment of input samples that are infinite or not a number.
    public enum InvalidSamplePolicy: Hashable, Sendable {
        /// Throw `CodecError.invalidSample`.
        case throwError
        /// Encode zero in place of the sample.
        case silence
    }

    /// The sample rates that the encoder takes and the decoder gives, in hertz.
    public static let sampleRates = [8000, 12_000, 16_000, 24_000, 48_000]

    /// The complexities, from the fastest to the best.
    package static let complexities = 0...10

    /// The bit depths of the input, in bits.
    package static let sourceBitDepths = 8...24

    /// The sample rate of the input, in hertz: one of ``sampleRates``.
    public var sampleRate: Int

    /// The number of channels of the input, 1 to 8.
    public var channelCount: Int

    /// The channel mapping family; nil for 0 with one or two channels and 1 with more.
    package var mappingFamily: Int?

    /// The target bit rate, in bits per second: in ``bitRates(channelCount:)``.
    public var bitRate: Int

    /// The way in which the bit rate may vary.
    public var bitRateMode = BitRateMode.variable

    /// The purpose for which the encoder is tuned.
    public var application = Application.audio

    /// The kind of signal.
    public var signal = Signal.automatic

    /// The processing time spent on a frame, from 0 (fastest) to 10 (best).
    ///
    /// The default is 10.
    public var complexity = 10

    /// The duration of a packet.
    ///
    /// The default is 20 ms.
    public var frameDuration = OpusFrameDuration.milliseconds20

    /// Whether packets carry a copy of the speech before them at a low bit rate, from which a lost packet can be decoded.
    ///
    /// Only the speech coder has it, and only if ``expectedPacketLoss`` is above 0.
    ///
    /// The default is `false`.
    public var usesForwardErrorCorrection = false

    /// The loss of packets that the encoder prepares for, in per cent from 0 to 100.
    ///
    /// The default is 0.
    public var expectedPacketLoss = 0

    /// Whether the encoder sends packets of one byte, which need not be transmitted, while there is silence or background noise.
    ///
    /// The default is `false`.
    public var usesDiscontinuousTransmission = false

    /// The number of bits that the samples of the input had, 8 to 24; noise below them is not coded.
    ///
    /// The default is 24.
    package var sourceBitDepth = 24

    /// Whether a packet is encoded when the 80 ms after it are known too, which lets the detection of speech, music and tones decide earlier.
    ///
    /// It delays packets, not the decoded signal. The default is `true`; it makes the packets the same as those of opusenc.
    package var looksAhead = true

    /// The number of sample frames at 48 kHz that are analysed after a packet.
    static let analysisLookAhead = 3840

    /// The sample rate of the original before it was resampled, in hertz, for the identification header; nil for ``sampleRate``.
    package var originalSampleRate: Int?

    /// The speakers of the input's channels, in order; nil for the order that WAV files have.
    public var inputLayout: ChannelLayout?

    /// The treatment of input samples that are infinite or not a number.
    ///
    /// The default is to throw an error.
    public var invalidSamples = InvalidSamplePolicy.throwError

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the input, in hertz: one of ``sampleRates``.
    ///   - channelCount: The number of channels of the input, 1 to 8.
    ///   - bitRate: The target bit rate, in bits per second; nil for that of the number of channels.
    public init(sampleRate: Int = 48_000, channelCount: Int, bitRate: Int? = nil) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitRate = bitRate ?? Self.defaultBitRate(channelCount: channelCount)
    }

    /// The default bit rate: 64 kb/s for each stream of one channel and 96 kb/s for each of two, as opusenc has it.
    ///
    /// - Parameter channelCount: The number of channels, 1 to 8.
    /// - Returns: The bit rate, in bits per second; that of one channel for numbers out of range.
    package static func defaultBitRate(channelCount: Int) -> Int {
        guard let mapping = try? OpusChannelMapping(channelCount: channelCount) else { return 64_000 }
        return 64_000 * mapping.streamCount + 32_000 * mapping.coupledCount
    }

    /// The supported bit rates, in bits per second: 6 kb/s for each stream up to 255 kb/s for each channel.
    ///
    /// Two channels reach the 510 kb/s that a stream of Opus can have (RFC 6716 2.1.1).
    ///
    /// - Parameter channelCount: The number of channels, 1 to 8.
    /// - Returns: The bit rates; those of one channel for numbers out of range.
    public static func bitRates(channelCount: Int) -> ClosedRange<Int> {
        guard let mapping = try? OpusChannelMapping(channelCount: channelCount) else { return 6000...255_000 }
        return 6000 * mapping.streamCount...255_000 * channelCount
    }
}

extension OpusEncoderConfiguration {
    /// Checks all properties, and returns the channel mapping.
    ///
    /// - Throws: `CodecError` of the first property that is unsupported.
    func validatedMapping() throws(CodecError) -> OpusChannelMapping {
        guard Self.sampleRates.contains(sampleRate) else { throw .unsupportedSampleRate(sampleRate, allowed: Self.sampleRates) }
        let mapping = try OpusChannelMapping(channelCount: channelCount, family: mappingFamily)
        let bitRates = Self.bitRates(channelCount: channelCount)
        guard bitRates.contains(bitRate) else { throw .unsupportedBitRate(bitRate, allowed: bitRates) }
        guard Self.complexities.contains(complexity) else {
            throw .unsupportedComplexity(complexity, allowed: Self.complexities)
        }
        guard (0...100).contains(expectedPacketLoss) else { throw .unsupportedPacketLoss(expectedPacketLoss, allowed: 0...100) }
        guard Self.sourceBitDepths.contains(sourceBitDepth) else {
            throw .unsupportedBitDepth(sourceBitDepth, allowed: Array(Self.sourceBitDepths))
        }
        return mapping
    }
}
