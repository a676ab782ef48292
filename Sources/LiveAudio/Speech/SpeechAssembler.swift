// SPDX-License-Identifier: Apache-2.0

internal import AudioConversion
internal import AudioDevices
package import AudioPrimitives

/// Converts audio to blocks of speech for one reader.
///
/// The converter's delay does not appear in the times: its output starts with the first input frame, and is only available later. Used by
/// one thread at a time.
package final class SpeechAssembler: @unchecked Sendable {
    /// The shortest gap, in seconds.
    ///
    /// Shorter differences are due to rounding after a sample rate change.
    private static let shortestGap = 0.0005

    /// The number of samples per block, at least 1.
    private let blockLength: Int
    private let sampleRate: Int
    private let converter: PCMBufferConverter
    private var block: [Float] = []
    private var number = 0
    /// The position of the next output sample, in samples.
    private var position = 0
    /// The position after all input, in samples; `nil` before the first input.
    private var inputEnd: Double?
    /// The host times of recent input buffers, by position.
    private var hostTimes: [(position: Double, nanoseconds: Double)] = []
    private var latestHostTime = Int64.min

    /// - Parameters:
    ///   - blockDuration: The duration of a block, from 1 ms to 60 s, rounded to whole samples.
    ///   - sampleRate: The sample rate of the blocks, in hertz, above 0.
    package init(blockDuration: Duration, sampleRate: Int) {
        precondition(sampleRate > 0 && (.milliseconds(1) ... .seconds(60)).contains(blockDuration), "invalid format of speech blocks")
        self.sampleRate = sampleRate
        blockLength = max(1, blockDuration.frameCount(atRate: sampleRate))
        converter = PCMBufferConverter(sampleRate: sampleRate, channels: ChannelMatrix.Channels(count: 1))
    }

    /// Adds audio and returns the complete blocks.
    ///
    /// - Parameters:
    ///   - buffer: The audio; sample rate and channel count may change.
    ///   - seconds: Its position. A later one than expected is a gap.
    ///   - hostTime: The host time of its first frame, in nanoseconds.
    /// - Throws: `CodecError` if the sample rate is not supported.
    package func accept(_ buffer: PCMBuffer, at seconds: Double, hostTime: Int64) throws(CodecError) -> [SpeechBlock] {
        var blocks: [SpeechBlock] = []
        var start = inputEnd ?? seconds * Double(sampleRate)
        if inputEnd == nil { position = Int(start.rounded()) }
        if seconds - start / Double(sampleRate) >= Self.shortestGap {
            append(try converter.finish(), to: &blocks)
            start = seconds * Double(sampleRate)
            skip(to: Int(start.rounded()), &blocks)
        }
        hostTimes.append((start, Double(hostTime)))
        inputEnd = start + Double(buffer.frameCount) * Double(sampleRate) / Double(buffer.sampleRate)
        append(try converter.convert(buffer), to: &blocks)
        return blocks
    }

    package func finish() throws(CodecError) -> [SpeechBlock] {
        var blocks: [SpeechBlock] = []
        append(try converter.finish(), to: &blocks)
        if !block.isEmpty { skip(to: position + blockLength - block.count, &blocks) }
        return blocks
    }

    private func append(_ buffer: PCMBuffer, to blocks: inout [SpeechBlock]) {
        guard buffer.frameCount > 0 else { return }
        let samples = buffer[channel: 0]
        var first = 0
        while first < samples.count {
            let count = min(samples.count - first, blockLength - block.count)
            for index in first..<first + count { block.append(samples[index]) }
            first += count
            position += count
            completeBlock(&blocks)
        }
    }

    /// Adds silence up to a position, at most to the end of the block.
    private func skip(to end: Int, _ blocks: inout [SpeechBlock]) {
        if !block.isEmpty {
            let count = min(max(0, end - position), blockLength - block.count)
            block += [Float](repeating: 0, count: count)
            position += count
            completeBlock(&blocks)
        }
        if block.isEmpty { position = max(position, end) }
    }

    private func completeBlock(_ blocks: inout [SpeechBlock]) {
        guard block.count == blockLength else { return }
        let start = position - blockLength
        blocks.append(
            SpeechBlock(
                samples: block, time: MediaTime(value: Int64(start), timescale: Int32(sampleRate)), hostTime: hostTime(at: start),
                number: number))
        number += 1
        block.removeAll(keepingCapacity: true)
    }

    /// Returns the host time of a sample in nanoseconds, from the latest buffer that starts at or before it.
    private func hostTime(at position: Int) -> Int64 {
        // A rounded position can be half a sample before its buffer.
        let laterIndex = hostTimes.firstIndex { $0.position > Double(position) + 0.5 } ?? hostTimes.count
        hostTimes.removeFirst(max(0, laterIndex - 1))
        guard let (start, nanoseconds) = hostTimes.first else { return 0 }
        let time = nanoseconds + (Double(position) - start) * 1e9 / Double(sampleRate)
        latestHostTime = max(latestHostTime, Int64(time))
        return latestHostTime
    }
}
