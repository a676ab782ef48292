// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioPrimitives

/// Decodes the packets of one codec to 32-bit floating point, in sequence.
///
/// A packet is the unit of storage in a container, such as an AAC access unit or an iLBC frame. Decoding packets from untrusted sources is
/// safe: damage never traps, but is reported and concealed. Use a decoder from one thread at a time. `AACDecoder`, `OpusDecoder` and
/// `ALACDecoder` conform directly. `ILBCPacketDecoder` adapts the iLBC decoder, a value type that returns integers.
public protocol AudioPacketDecoder: AnyObject {
    /// The stream's configuration.
    var codecConfiguration: CodecConfiguration { get }

    /// The output sample rate, in hertz. It can change with a packet, for example if SBR is not signaled.
    var sampleRate: Int { get }

    /// The output channel count, or 0 until a packet signals the layout.
    var channelCount: Int { get }

    /// The output channel layout, or `nil` if unknown or until a packet signals it.
    var channelLayout: ChannelLayout? { get }

    /// The number of sample frames of most packets, and the capacity that every packet needs.
    var framesPerPacket: Int { get }

    /// The decoder's delay, in sample frames. Included in the priming that encoders report.
    var delay: Int { get }

    /// The element spans of the last packet, for ADTS checksums. Empty for codecs without elements.
    var elementSpans: [ElementSpan] { get }

    /// Decodes a packet, or the first block of a packet with several.
    ///
    /// - Parameters:
    ///   - packet: The bytes of the packet.
    ///   - buffer: The output. Its storage is reused if sample rate and channel count match and the capacity suffices; otherwise the buffer
    ///     is replaced.
    /// - Returns: The damage, the number of bytes read, and whether the format has changed.
    func decode(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodeResult

    /// Conceals a lost packet.
    ///
    /// - Parameter buffer: The output, as in ``decode(_:into:)``.
    /// - Returns: A result without damage and bytes.
    @discardableResult
    func conceal(into buffer: inout PCMBuffer) -> DecodeResult

    /// Clears the decoder's history, as after a seek.
    func reset()
}

extension AudioPacketDecoder {
    /// The default delay, 0.
    public var delay: Int { 0 }

    /// The default implementation returns no elements.
    public var elementSpans: [ElementSpan] { [] }

    /// Decoded frames per frame that the container counts: 2 if SBR is not signaled and the container counts core frames, otherwise 1.
    package var framesPerCountedFrame: Int { sampleRate == 2 * codecConfiguration.sampleRate ? 2 : 1 }
}

extension PCMBuffer {
    /// Sets the buffer's format and frame count, replacing it only if it does not fit.
    ///
    /// Returns whether it was replaced.
    ///
    /// The contents are undefined afterwards.
    package mutating func adapt(sampleRate: Int, channelCount: Int, frameCount: Int) -> Bool {
        let fits = self.sampleRate == sampleRate && self.channelCount == channelCount && frameCapacity >= frameCount
        if !fits { self = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: frameCount) }
        self.frameCount = frameCount
        return !fits
    }
}
