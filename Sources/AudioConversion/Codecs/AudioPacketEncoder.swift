// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioPrimitives

/// Encodes PCM to packets of one codec.
///
/// Each call accepts any number of sample frames. Those that do not fill a packet are kept for the next call. Use an encoder from any
/// thread, but from only one at a time. `AACEncoder` and `OpusEncoder` conform directly. `ILBCPacketEncoder` divides the input into the
/// blocks that the iLBC encoder requires.
public protocol AudioPacketEncoder: AnyObject {
    /// The configuration that a container stores and a decoder needs before the first packet.
    var codecConfiguration: CodecConfiguration { get }

    /// The input sample rate, in hertz.
    var sampleRate: Int { get }

    /// The input channel count.
    var channelCount: Int { get }

    /// The timescale of packets, priming and gapless information: ``sampleRate``, or 48 kHz for Opus.
    var timescale: Int { get }

    /// The number of sample frames per packet, at the timescale.
    var framesPerPacket: Int { get }

    /// The number of decoded frames before the first input frame, at the timescale. Known before the first packet.
    var primingFrames: Int { get }

    /// The maximum packet size, in bytes. Known before the first packet.
    var maximumPacketByteCount: Int { get }

    /// The target bit rate, in bits per second, or `nil` for a variable bit rate.
    var bitRate: Int? { get }

    /// The supported bit rates for the sample rate and channels, in bits per second, as ascending ranges.
    var applicableBitRates: [ClosedRange<Int>] { get }

    /// Encodes a buffer.
    ///
    /// - Parameter buffer: Samples with ``sampleRate`` and ``channelCount``, nominally from -1 to 1.
    /// - Returns: The completed packets, possibly none.
    /// - Throws: `CodecError` if the input is invalid or the stream is finished.
    func encode(_ buffer: PCMBuffer) throws(CodecError) -> [AccessUnit]

    /// Encodes the remaining samples, zero-padded to a complete packet, and ends the stream.
    ///
    /// - Returns: The last packets, and the priming and padding to trim from the decoded stream.
    /// - Throws: `CodecError` if a library fails.
    func finish() throws(CodecError) -> EncodedTail

    /// Changes the target bit rate, starting with the next packet.
    ///
    /// - Parameter bitRate: The bit rate, in bits per second.
    /// - Throws: `CodecError` if the bit rate is unsupported or fixed; the encoder is unchanged.
    func setBitRate(_ bitRate: Int) throws(CodecError)

    /// Discards all input and history.
    func reset()
}

extension AudioPacketEncoder {
    /// The default timescale, ``sampleRate``.
    public var timescale: Int { sampleRate }
}
