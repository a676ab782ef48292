// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Decodes Apple Lossless packets to integers, exactly, or to 32-bit floating point.
///
/// Packets don't depend on each other, so that a decoder can begin with any of them, and a damaged one spoils no other. Packets from
/// untrusted sources are safe to decode. A decoder is used by one thread at a time.
///
/// ```swift
/// let decoder = try ALACDecoder(configuration)
/// var samples = ALACSamples()
/// try decoder.decode(packet.span, into: &samples)
/// ```
public final class ALACDecoder {
    /// The configuration of the stream.
    public let configuration: ALACConfiguration

    private var packet: PacketDecoder
    /// The integers of a packet that is decoded to floating point.
    private var integers = ALACSamples()

    /// Creates a decoder for a stream.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the stream, from its magic cookie.
    ///   - usesWAVOrder: Whether the channels of the output are in the order of WAV files; else they are in that of the stream, in which the
    ///     centre is the first of three channels and more.
    /// - Throws: `CodecError` if a field is out of range.
    public init(_ configuration: ALACConfiguration, usesWAVOrder: Bool = false) throws(CodecError) {
        try configuration.validate()
        self.configuration = configuration
        let coded = configuration.channelLayout
        let delivered = usesWAVOrder ? coded?.inWAVOrder : coded
        channelLayout = delivered
        // The layout of each number of channels is known.
        let order = delivered.flatMap { coded?.permutation(from: $0) }
        packet = PacketDecoder(configuration, order: order ?? Array(0..<configuration.channelCount))
    }

    /// The sample rate of the output, in hertz.
    public var sampleRate: Int { configuration.sampleRate }

    /// The number of channels of the output.
    public var channelCount: Int { configuration.channelCount }

    /// The largest number of sample frames that a packet decodes to; all but the last one of a stream have it.
    public var framesPerPacket: Int { configuration.frameLength }

    /// The former name of ``framesPerPacket``.
    @available(*, deprecated, renamed: "framesPerPacket")
    public var frameLength: Int { framesPerPacket }

    /// The loudspeakers of the channels, in the order of the output.
    public let channelLayout: ChannelLayout?

    /// Decodes a packet to integers of the bit depth of the stream.
    ///
    /// - Parameters:
    ///   - packet: The bytes of the packet.
    ///   - samples: The integers, which are replaced; their storage is kept. After an error they have no frames.
    /// - Throws: `CodecError`.
    package func decode(_ packet: Span<UInt8>, into samples: inout ALACSamples) throws(CodecError) {
        samples.prepare(configuration)
        samples.frameCount = try self.packet.decode(packet, into: &samples.samples)
    }

    /// Decodes a packet to floating point, which is exact up to 24 bits; 32 bits are rounded to the 24 of the format.
    ///
    /// A damaged packet becomes silence of the usual length, and its damage is returned.
    ///
    /// - Parameters:
    ///   - packet: The bytes of the packet.
    ///   - buffer: The buffer for the output. One with the sample rate, the channel count and the capacity of the output keeps its storage, so
    ///     that nothing is allocated; any other is replaced.
    /// - Returns: The damage, and whether the buffer was replaced.
    public func decode(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodeResult {
        do throws(CodecError) {
            try decode(packet, into: &integers)
        } catch {
            return DecodeResult(damage: error, byteCount: packet.count, hasNewFormat: conceal(into: &buffer).hasNewFormat)
        }
        let isNew = prepare(&buffer)
        integers.convert(into: &buffer)
        return DecodeResult(byteCount: packet.count, hasNewFormat: isNew)
    }

    /// Fills a buffer with silence of the usual length, in the place of a packet that did not arrive.
    ///
    /// - Parameter buffer: The buffer for the output, as in ``decode(_:into:)-(_,PCMBuffer)``.
    /// - Returns: An outcome without damage.
    @discardableResult
    public func conceal(into buffer: inout PCMBuffer) -> DecodeResult {
        let isNew = prepare(&buffer)
        buffer.frameCount = framesPerPacket
        for channel in 0..<channelCount {
            for index in buffer.range(ofChannel: channel) { buffer.samples[index] = 0 }
        }
        return DecodeResult(byteCount: 0, hasNewFormat: isNew)
    }

    /// Does nothing: packets don't depend on each other.
    public func reset() {}

    /// Makes a buffer fit the output, and empties it; returns whether it was replaced.
    private func prepare(_ buffer: inout PCMBuffer) -> Bool {
        let fits = buffer.sampleRate == sampleRate && buffer.channelCount == channelCount && buffer.frameCapacity >= framesPerPacket
        if !fits { buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: framesPerPacket) }
        buffer.frameCount = 0
        return !fits
    }
}
