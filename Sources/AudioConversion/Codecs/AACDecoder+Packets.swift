// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioContainers
public import AudioPrimitives

extension AACDecoder: AudioPacketDecoder {
    /// The configuration of the stream.
    public var codecConfiguration: CodecConfiguration { .aac(configuration) }
    /// The number of sample frames that a unit decodes to.
    public var framesPerPacket: Int { frameLength }

    /// Decodes a unit, or its first raw data block.
    public func decodePacket(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodedPacket {
        DecodedPacket(decode(packet, into: &buffer))
    }

    /// Conceals a unit that did not arrive.
    @discardableResult
    public func concealPacket(into buffer: inout PCMBuffer) -> DecodedPacket { DecodedPacket(conceal(into: &buffer)) }
}

extension DecodedPacket {
    /// Creates the outcome of decoding a unit of AAC.
    fileprivate init(_ unit: DecodedUnit) {
        self.init(
            damage: unit.damage, byteCount: unit.byteCount, hasNewFormat: unit.hasNewFormat, lacksHighBand: unit.lacksHighBand)
    }
}
