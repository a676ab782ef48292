// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
public import OpusCodec

/// The codec of a file that a `FileEncoder` writes.
public enum FileCodec: Hashable, Sendable {
    /// AAC.
    case aac
    /// Opus.
    case opus(OpusParameters)
}

/// The parameters of Opus in files and recordings; the format follows from the input.
public struct OpusParameters: Hashable, Sendable {
    /// The target bit rate in bits per second; nil for the encoder's default, 64 kb/s for one channel and 96 kb/s for two.
    public var bitRate: Int?
    /// The way in which the bit rate may vary.
    public var bitRateMode = OpusEncoderConfiguration.BitRateMode.variable
    /// The purpose for which the encoder is tuned.
    public var application = OpusEncoderConfiguration.Application.audio
    /// The kind of signal.
    public var signal = OpusEncoderConfiguration.Signal.automatic
    /// The processing time spent on a frame, from 0 (fastest) to 10 (best).
    public var complexity = 10
    /// The duration of a packet.
    public var frameDuration = OpusFrameDuration.milliseconds20
    /// Whether packets carry a copy of the speech before them.
    public var usesForwardErrorCorrection = false
    /// The loss of packets that the encoder prepares for, in per cent.
    public var expectedPacketLoss = 0
    /// Whether silence takes packets of one byte.
    public var usesDiscontinuousTransmission = false

    /// Creates parameters with the defaults.
    public init() {}

    /// Returns the configuration of an encoder for input of some format.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the original in hertz; one that Opus does not take is converted to the next higher one.
    ///   - channelCount: The number of channels.
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
