// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioPrimitives

/// Decodes the packets of one codec to 32-bit floating point, one after the other.
///
/// A packet is the unit that a container stores: an access unit of AAC, a frame of iLBC. Packets from untrusted sources are safe to decode:
/// damage never traps, is reported and concealed. A decoder is used by one thread at a time. `AACDecoder`, `OpusDecoder` and `ALACDecoder`
/// conform themselves; `ILBCPacketDecoder` adapts the decoder of iLBC, which is a value that returns integers.
public protocol AudioPacketDecoder: AnyObject {
    /// The configuration of the stream.
    var codecConfiguration: CodecConfiguration { get }

    /// The sample rate of the output, in hertz; it can change with a packet, as where SBR is not signalled.
    var sampleRate: Int { get }

    /// The number of channels of the output; 0 while no packet has told the layout.
    var channelCount: Int { get }

    /// The speakers of the output; nil if they are unknown, or while no packet has told the layout.
    var channelLayout: ChannelLayout? { get }

    /// The number of sample frames that most packets decode to, and the room that any packet needs.
    var framesPerPacket: Int { get }

    /// The number of sample frames by which the decoder delays its output; the priming that encoders report includes them.
    var delay: Int { get }

    /// The spans of the elements of the last packet, for the checksum of ADTS; empty for codecs without elements.
    var elementSpans: [ElementSpan] { get }

    /// Decodes a packet, or the first block of one that holds several.
    ///
    /// - Parameters:
    ///   - packet: The bytes of the packet.
    ///   - buffer: The buffer for the output. One with the sample rate, the channel count and the capacity of the output keeps its storage; any
    ///     other is replaced.
    /// - Returns: The damage, the bytes read, and whether the format has changed.
    func decode(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodeResult

    /// Conceals a packet that did not arrive.
    ///
    /// - Parameter buffer: The buffer for the output, as in ``decode(_:into:)``.
    /// - Returns: An outcome without damage and bytes.
    @discardableResult
    func conceal(into buffer: inout PCMBuffer) -> DecodeResult

    /// Discards the history, as after a seek in the stream.
    func reset()
}

extension AudioPacketDecoder {
    /// No delay.
    public var delay: Int { 0 }

    /// No elements.
    public var elementSpans: [ElementSpan] { [] }

    /// The decoded sample frames for each one that the container counts: 2 where it does not signal SBR and counts those of the core.
    package var framesPerCountedFrame: Int { sampleRate == 2 * codecConfiguration.sampleRate ? 2 : 1 }
}

extension PCMBuffer {
    /// Makes the buffer one of a format with some frames in use, and replaces it only if it does not fit; returns whether it was replaced.
    ///
    /// The contents are undefined afterwards.
    package mutating func adapt(sampleRate: Int, channelCount: Int, frameCount: Int) -> Bool {
        let fits = self.sampleRate == sampleRate && self.channelCount == channelCount && frameCapacity >= frameCount
        if !fits { self = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: frameCount) }
        self.frameCount = frameCount
        return !fits
    }
}
