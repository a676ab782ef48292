// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioPrimitives
public import OpusCodec

extension OpusDecoder: AudioPacketDecoder {
    /// The configuration of the stream.
    public var codecConfiguration: CodecConfiguration { .opus(configuration) }

    /// Decodes a packet.
    public func decodePacket(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodeResult<any Error> {
        DecodeResult(decode(packet, into: &buffer))
    }

    /// Conceals a packet as long as the latest one.
    @discardableResult
    public func concealPacket(into buffer: inout PCMBuffer) -> DecodeResult<any Error> {
        do throws(CodecError) {
            return DecodeResult(try conceal(into: &buffer))
        } catch {
            preconditionFailure("the duration of the latest packet is supported: \(error)")
        }
    }
}
