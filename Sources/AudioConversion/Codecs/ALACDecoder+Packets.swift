// SPDX-License-Identifier: Apache-2.0

public import ALACCodec
public import AudioContainers
public import AudioPrimitives

extension ALACDecoder: AudioPacketDecoder {
    /// The configuration of the stream.
    public var codecConfiguration: CodecConfiguration { .alac(configuration) }

    /// Decodes a packet; a damaged one becomes silence of the usual length.
    public func decodePacket(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodeResult<any Error> {
        let isNew = buffer.adapt(sampleRate: sampleRate, channelCount: channelCount, frameCount: framesPerPacket)
        do throws(CodecError) {
            try decode(packet, into: &buffer)
            return DecodeResult(byteCount: packet.count, hasNewFormat: isNew)
        } catch {
            conceal(into: &buffer)
            return DecodeResult(damage: error, byteCount: packet.count, hasNewFormat: isNew)
        }
    }

    /// Writes silence in the place of a packet that did not arrive.
    @discardableResult
    public func concealPacket(into buffer: inout PCMBuffer) -> DecodeResult<any Error> {
        let isNew = buffer.adapt(sampleRate: sampleRate, channelCount: channelCount, frameCount: framesPerPacket)
        conceal(into: &buffer)
        return DecodeResult(byteCount: 0, hasNewFormat: isNew)
    }

    /// Does nothing: packets don't depend on each other.
    public func reset() {}

    /// Whether single precision does not hold the samples of the stream.
    var needsIntegers: Bool { configuration.bitDepth > 24 }
}
