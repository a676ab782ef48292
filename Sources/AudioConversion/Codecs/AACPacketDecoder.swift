// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec
public import AudioContainers
public import AudioPrimitives
public import MPEG4Audio

/// Decodes access units of AAC.
public final class AACPacketDecoder: AudioPacketDecoder {
    /// The decoder of this package.
    public let decoder: AACDecoder

    /// Creates a decoder for a stream.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the stream.
    ///   - options: The order and number of the channels of the output.
    /// - Throws: `AACError` if the object type or the number of channels is unsupported.
    public init(_ configuration: AudioSpecificConfig, options: AACDecoderOptions = AACDecoderOptions()) throws(AACError) {
        decoder = try AACDecoder(configuration, options: options)
    }

    /// The configuration of the stream.
    public var configuration: CodecConfiguration { .aac(decoder.configuration) }
    /// The sample rate of the output, in hertz.
    public var sampleRate: Int { decoder.sampleRate }
    /// The number of channels of the output; 0 while no unit has told the layout.
    public var channelCount: Int { decoder.channelCount }
    /// The speakers of the output, if known.
    public var channelLayout: ChannelLayout? { decoder.channelLayout }
    /// The number of sample frames that a unit decodes to.
    public var framesPerPacket: Int { decoder.frameLength }
    /// The delay of SBR, else 0.
    public var delay: Int { decoder.delay }
    /// The spans of the elements of the last unit; empty if it was damaged.
    public var elementSpans: [ElementSpan] { decoder.elementSpans }

    /// Decodes a unit, or its first raw data block.
    public func decode(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodedPacket {
        DecodedPacket(decoder.decode(packet, into: &buffer))
    }

    /// Conceals a unit that did not arrive.
    @discardableResult
    public func conceal(into buffer: inout PCMBuffer) -> DecodedPacket { DecodedPacket(decoder.conceal(into: &buffer)) }

    /// Discards the history; the first unit fades in.
    public func reset() { decoder.reset() }
}

extension DecodedPacket {
    /// Creates the outcome of decoding a unit of AAC.
    init(_ unit: DecodedUnit) {
        self.init(damage: unit.damage, byteCount: unit.byteCount, hasNewFormat: unit.hasNewFormat)
    }
}
