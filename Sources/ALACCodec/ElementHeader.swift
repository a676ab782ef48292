// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The element types of a packet, coded in three bits.
enum ElementKind: Int {
    /// One channel.
    case single
    /// Two channels.
    case pair
    /// A coupling channel (reserved).
    case coupling
    /// A low-frequency effects channel, coded like a single channel.
    case lowFrequency
    /// Non-audio data.
    case data
    /// A program configuration (reserved).
    case programConfig
    /// Padding.
    case fill
    case end
}

/// The header of an element with one or two channels.
struct ElementHeader {
    /// 1 or 2.
    let channelCount: Int
    let frameCount: Int
    /// The number of low bytes per sample that are stored separately and uncompressed, 0 to 2.
    let lowByteCount: Int
    /// The size of a predicted sample in bits: the bit depth without low bytes, plus 1 for a channel difference.
    let sampleBits: Int
    let isUncompressed: Bool

    /// Reads the header, starting at the instance tag.
    init(reading reader: inout BitReader, channelCount: Int, _ configuration: ALACConfiguration) throws(CodecError) {
        self.channelCount = channelCount
        // The instance tag follows from the element order.
        reader.skip(4)
        guard reader.read(12) == 0 else { throw .reservedBitSet }
        let hasFrameCount = reader.readFlag()
        lowByteCount = Int(reader.read(2))
        isUncompressed = reader.readFlag()
        frameCount = hasFrameCount ? Int(clamping: reader.read(32)) : configuration.frameLength
        guard 1...configuration.frameLength ~= frameCount else {
            throw .invalidFrameLength(frameCount, allowed: 1...configuration.frameLength)
        }
        // The difference of two channels has one more bit.
        sampleBits = configuration.bitDepth - lowByteCount * 8 + channelCount - 1
        guard lowByteCount <= 2, lowByteCount == 0 || !isUncompressed, 1...32 ~= sampleBits || isUncompressed else {
            throw .invalidLowBytes(count: lowByteCount, bitDepth: configuration.bitDepth)
        }
    }

    /// Creates the header of a compressed element, or of an uncompressed one without low bytes.
    init(channelCount: Int, frameCount: Int, lowByteCount: Int, isUncompressed: Bool, bitDepth: Int) {
        self.channelCount = channelCount
        self.frameCount = frameCount
        self.lowByteCount = lowByteCount
        self.isUncompressed = isUncompressed
        sampleBits = bitDepth - lowByteCount * 8 + channelCount - 1
    }

    /// Writes the header, starting at the instance tag.
    func write(to sink: inout some BitSink, instanceTag: Int, _ configuration: ALACConfiguration) {
        sink.write(UInt32(instanceTag), count: 4)
        sink.write(0, count: 12)
        let hasFrameCount = frameCount != configuration.frameLength
        sink.write(hasFrameCount)
        sink.write(UInt32(lowByteCount), count: 2)
        sink.write(isUncompressed)
        if hasFrameCount { sink.write(UInt32(frameCount), count: 32) }
    }
}
