// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
public import OpusCodec

/// The codec of a `FileEncoder` output.
public enum FileCodec: Hashable, Sendable {
    /// AAC, with the settings of the file.
    case aac
    /// Opus, with its own parameters.
    case opus(OpusParameters)
    /// Apple Lossless with the input's bit depth, or 16 bits in recordings.
    case alac
}

/// Opus parameters for files and recordings.
///
/// The format follows from the input.
public struct OpusParameters: Hashable, Sendable {
    /// The target bit rate, in bits per second, or `nil` for the encoder's default: 64 kbit/s for mono, 96 kbit/s for stereo.
    public var bitRate: Int?
    /// Constant, variable or constrained variable bit rate.
    public var bitRateMode = OpusEncoderConfiguration.BitRateMode.variable
    /// The application that the encoder is tuned for.
    public var application = OpusEncoderConfiguration.Application.audio
    /// The kind of signal: automatic, voice or music.
    public var signal = OpusEncoderConfiguration.Signal.automatic
    /// The computational complexity, from 0 (fastest) to 10 (best).
    public var complexity = 10
    /// The packet duration.
    public var frameDuration = OpusFrameDuration.milliseconds20
    /// Whether packets carry a copy of the previous packet's speech (in-band FEC).
    public var usesForwardErrorCorrection = false
    /// The expected packet loss, in percent.
    public var expectedPacketLoss = 0
    /// Whether silence is coded in one-byte packets (DTX).
    public var usesDiscontinuousTransmission = false

    /// Creates parameters with the defaults.
    public init() {}

    /// Returns the encoder configuration for an input format.
    ///
    /// - Parameter sampleRate: The original sample rate, in hertz. An unsupported one is converted to the next higher rate that Opus
    ///   supports.
    package func encoderConfiguration(sampleRate: Int, channelCount: Int) -> OpusEncoderConfiguration {
        let rate = OpusEncoderConfiguration.sampleRates.first { $0 >= sampleRate } ?? OpusConfiguration.sampleRate
        var result = OpusEncoderConfiguration(sampleRate: rate, channelCount: channelCount, bitRate: bitRate)
        result.originalSampleRate = sampleRate
        result.bitRateMode = bitRateMode
        result.application = application
        result.signal = signal
        result.complexity = complexity
        result.frameDuration = frameDuration
        result.usesForwardErrorCorrection = usesForwardErrorCorrection
        result.expectedPacketLoss = expectedPacketLoss
        result.usesDiscontinuousTransmission = usesDiscontinuousTransmission
        return result
    }
}
