// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The kinds of element of a packet, by their number of three bits.
enum ElementKind: Int {
    /// One channel.
    case single
    /// Two channels.
    case pair
    /// A coupling channel, which the format reserves.
    case coupling
    /// One channel of low-frequency effects, coded as a single one.
    case lowFrequency
    /// Bytes that are not audio.
    case data
    /// A program configuration, which the format reserves.
    case programConfig
    /// Bytes without meaning.
    case fill
    /// The end of the packet.
    case end
}

/// The fields at the beginning of an element with one or two channels.
struct ElementHeader {
    /// The number of channels, 1 or 2.
    let channelCount: Int
    /// The number of sample frames of the element.
    let frameCount: Int
    /// The number of low bytes of each sample that are stored apart, without compression: 0 to 2.
    let lowByteCount: Int
    /// The number of bits of a predicted sample: those of a sample without the low bytes, and one more for the difference of two channels.
    let sampleBits: Int
    /// Whether the samples are stored as they are.
    let isUncompressed: Bool

    /// Reads the header, from the instance tag on.
    ///
    /// - Parameters:
    ///   - reader: The bits of the packet, after the kind of the element.
    ///   - channelCount: The number of channels, which the kind has.
    ///   - configuration: The configuration of the stream.
    init(reading reader: inout BitReader, channelCount: Int, _ configuration: ALACConfiguration) throws(CodecError) {
        self.channelCount = channelCount
        // Which of the elements of its kind this is, which follows from their order.
        reader.skip(4)
        guard reader.read(12) == 0 else { throw .reservedBitSet }
        let hasFrameCount = reader.readFlag()
        lowByteCount = Int(reader.read(2))
        isUncompressed = reader.readFlag()
        frameCount = hasFrameCount ? Int(reader.read(32)) : configuration.frameLength
        guard 1...configuration.frameLength ~= frameCount else {
            throw .invalidFrameLength(frameCount, allowed: 1...configuration.frameLength)
        }
        // The difference of two channels has one bit more than they have.
        sampleBits = configuration.bitDepth - lowByteCount * 8 + channelCount - 1
        guard lowByteCount <= 2, lowByteCount == 0 || !isUncompressed, 1...32 ~= sampleBits || isUncompressed else {
            throw .invalidLowBytes(count: lowByteCount, bitDepth: configuration.bitDepth)
        }
    }
}
