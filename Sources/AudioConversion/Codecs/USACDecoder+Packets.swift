// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioPrimitives
public import USACCodec

extension USACDecoder: AudioPacketDecoder {
    /// The configuration of the stream.
    public var codecConfiguration: CodecConfiguration { .aac(audioSpecificConfig) }
    /// The number of sample frames that a unit decodes to.
    public var framesPerPacket: Int { frameLength }

    /// Decodes a unit.
    public func decodePacket(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodedPacket {
        DecodedPacket(decode(packet, into: &buffer), byteCount: packet.count)
    }

    /// Conceals a unit that did not arrive.
    @discardableResult
    public func concealPacket(into buffer: inout PCMBuffer) -> DecodedPacket { DecodedPacket(conceal(into: &buffer), byteCount: 0) }
}

extension DecodedPacket {
    /// Creates the outcome of decoding a unit of USAC.
    fileprivate init(_ unit: USACDecodedUnit, byteCount: Int) {
        self.init(damage: unit.damage, byteCount: byteCount, hasNewFormat: unit.hasNewFormat)
    }
}
