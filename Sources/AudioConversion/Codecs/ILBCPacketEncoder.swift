// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
package import AudioPrimitives
internal import ILBCCodec

/// Encodes speech at 8 kHz to iLBC frames.
package final class ILBCPacketEncoder: AudioPacketEncoder {
    private var encoder: ILBCEncoder
    /// The pending samples of the next block.
    private var block: [Int16] = []
    /// The number of input samples so far.
    private var sampleCount = 0
    private var frameCount = 0
    private var isFinished = false

    package init(mode: ILBCMode) {
        encoder = ILBCEncoder(mode: mode)
        primingFrames = ILBCDecoder(mode: mode).delay
    }

    package var codecConfiguration: CodecConfiguration { .ilbc(encoder.mode) }
    /// Always 8000 Hz.
    package var sampleRate: Int { ILBCMode.sampleRate }
    /// Always 1.
    package var channelCount: Int { 1 }
    /// The number of samples per frame: 160 or 240.
    package var framesPerPacket: Int { encoder.mode.samplesPerFrame }
    /// The delay of the decoder's enhancer, 40 or 80 samples.
    ///
    /// The encoder itself has no delay.
    package let primingFrames: Int
    /// The frame size, in bytes: 38 or 50.
    package var maximumPacketByteCount: Int { encoder.mode.bytesPerFrame }
    /// The mode's bit rate, rounded down: 15 200 or 13 333 bit/s.
    package var bitRate: Int? { encoder.mode.bytesPerFrame * 8 * sampleRate / framesPerPacket }

    /// The mode's bit rate only.
    package var applicableBitRates: [ClosedRange<Int>] { bitRate.map { [$0...$0] } ?? [] }

    package func encode(_ buffer: PCMBuffer) throws(CodecError) -> [AccessUnit] {
        guard !isFinished else { throw .finished }
        guard buffer.channelCount == 1 else { throw .channelCountMismatch(expected: 1, found: buffer.channelCount) }
        sampleCount += buffer.frameCount
        var accessUnits: [AccessUnit] = []
        for index in buffer.range(ofChannel: 0) {
            block.append(Int16(truncatingIfNeeded: SampleRounding.integer(buffer.samples[index], bitCount: 16)))
            if block.count == framesPerPacket { accessUnits.append(try encodeBlock()) }
        }
        return accessUnits
    }

    package func finish() throws(CodecError) -> EncodedTail {
        let total = primingFrames + sampleCount
        let count = (total + framesPerPacket - 1) / framesPerPacket
        var accessUnits: [AccessUnit] = []
        if !isFinished {
            isFinished = true
            while frameCount < count {
                block.append(contentsOf: repeatElement(0, count: framesPerPacket - block.count))
                accessUnits.append(try encodeBlock())
            }
        }
        return EncodedTail(
            accessUnits: accessUnits,
            gapless: GaplessInfo(primingFrames: primingFrames, validFrames: sampleCount, remainderFrames: count * framesPerPacket - total))
    }

    /// Throws for any bit rate except the mode's.
    package func setBitRate(_ bitRate: Int) throws(CodecError) {
        guard let only = self.bitRate, bitRate != only else { return }
        throw .unsupportedBitRate(bitRate, allowed: only...only)
    }

    package func reset() {
        encoder = ILBCEncoder(mode: encoder.mode)
        block = []
        sampleCount = 0
        frameCount = 0
        isFinished = false
    }

    private func encodeBlock() throws(CodecError) -> AccessUnit {
        let payload = try encoder.encode(block)
        block.removeAll(keepingCapacity: true)
        let time = MediaTime(value: Int64(frameCount * framesPerPacket), timescale: Int32(sampleRate))
        frameCount += 1
        return AccessUnit(payload: payload, presentationTime: time, duration: framesPerPacket)
    }
}
