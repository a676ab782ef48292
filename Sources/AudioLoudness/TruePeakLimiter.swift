// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import SystemLibrary

/// Applies a constant gain and reduces it for a few milliseconds around peaks that would exceed a limit.
///
/// The gain of a frame depends only on the samples within about 43 ms of it, so that a part of a signal gives the same samples as the whole
/// (``prerollLength``). All channels have the same gain. Away from peaks it is exactly the constant gain. A limiter belongs to one thread
/// at a time.
///
/// 1. The true peak of each block of 16 frames, over all channels, determines the gain that the block needs.
/// 2. A block's target is the minimum needed gain within 10 ms on either side: peaks of low tones, half a period apart, share one target.
/// 3. A Hann window of the same length smooths the targets, without exceeding a needed gain. Gains are interpolated between blocks.
package final class TruePeakLimiter {
    package struct Setting: Hashable, Sendable {
        /// The constant gain, in decibels.
        package var gain: Double
        /// The limit, in dBFS; `nil` if no peak can exceed it.
        package var limit: Double?

        package init(gain: Double, limit: Double?) {
            self.gain = gain
            self.limit = limit
        }
    }

    private static let blockLength = 16
    /// The maximum distance of peaks that share a target, in seconds.
    private static let holdTime = 0.01

    private let channelCount: Int
    private let sampleRate: Int
    private let gain: Float
    private let limit: Float?
    private let interpolator = PeakInterpolator()
    /// The blocks on each side of the window.
    private let halfLength: Int
    /// The weights of the smoothing window.
    ///
    /// Their sum is 1.
    private let weights: [Float]

    /// The retained samples of each channel, after the constant gain, starting at frame `origin`.
    private var samples: [[Float]]
    /// A multiple of the block length.
    ///
    /// Negative for the silence before the signal.
    private var origin = 0
    /// The needed gains of blocks, starting at `origin` plus half the interpolator length, rounded up to a block.
    private var needed: [Float] = []
    private var firstNeeded = 0
    private var nextBlock = 0
    /// The number of frames received and returned since the start of the signal.
    private var (received, returned) = (0, 0)

    /// Creates a limiter at the start of a signal.
    package init(_ setting: Setting, sampleRate: Int, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        gain = Float(pow(10, setting.gain / 20))
        limit = setting.limit.map { Float(pow(10, $0 / 20)) }
        halfLength = max(1, Int((Self.holdTime * Double(sampleRate) / Double(Self.blockLength)).rounded(.up)))
        let halfLength = halfLength
        let window = (-halfLength...halfLength).map { 0.5 + 0.5 * cos(Double.pi * Double($0) / Double(halfLength + 1)) }
        let sum = window.reduce(0, +)
        weights = window.map { Float($0 / sum) }
        samples = Array(repeating: [], count: channelCount)
        reset(atFrame: 0)
    }

    /// The number of frames to process and discard before a frame so that it is exact.
    package var prerollLength: Int { limit == nil ? 0 : (2 * halfLength + 6) * Self.blockLength }

    /// Restarts at a frame of the signal.
    ///
    /// - Parameter frame: The next frame to process. Output is exact after ``prerollLength`` frames, or immediately if `frame` is 0.
    package func reset(atFrame frame: Int) {
        let block = (frame + Self.blockLength - 1) / Self.blockLength
        let history = Self.blockLength
        origin = block * Self.blockLength - history
        // Frames before the next whole block are skipped.
        skipped = block * Self.blockLength - frame
        received = frame
        returned = block * Self.blockLength
        samples = Array(repeating: Array(repeating: 0, count: history), count: channelCount)
        needed = []
        firstNeeded = block
        nextBlock = block
    }

    /// The frames to skip before the first whole block.
    private var skipped = 0

    /// The frame index of the next output.
    package var position: Int { limit == nil ? received : returned }

    /// Returns the frames that `buffer` completes, possibly none.
    package func process(_ buffer: PCMBuffer) -> PCMBuffer {
        guard let limit else {
            var output = buffer
            for index in output.samples.indices { output.samples[index] *= gain }
            received += buffer.frameCount
            return output
        }
        append(buffer)
        return output(limit: limit, through: .max)
    }

    /// Ends the signal and returns the remaining frames.
    package func finish() -> PCMBuffer {
        guard let limit else { return PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: 0) }
        let end = received
        append(
            PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: (2 * halfLength + 6) * Self.blockLength))
        return output(limit: limit, through: end)
    }

    /// Appends a buffer after the constant gain.
    private func append(_ buffer: PCMBuffer) {
        received += buffer.frameCount
        let omitted = min(skipped, buffer.frameCount)
        skipped -= omitted
        for channel in 0..<channelCount {
            let range = buffer.range(ofChannel: channel).dropFirst(omitted)
            samples[channel].reserveCapacity(samples[channel].count + range.count)
            for index in range { samples[channel].append(buffer.samples[index] * gain) }
        }
    }

    /// Returns all completed frames, up to the end of the signal.
    private func output(limit: Float, through end: Int) -> PCMBuffer {
        let available = origin + samples[0].count
        while (firstNeeded + needed.count + 1) * Self.blockLength + PeakInterpolator.halfLength <= available {
            needed.append(neededGain(ofBlock: firstNeeded + needed.count, limit: limit))
        }
        // The interpolation also needs the gain at the end of a block.
        let endBlock = max(nextBlock, firstNeeded + needed.count - 2 * halfLength - 2)
        let endFrame = min(end, endBlock * Self.blockLength)
        var result = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: max(0, endFrame - returned))
        guard result.frameCapacity > 0 else { return result }
        var start = smoothedGain(ofBlock: nextBlock)
        while nextBlock < endBlock, returned < endFrame {
            let stop = smoothedGain(ofBlock: nextBlock + 1)
            apply(start, stop, until: endFrame, to: &result)
            start = stop
            nextBlock += 1
        }
        discard()
        return result
    }

    /// Writes the next block with a gain ramp.
    private func apply(_ start: Float, _ stop: Float, until endFrame: Int, to result: inout PCMBuffer) {
        let first = nextBlock * Self.blockLength
        let target = result.frameCapacity - (endFrame - first)
        let count = min(Self.blockLength, endFrame - first)
        for channel in 0..<channelCount {
            for frame in 0..<count {
                let sample = samples[channel][first - origin + frame]
                let factor = start + (stop - start) * (Float(frame) / Float(Self.blockLength))
                result.samples[channel * result.frameCapacity + target + frame] = sample * factor
            }
        }
        returned += count
    }

    /// Returns the gain that the true peak of a block requires, at most 1.
    private func neededGain(ofBlock block: Int, limit: Float) -> Float {
        let first = block * Self.blockLength - origin
        var peak: Float = 0
        for channel in 0..<channelCount {
            peak = max(peak, interpolator.peak(samples[channel], first..<first + Self.blockLength, above: limit))
        }
        return peak > limit ? limit / peak : 1
    }

    /// Returns the minimum needed gain around a block.
    private func target(ofBlock block: Int) -> Float {
        var smallest: Float = 1
        for index in max(firstNeeded, block - halfLength - 1)...block + halfLength + 1 {
            smallest = min(smallest, needed[index - firstNeeded])
        }
        return smallest
    }

    private func smoothedGain(ofBlock block: Int) -> Float {
        let range = max(firstNeeded, block - 2 * halfLength - 1)...block + 2 * halfLength + 1
        guard range.contains(where: { needed[$0 - firstNeeded] < 1 }) else { return 1 }
        // Sums reductions, so that the result is exactly 0 without peaks.
        var reduction: Float = 0
        for offset in -halfLength...halfLength where block + offset + halfLength + 1 >= firstNeeded {
            reduction += weights[offset + halfLength] * (1 - target(ofBlock: block + offset))
        }
        return 1 - reduction
    }

    /// Discards samples and gains that are no longer needed.
    private func discard() {
        let firstRetainedBlock = nextBlock - 2 * halfLength - 3
        if firstRetainedBlock > firstNeeded + 512 {
            needed.removeFirst(firstRetainedBlock - firstNeeded)
            firstNeeded = firstRetainedBlock
        }
        let firstRetainedFrame = (min(nextBlock, firstNeeded + needed.count) - 1) * Self.blockLength
        if firstRetainedFrame > origin + 8192 {
            for channel in 0..<channelCount { samples[channel].removeFirst(firstRetainedFrame - origin) }
            origin = firstRetainedFrame
        }
    }
}
