// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// An Apple Lossless encoder for one stream.
///
/// Each call takes any number of sample frames. Those that do not fill a packet are kept for the next call. Use an encoder on any thread,
/// but only on one at a time.
package final class ALACEncoder {
    /// The configuration of the stream, with the maximum packet size.
    package let configuration: ALACConfiguration

    private var packet: PacketEncoder
    /// The samples of the next packet in stream order; each channel starts at a multiple of the frame length.
    private var samples: ContiguousArray<Int32>
    /// The stream channel of each input channel.
    private let order: [Int]
    private var pendingCount = 0
    private var packetCount = 0
    private var validFrames = 0
    private var isFinished = false

    package static let bitDepths = [16, 24, 32]

    /// Creates an encoder.
    ///
    /// - Parameter configuration: The format of the stream. The entropy coding parameters get their usual values.
    /// - Throws: `CodecError` if a field is out of range.
    package init(_ configuration: ALACConfiguration) throws(CodecError) {
        try configuration.validate()
        guard Self.bitDepths.contains(configuration.bitDepth) else {
            throw .unsupportedBitDepth(configuration.bitDepth, allowed: Self.bitDepths)
        }
        var stream = ALACConfiguration(
            sampleRate: configuration.sampleRate, channelCount: configuration.channelCount, bitDepth: configuration.bitDepth,
            frameLength: configuration.frameLength)
        stream.maximumPacketSize = PacketEncoder.maximumByteCount(stream)
        self.configuration = stream
        packet = PacketEncoder(stream)
        samples = ContiguousArray(repeating: 0, count: stream.channelCount * stream.frameLength)
        // The layout is known for every channel count.
        order = stream.channelLayout.flatMap { $0.inWAVOrder.permutation(from: $0) } ?? Array(0..<stream.channelCount)
    }

    package var maximumPacketByteCount: Int { configuration.maximumPacketSize }

    /// Encodes integers of the stream's bit depth.
    ///
    /// - Parameter input: The integers, with channels in WAV order.
    /// - Returns: The completed packets, possibly none.
    /// - Throws: `CodecError` if the channel count or bit depth differs, or the stream is finished.
    package func encode(_ input: ALACSamples) throws(CodecError) -> [AccessUnit] {
        guard input.bitDepth == configuration.bitDepth else {
            throw .unsupportedBitDepth(input.bitDepth, allowed: [configuration.bitDepth])
        }
        return try encode(input.frameCount, channelCount: input.channelCount) { channel, first, target in
            let start = input.range(ofChannel: channel).lowerBound + first
            for index in target.indices { target[index] = input.samples[start + index] }
        }
    }

    /// Encodes floating point, rounded to the stream's bit depth.
    ///
    /// Samples beyond full scale are clipped, and those that are not a number become zero.
    ///
    /// - Parameter buffer: The samples, with channels in WAV order.
    /// - Returns: The completed packets, possibly none.
    /// - Throws: `CodecError` if the channel count differs or the stream is finished.
    package func encode(_ buffer: PCMBuffer) throws(CodecError) -> [AccessUnit] {
        let bitDepth = configuration.bitDepth
        return try encode(buffer.frameCount, channelCount: buffer.channelCount) { channel, first, target in
            let source = buffer[channel: channel]
            for index in target.indices { target[index] = SampleRounding.integer(source[first + index], bitCount: bitDepth) }
        }
    }

    /// Collects sample frames and encodes complete packets.
    ///
    /// - Parameter read: Reads samples of an input channel, starting at a frame.
    private func encode(
        _ frameCount: Int, channelCount: Int, _ read: (_ channel: Int, _ first: Int, _ target: inout MutableSpan<Int32>) -> Void
    ) throws(CodecError) -> [AccessUnit] {
        guard !isFinished else { throw .finished }
        guard channelCount == configuration.channelCount else {
            throw .channelCountMismatch(expected: configuration.channelCount, found: channelCount)
        }
        var packets: [AccessUnit] = []
        var position = 0
        while position < frameCount {
            let count = min(frameCount - position, configuration.frameLength - pendingCount)
            for channel in 0..<channelCount {
                let start = order[channel] * configuration.frameLength + pendingCount
                var span = samples.mutableSpan
                var target = span._mutatingExtracting(start..<start + count)
                read(channel, position, &target)
            }
            position += count
            pendingCount += count
            validFrames += count
            if pendingCount == configuration.frameLength { packets.append(encodePacket()) }
        }
        return packets
    }

    /// Encodes the remaining samples in a shorter packet, and ends the stream.
    ///
    /// An empty signal has one packet of padding, because a file without packets cannot be decoded.
    ///
    /// - Returns: The last packet, if any, and the number of sample frames.
    package func finish() -> EncodedTail {
        isFinished = true
        let isEmpty = validFrames == 0
        if isEmpty, packetCount == 0 {
            for index in samples.indices { samples[index] = 0 }
            pendingCount = configuration.frameLength
        }
        let packets = pendingCount > 0 ? [encodePacket()] : []
        let padding = isEmpty ? configuration.frameLength : 0
        return EncodedTail(
            accessUnits: packets, gapless: GaplessInfo(primingFrames: 0, validFrames: validFrames, remainderFrames: padding))
    }

    /// Discards all input and starts a new stream.
    package func reset() {
        (pendingCount, packetCount, validFrames) = (0, 0, 0)
        isFinished = false
    }

    private func encodePacket() -> AccessUnit {
        let time = MediaTime(
            value: Int64(packetCount * configuration.frameLength), timescale: Int32(truncatingIfNeeded: configuration.sampleRate))
        let payload = packet.encode(samples.span, frameCount: pendingCount)
        let unit = AccessUnit(payload: payload, presentationTime: time, duration: pendingCount)
        packetCount += 1
        pendingCount = 0
        return unit
    }
}
