// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioContainers
public import AudioPrimitives

extension AACDecoder: AudioPacketDecoder {
    /// The configuration of the stream.
    public var codecConfiguration: CodecConfiguration { .aac(configuration) }

    /// Decodes a unit, or its first raw data block.
    public func decodePacket(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodeResult<any Error> {
        DecodeResult(decode(packet, into: &buffer))
    }

    /// Conceals a unit that did not arrive.
    @discardableResult
    public func concealPacket(into buffer: inout PCMBuffer) -> DecodeResult<any Error> { DecodeResult(conceal(into: &buffer)) }
}
