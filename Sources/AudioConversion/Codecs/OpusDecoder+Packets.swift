// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioPrimitives
public import OpusCodec

extension OpusDecoder: AudioPacketDecoder {
    /// The configuration of the stream.
    public var codecConfiguration: CodecConfiguration { .opus(configuration) }
    /// The room for the longest packet: 120 ms.
    public var framesPerPacket: Int { maximumFrameCount }

    /// Decodes a packet.
    public func decodePacket(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodedPacket {
        let outcome = decode(packet, into: &buffer)
        return DecodedPacket(damage: outcome.damage, byteCount: packet.count, hasNewFormat: outcome.hasNewFormat)
    }

    /// Conceals a packet as long as the latest one.
    @discardableResult
    public func concealPacket(into buffer: inout PCMBuffer) -> DecodedPacket {
        do throws(OpusError) {
            return DecodedPacket(byteCount: 0, hasNewFormat: try conceal(into: &buffer).hasNewFormat)
        } catch {
            preconditionFailure("the duration of the latest packet is supported: \(error)")
        }
    }
}
