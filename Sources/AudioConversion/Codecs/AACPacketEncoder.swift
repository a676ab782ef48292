// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec
public import AudioContainers
public import AudioPrimitives

/// Encodes AAC-LC, HE-AAC or HE-AAC v2.
public final class AACPacketEncoder: AudioPacketEncoder {
    /// The encoder of this package.
    public let encoder: AACEncoder

    /// Creates an encoder.
    ///
    /// - Parameter configuration: The format of the input and the parameters of the stream.
    /// - Throws: `AACError` if a parameter is unsupported or out of range.
    public init(_ configuration: AACEncoderConfiguration) throws(AACError) { encoder = try AACEncoder(configuration) }

    /// The configuration that a decoder needs before the first unit.
    public var configuration: CodecConfiguration { .aac(encoder.audioSpecificConfig) }
    /// The sample rate of the input, in hertz.
    public var sampleRate: Int { encoder.configuration.sampleRate }
    /// The number of channels of the input.
    public var channelCount: Int { encoder.configuration.channelCount }
    /// The number of sample frames in a unit: 1024, or 2048 with SBR.
    public var framesPerPacket: Int { encoder.unitLength }
    /// The number of decoded sample frames before the first input sample.
    public var primingFrames: Int { encoder.delay }
    /// The size of a decoder's input buffer: 6144 bits a channel (ISO/IEC 14496-3:2009, 4.5.3).
    public var maximumPacketByteCount: Int { 768 * channelCount }
    /// The target bit rate; nil for constant quality.
    public var bitRate: Int? { encoder.bitRate }

    /// The bit rates of the profile for the sample rate and the channels.
    public var applicableBitRates: [ClosedRange<Int>] {
        [AACEncoderConfiguration.bitRates(sampleRate: sampleRate, channelCount: channelCount, profile: encoder.profile)]
    }

    /// Encodes a buffer.
    public func encode(_ buffer: PCMBuffer, _ body: (AccessUnit) throws -> Void) throws { try encoder.encode(buffer, body) }

    /// Encodes the remaining samples and ends the stream.
    public func finish(_ body: (AccessUnit) throws -> Void) throws -> GaplessInfo { try encoder.finish(body) }

    /// Changes the target bit rate from the next unit on.
    public func setBitRate(_ bitRate: Int) throws { try encoder.setBitRate(bitRate) }

    /// Discards all input and history.
    public func reset() { encoder.reset() }
}
