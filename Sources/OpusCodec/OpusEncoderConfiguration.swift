// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The parameters of an ``OpusEncoder``.
///
/// Properties are checked when an encoder is created, not when they are set.
public struct OpusEncoderConfiguration: Hashable, Sendable {
    /// The kinds of use that the encoder can be tuned for.
    public enum Application: Hashable, Sendable, CaseIterable {
        /// Intelligible speech, with an input filter and the speech coder up to higher bit rates.
        case voice
        /// Faithful audio of any kind. The default.
        case audio
        /// The lowest delay, with 2.5 ms of look-ahead and no speech coder.
        case lowDelay
    }

    /// The bit rate modes.
    public enum BitRateMode: Hashable, Sendable, CaseIterable {
        /// The bit rate follows the signal, with a mean near the target. The default.
        case variable
        /// The bit rate follows the signal, with at most one frame of buffering.
        case constrained
        /// All packets have the same size.
        case constant
    }

    /// The expected kinds of signal.
    public enum Signal: Hashable, Sendable, CaseIterable {
        /// The encoder detects the kind of signal. The default.
        case automatic
        /// Speech.
        case voice
        /// Music.
        case music
    }

    /// The handling of input samples that are infinite or NaN.
    public enum InvalidSamplePolicy: Hashable, Sendable {
        /// Throw `CodecError.invalidSample`.
        case throwError
        /// Encode zero instead.
        case silence
    }

    /// The supported sample rates of encoder input and decoder output, in hertz.
    public static let sampleRates = [8000, 12_000, 16_000, 24_000, 48_000]

    /// The complexities, from fastest to best.
    package static let complexities = 0...10

    package static let sourceBitDepths = 8...24

    /// The input sample rate, in hertz: one of ``sampleRates``.
    public var sampleRate: Int

    /// The input channel count, 1 to 8.
    public var channelCount: Int

    /// The channel mapping family, or `nil` for family 0 with one or two channels and family 1 with more.
    package var mappingFamily: Int?

    /// The target bit rate, in bits per second, within ``bitRates(channelCount:)``.
    public var bitRate: Int

    /// The bit rate mode.
    public var bitRateMode = BitRateMode.variable

    /// The kind of use that the encoder is tuned for.
    public var application = Application.audio

    /// The expected kind of signal.
    public var signal = Signal.automatic

    /// The complexity, from 0 (fastest) to 10 (best, the default).
    public var complexity = 10

    /// The packet duration, by default 20 ms.
    public var frameDuration = OpusFrameDuration.milliseconds20

    /// Whether packets also carry a low-bit-rate copy of the previous speech packet (forward error correction).
    ///
    /// Only the speech coder supports it, and only if ``expectedPacketLoss`` is above 0. The default is `false`.
    public var usesForwardErrorCorrection = false

    /// The expected packet loss, in percent from 0 (the default) to 100.
    public var expectedPacketLoss = 0

    /// Whether the encoder outputs one-byte packets, which need not be transmitted, during silence or background noise.
    ///
    /// The default is `false`.
    public var usesDiscontinuousTransmission = false

    /// The bit depth of the original input, 8 to 24 (the default), below which noise is not coded.
    package var sourceBitDepth = 24

    /// Whether the encoder analyses the 80 ms after a packet before encoding it, which detects speech, music and tones earlier.
    ///
    /// This delays packets, not the decoded signal. The default is `true`, which gives the same packets as opusenc.
    package var looksAhead = true

    /// The analysis look-ahead after a packet, in sample frames at 48 kHz.
    static let analysisLookAhead = 3840

    /// The sample rate of the original before resampling, in hertz, for the identification header, or `nil` for ``sampleRate``.
    package var originalSampleRate: Int?

    /// The speakers in input order, or `nil` for WAV order.
    public var inputLayout: ChannelLayout?

    /// The handling of input samples that are infinite or NaN, by default an error.
    public var invalidSamples = InvalidSamplePolicy.throwError

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - sampleRate: The input sample rate, in hertz: one of ``sampleRates``.
    ///   - channelCount: The input channel count, 1 to 8.
    ///   - bitRate: The target bit rate, in bits per second, or `nil` for the default of the channel count.
    public init(sampleRate: Int = 48_000, channelCount: Int, bitRate: Int? = nil) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitRate = bitRate ?? Self.defaultBitRate(channelCount: channelCount)
    }

    /// Returns the default bit rate, as in opusenc: 64 kb/s for each mono stream and 96 kb/s for each stereo stream.
    ///
    /// - Parameter channelCount: The channel count, 1 to 8.
    /// - Returns: The bit rate, in bits per second. A channel count out of range counts as one channel.
    package static func defaultBitRate(channelCount: Int) -> Int {
        guard let mapping = try? OpusChannelMapping(channelCount: channelCount) else { return 64_000 }
        return 64_000 * mapping.streamCount + 32_000 * mapping.coupledCount
    }

    /// Returns the supported bit rates: from 6 kb/s per stream to 255 kb/s per channel.
    ///
    /// Two channels reach the maximum of an Opus stream, 510 kb/s (RFC 6716 2.1.1).
    ///
    /// - Parameter channelCount: The channel count, 1 to 8.
    /// - Returns: The bit rates, in bits per second. A channel count out of range counts as one channel.
    public static func bitRates(channelCount: Int) -> ClosedRange<Int> {
        guard let mapping = try? OpusChannelMapping(channelCount: channelCount) else { return 6000...255_000 }
        return 6000 * mapping.streamCount...255_000 * channelCount
    }
}

extension OpusEncoderConfiguration {
    /// Validates all properties and returns the channel mapping.
    ///
    /// - Throws: The `CodecError` of the first unsupported property.
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
