// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// A decoder of Apple Lossless packets to 32-bit floating-point samples, which are exact up to 24 bits.
///
/// Packets are independent of each other. Decoding can start at any packet, and a damaged packet does not affect others. Packets from
/// untrusted sources are safe to decode. Use a decoder on one thread at a time.
///
/// ```swift
/// let decoder = try ALACDecoder(configuration)
/// var buffer = PCMBuffer(sampleRate: decoder.sampleRate, channelCount: decoder.channelCount, frameCapacity: decoder.framesPerPacket)
/// let outcome = decoder.decode(packet.span, into: &buffer)
/// ```
public final class ALACDecoder {
    /// The configuration from the magic cookie.
    public let configuration: ALACConfiguration

    private var packet: PacketDecoder
    /// The integers of a packet that is decoded to floating point.
    private var integers = ALACSamples()

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - configuration: The configuration from the magic cookie.
    ///   - usesWAVOrder: Whether output channels are in WAV order instead of stream order. In stream order, the centre is first for three
    ///     or more channels.
    /// - Throws: `CodecError` if a field is out of range.
    public init(_ configuration: ALACConfiguration, usesWAVOrder: Bool = false) throws(CodecError) {
        try configuration.validate()
        self.configuration = configuration
        let coded = configuration.channelLayout
        let delivered = usesWAVOrder ? coded?.inWAVOrder : coded
        channelLayout = delivered
        // The layout is known for every channel count.
        let order = delivered.flatMap { coded?.permutation(from: $0) }
        packet = PacketDecoder(configuration, order: order ?? Array(0..<configuration.channelCount))
    }

    /// The output sample rate, in hertz.
    public var sampleRate: Int { configuration.sampleRate }

    /// The output channel count.
    public var channelCount: Int { configuration.channelCount }

    /// The maximum number of sample frames per packet.
    ///
    /// Only the last packet of a stream can be shorter.
    public var framesPerPacket: Int { configuration.frameLength }

    /// The former name of ``framesPerPacket``.
    @available(*, deprecated, renamed: "framesPerPacket")
    public var frameLength: Int { framesPerPacket }

    /// The speakers in output order.
    public let channelLayout: ChannelLayout?

    /// Decodes a packet to integers of the stream's bit depth.
    ///
    /// - Parameter samples: Receives the integers and keeps its storage. Has no frames after an error.
    /// - Throws: `CodecError`.
    package func decode(_ packet: Span<UInt8>, into samples: inout ALACSamples) throws(CodecError) {
        samples.prepare(configuration)
        samples.frameCount = try self.packet.decode(packet, into: &samples.samples)
    }

    /// Decodes a packet to floating point, which is exact up to 24 bits and rounds 32-bit samples.
    ///
    /// A damaged packet becomes silence of the usual length, and the damage is returned.
    ///
    /// - Parameters:
    ///   - packet: The packet.
    ///   - buffer: Receives the output. Nothing is allocated if its sample rate, channel count and capacity match; otherwise it is
    ///     replaced.
    /// - Returns: The damage, if any, and whether the buffer was replaced.
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

    /// Fills a buffer with silence of the usual length, for a lost packet.
    ///
    /// - Parameter buffer: Receives the output, as in ``decode(_:into:)-(_,PCMBuffer)``.
    /// - Returns: A result without damage.
    @discardableResult
    public func conceal(into buffer: inout PCMBuffer) -> DecodeResult {
        let isNew = prepare(&buffer)
        buffer.frameCount = framesPerPacket
        for channel in 0..<channelCount {
            for index in buffer.range(ofChannel: channel) { buffer.samples[index] = 0 }
        }
        return DecodeResult(byteCount: 0, hasNewFormat: isNew)
    }

    /// Does nothing, because packets are independent of each other.
    public func reset() {}

    /// Adapts a buffer to the output, empties it, and returns whether it was replaced.
    private func prepare(_ buffer: inout PCMBuffer) -> Bool {
        let fits = buffer.sampleRate == sampleRate && buffer.channelCount == channelCount && buffer.frameCapacity >= framesPerPacket
        if !fits { buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: framesPerPacket) }
        buffer.frameCount = 0
        return !fits
    }
}
