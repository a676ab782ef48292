// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
package import AudioPrimitives
internal import ILBCCodec

/// Encodes speech at 8 kHz to frames of iLBC.
package final class ILBCPacketEncoder: AudioPacketEncoder {
    private var encoder: ILBCEncoder
    /// The samples of the next block.
    private var block: [Int16] = []
    /// The number of samples of the input so far.
    private var sampleCount = 0
    /// The number of frames passed to callers.
    private var frameCount = 0
    private var isFinished = false

    /// Creates an encoder.
    ///
    /// - Parameter mode: The length of the frames.
    package init(mode: ILBCMode) {
        encoder = ILBCEncoder(mode: mode)
        primingFrames = ILBCDecoder(mode: mode).delay
    }

    /// The mode of the frames.
    package var codecConfiguration: CodecConfiguration { .ilbc(encoder.mode) }
    /// Always 8000 Hz.
    package var sampleRate: Int { ILBCMode.sampleRate }
    /// Always 1.
    package var channelCount: Int { 1 }
    /// The number of samples of a frame: 160 or 240.
    package var framesPerPacket: Int { encoder.mode.samplesPerFrame }
    /// The delay of the decoder's enhancer, 40 or 80 samples; the encoder has none.
    package let primingFrames: Int
    /// The number of bytes of each frame: 38 or 50.
    package var maximumPacketByteCount: Int { encoder.mode.bytesPerFrame }
    /// The bit rate of the mode, rounded: 15 200 or 13 333 bit/s.
    package var bitRate: Int? { encoder.mode.bytesPerFrame * 8 * sampleRate / framesPerPacket }

    /// The bit rate of the mode.
    package var applicableBitRates: [ClosedRange<Int>] { bitRate.map { [$0...$0] } ?? [] }

    /// Encodes a buffer.
    package func encode(_ buffer: PCMBuffer) throws(CodecError) -> [AccessUnit] {
        guard !isFinished else { throw .finished }
        guard buffer.channelCount == 1 else { throw .channelCountMismatch(expected: 1, found: buffer.channelCount) }
        sampleCount += buffer.frameCount
        var units: [AccessUnit] = []
        for index in buffer.range(ofChannel: 0) {
            block.append(Int16(truncatingIfNeeded: SampleRounding.integer(buffer.samples[index], bitCount: 16)))
            if block.count == framesPerPacket { units.append(try encodeBlock()) }
        }
        return units
    }

    /// Encodes the remaining samples and ends the stream.
    package func finish() throws(CodecError) -> EncodedTail {
        let total = primingFrames + sampleCount
        let count = (total + framesPerPacket - 1) / framesPerPacket
        var units: [AccessUnit] = []
        if !isFinished {
            isFinished = true
            while frameCount < count {
                block.append(contentsOf: repeatElement(0, count: framesPerPacket - block.count))
                units.append(try encodeBlock())
            }
        }
        return EncodedTail(
            units: units,
            gapless: GaplessInfo(primingFrames: primingFrames, validFrames: sampleCount, remainderFrames: count * framesPerPacket - total))
    }

    /// Fails: each mode has one bit rate.
    package func setBitRate(_ bitRate: Int) throws(CodecError) {
        guard let only = self.bitRate, bitRate != only else { return }
        throw .unsupportedBitRate(bitRate, allowed: only...only)
    }

    /// Discards all input and history.
    package func reset() {
        encoder = ILBCEncoder(mode: encoder.mode)
        block = []
        sampleCount = 0
        frameCount = 0
        isFinished = false
    }

    /// Encodes the block.
    private func encodeBlock() throws(CodecError) -> AccessUnit {
        let payload = try encoder.encode(block)
        block.removeAll(keepingCapacity: true)
        let time = MediaTime(value: Int64(frameCount * framesPerPacket), timescale: Int32(sampleRate))
        frameCount += 1
        return AccessUnit(payload: payload, presentationTime: time, duration: framesPerPacket)
    }
}
