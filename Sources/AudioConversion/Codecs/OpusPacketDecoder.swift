// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers
public import AudioPrimitives
public import OpusCodec

/// Decodes packets of Opus through libopus.
public final class OpusPacketDecoder: AudioPacketDecoder {
    /// The decoder of this package.
    public let decoder: OpusDecoder

    /// Creates a decoder for a stream.
    ///
    /// - Parameters:
    ///   - configuration: The identification header of the stream.
    ///   - options: The rate, the order of the channels and the gain of the output.
    /// - Throws: `OpusError` if the library is missing or the rate is unsupported.
    public init(_ configuration: OpusConfiguration, options: OpusDecoderOptions = OpusDecoderOptions()) throws(OpusError) {
        decoder = try OpusDecoder(configuration, options: options)
    }

    /// The configuration of the stream.
    public var configuration: CodecConfiguration { .opus(decoder.configuration) }
    /// The sample rate of the output, in hertz.
    public var sampleRate: Int { decoder.sampleRate }
    /// The number of channels of the output.
    public var channelCount: Int { decoder.channelCount }
    /// The speakers of the output.
    public var channelLayout: ChannelLayout? { decoder.channelLayout }
    /// The room for the longest packet: 120 ms.
    public var framesPerPacket: Int { decoder.maximumFrameCount }
    /// None beside the pre-skip, which is priming.
    public var delay: Int { 0 }

    /// Decodes a packet.
    public func decode(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodedPacket {
        let outcome = decoder.decode(packet, into: &buffer)
        return DecodedPacket(damage: outcome.damage, byteCount: packet.count, hasNewFormat: outcome.hasNewFormat)
    }

    /// Conceals a packet as long as the latest one.
    @discardableResult
    public func conceal(into buffer: inout PCMBuffer) -> DecodedPacket {
        do throws(OpusError) {
            return DecodedPacket(byteCount: 0, hasNewFormat: try decoder.conceal(into: &buffer).hasNewFormat)
        } catch {
            preconditionFailure("the duration of the latest packet is supported: \(error)")
        }
    }

    /// Discards the history.
    public func reset() { decoder.reset() }
}
