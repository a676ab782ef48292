// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers
public import AudioPrimitives
public import OpusCodec

/// Encodes Opus through libopus.
public final class OpusPacketEncoder: AudioPacketEncoder {
    /// The encoder of this package.
    public let encoder: OpusEncoder

    /// Creates an encoder.
    ///
    /// - Parameter configuration: The format of the input and the parameters of the stream.
    /// - Throws: `OpusError` if the library is missing, or a parameter is unsupported.
    public init(_ configuration: OpusEncoderConfiguration) throws(OpusError) { encoder = try OpusEncoder(configuration) }

    /// The identification header of the stream.
    public var configuration: CodecConfiguration { .opus(encoder.opusConfiguration) }
    /// The sample rate of the input, in hertz.
    public var sampleRate: Int { encoder.configuration.sampleRate }
    /// The number of channels of the input.
    public var channelCount: Int { encoder.configuration.channelCount }
    /// Always 48 000, whatever the rate of the input is.
    public var timescale: Int { OpusConfiguration.sampleRate }
    /// The number of sample frames in a packet, at 48 kHz.
    public var framesPerPacket: Int { encoder.unitLength }
    /// The pre-skip, at 48 kHz.
    public var primingFrames: Int { encoder.delay }
    /// The number of bytes that no packet exceeds.
    public var maximumPacketByteCount: Int { encoder.maximumPacketByteCount }
    /// The target bit rate.
    public var bitRate: Int? { encoder.configuration.bitRate }

    /// The bit rates for the channels.
    public var applicableBitRates: [ClosedRange<Int>] { [OpusEncoderConfiguration.bitRates(channelCount: channelCount)] }

    /// Encodes a buffer.
    public func encode(_ buffer: PCMBuffer, _ body: (AccessUnit) throws -> Void) throws { try encoder.encode(buffer, body) }

    /// Encodes the remaining samples and ends the stream.
    public func finish(_ body: (AccessUnit) throws -> Void) throws -> GaplessInfo { try encoder.finish(body) }

    /// Changes the target bit rate from the next packet on.
    public func setBitRate(_ bitRate: Int) throws { try encoder.setBitRate(bitRate) }

    /// Discards all input and history.
    public func reset() { encoder.reset() }
}
