// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioPrimitives

/// Encodes PCM to packets of one codec.
///
/// Any number of sample frames can be passed at a time; those that don't fill a packet are kept for the next call. An encoder may be used
/// from any thread, but only from one at a time. `AACEncoder` and `OpusEncoder` conform themselves; `ILBCPacketEncoder` divides the input
/// into the blocks that the encoder of iLBC takes.
public protocol AudioPacketEncoder: AnyObject {
    /// The configuration that a container stores and a decoder needs before the first packet.
    var codecConfiguration: CodecConfiguration { get }

    /// The sample rate of the input, in hertz.
    var sampleRate: Int { get }

    /// The number of channels of the input.
    var channelCount: Int { get }

    /// The sample frames a second that packets, priming and gapless information are counted in: ``sampleRate`` except for Opus, which counts
    /// at 48 kHz.
    var timescale: Int { get }

    /// The number of sample frames in a packet, at the timescale.
    var framesPerPacket: Int { get }

    /// The number of decoded sample frames before the first input sample, at the timescale; known before the first packet.
    var primingFrames: Int { get }

    /// The number of bytes that no packet exceeds; known before the first packet.
    var maximumPacketByteCount: Int { get }

    /// The target bit rate, in bits per second; nil where the rate follows from the signal.
    var bitRate: Int? { get }

    /// The bit rates that the encoder accepts for its sample rate and channels, in bits per second, as ascending ranges.
    var applicableBitRates: [ClosedRange<Int>] { get }

    /// Encodes a buffer.
    ///
    /// - Parameter buffer: Samples with ``sampleRate`` and ``channelCount``, nominally from -1 to 1.
    /// - Returns: The packets that are complete; there may be none.
    /// - Throws: `CodecError` if the input is invalid or the stream is finished.
    func encode(_ buffer: PCMBuffer) throws(CodecError) -> [AccessUnit]

    /// Encodes the remaining samples, zero-padded to a whole packet, and ends the stream.
    ///
    /// - Returns: The last packets, and the priming and padding to trim from the decoded stream.
    /// - Throws: `CodecError` if a library fails.
    func finish() throws(CodecError) -> EncodedTail

    /// Changes the target bit rate from the next packet on.
    ///
    /// - Parameter bitRate: The bit rate, in bits per second.
    /// - Throws: `CodecError` if the bit rate is unsupported or the codec has only one; nothing has changed then.
    func setBitRate(_ bitRate: Int) throws(CodecError)

    /// Discards all input and history, and returns to the first packet.
    func reset()
}

extension AudioPacketEncoder {
    /// The sample rate of the input.
    public var timescale: Int { sampleRate }
}
