// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import ALACCodec
public import AudioContainers
public import AudioPrimitives

/// Decodes packets of Apple Lossless; the channels of the output are in the order of WAV files.
public final class ALACPacketDecoder: AudioPacketDecoder {
    private let decoder: ALACDecoder
    /// The integers of the latest packet.
    private(set) var integers = ALACSamples()

    /// Creates a decoder for a stream.
    ///
    /// - Parameter configuration: The configuration of the stream, from its magic cookie.
    /// - Throws: `ALACError` if a field is out of range.
    public init(_ configuration: ALACConfiguration) throws { decoder = try ALACDecoder(configuration, usesWAVOrder: true) }

    /// The configuration of the stream.
    public var configuration: CodecConfiguration { .alac(decoder.configuration) }
    /// The sample rate of the output, in hertz.
    public var sampleRate: Int { decoder.sampleRate }
    /// The number of channels of the output.
    public var channelCount: Int { decoder.channelCount }
    /// The speakers of the output, in the order of WAV files.
    public var channelLayout: ChannelLayout? { decoder.channelLayout }
    /// The number of sample frames in a packet; the last one may have fewer.
    public var framesPerPacket: Int { decoder.frameLength }
    /// Always 0.
    public var delay: Int { 0 }

    /// Decodes a packet; a damaged one becomes silence of the usual length.
    public func decode(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodedPacket {
        let isNew = buffer.adapt(sampleRate: sampleRate, channelCount: channelCount, frameCount: framesPerPacket)
        do throws(ALACError) {
            try decoder.decode(packet, into: &buffer)
            return DecodedPacket(byteCount: packet.count, hasNewFormat: isNew)
        } catch {
            decoder.conceal(into: &buffer)
            return DecodedPacket(damage: error, byteCount: packet.count, hasNewFormat: isNew)
        }
    }

    /// Decodes a packet to ``integers``, which have all bits of the stream; a damaged one has no frames.
    func decodeIntegers(_ packet: Span<UInt8>) -> DecodedPacket {
        do throws(ALACError) {
            try decoder.decode(packet, into: &integers)
            return DecodedPacket(byteCount: packet.count, hasNewFormat: false)
        } catch {
            return DecodedPacket(damage: error, byteCount: packet.count, hasNewFormat: false)
        }
    }

    /// Whether single precision does not hold the samples of the stream.
    var needsIntegers: Bool { decoder.configuration.bitDepth > 24 }

    /// Writes silence in the place of a packet that did not arrive.
    @discardableResult
    public func conceal(into buffer: inout PCMBuffer) -> DecodedPacket {
        let isNew = buffer.adapt(sampleRate: sampleRate, channelCount: channelCount, frameCount: framesPerPacket)
        decoder.conceal(into: &buffer)
        return DecodedPacket(byteCount: 0, hasNewFormat: isNew)
    }

    /// Does nothing: packets don't depend on each other.
    public func reset() {}
}
