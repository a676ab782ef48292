// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioPrimitives
public import USACCodec

extension USACDecoder: AudioPacketDecoder {
    /// The configuration of the stream.
    public var codecConfiguration: CodecConfiguration { .aac(audioSpecificConfig) }

    /// Decodes a unit.
    public func decodePacket(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodeResult<any Error> {
        DecodeResult(decode(packet, into: &buffer))
    }

    /// Conceals a unit that did not arrive.
    @discardableResult
    public func concealPacket(into buffer: inout PCMBuffer) -> DecodeResult<any Error> { DecodeResult(conceal(into: &buffer)) }
}
