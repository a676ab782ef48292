// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import SystemLibrary

/// Applies a constant gain, and reduces it for a few milliseconds around peaks that would exceed a limit.
///
/// The gain of a frame depends on the samples of about 43 ms around it and on nothing else, so that a part of a signal gives the same samples
/// as the whole (``prerollLength``). All channels have the same gain. Where no peak is near, it is the constant gain, exactly. A limiter
/// belongs to one thread at a time.
///
/// 1. The true peak of each block of 16 frames, over all channels, gives the gain that it needs.
/// 2. The smallest of these within 10 ms on either side of a block is its target: peaks of low tones, half a period apart, share one.
/// 3. The targets are smoothed by a Hann window of the same length, which never exceeds the needed gain, and interpolated between blocks.
package final class TruePeakLimiter {
    /// The gain and the limit of a limiter.
    package struct Setting: Hashable, Sendable {
        /// The constant gain in decibels.
        package var gain: Double
        /// The limit in decibels relative to full scale; nil if no peak can exceed it.
        package var limit: Double?

        /// Creates a setting.
        package init(gain: Double, limit: Double?) {
            self.gain = gain
            self.limit = limit
        }
    }

    private static let blockLength = 16
    /// The distance of peaks that share a target, in seconds.
    private static let holdTime = 0.01

    private let channelCount: Int
    private let sampleRate: Int
    private let gain: Float
    private let limit: Float?
    private let interpolator = PeakInterpolator()
    /// The blocks of the window on each side.
    private let halfLength: Int
    /// The weights of the smoothing window, whose sum is 1.
    private let weights: [Float]

    /// The samples of each channel that are still needed, after the constant gain, from the frame `origin` on.
    private var samples: [[Float]]
    /// A multiple of the block length; may be negative, for the silence before the signal.
    private var origin = 0
    /// The needed gains of blocks, from the one at `origin` + half the length of the interpolator, rounded up, on.
    private var needed: [Float] = []
    private var firstNeeded = 0
    /// The next block to return.
    private var nextBlock = 0
    /// The frames received and returned, counted from the start of the signal.
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

    /// The frames before a frame that have to be processed, and discarded, for the frame to be exact.
    package var prerollLength: Int { limit == nil ? 0 : (2 * halfLength + 6) * Self.blockLength }

    /// Starts again at a frame of the signal.
    ///
    /// - Parameter frame: The first frame that is processed next; ``prerollLength`` frames later the output is exact, or at once at 0.
    package func reset(atFrame frame: Int) {
        let block = (frame + Self.blockLength - 1) / Self.blockLength
        let history = Self.blockLength
        origin = block * Self.blockLength - history
        // A part begins between two blocks: what is before the first whole one is left out.
        skipped = block * Self.blockLength - frame
        received = frame
        returned = block * Self.blockLength
        samples = Array(repeating: Array(repeating: 0, count: history), count: channelCount)
        needed = []
        firstNeeded = block
        nextBlock = block
    }

    /// The frames to leave out before the first whole block.
    private var skipped = 0

    /// The index of the first frame of the next output.
    package var position: Int { limit == nil ? received : returned }

    /// Returns the frames that are complete after `buffer`; there may be none.
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

    /// Returns the frames that remain; the signal ends.
    package func finish() -> PCMBuffer {
        guard let limit else { return PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: 0) }
        let end = received
        append(
            PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: (2 * halfLength + 6) * Self.blockLength))
        return output(limit: limit, through: end)
    }

    /// Appends the samples of a buffer after the constant gain.
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

    /// Returns all frames that are complete, up to the end of the signal.
    private func output(limit: Float, through end: Int) -> PCMBuffer {
        let available = origin + samples[0].count
        while (firstNeeded + needed.count + 1) * Self.blockLength + PeakInterpolator.halfLength <= available {
            needed.append(neededGain(ofBlock: firstNeeded + needed.count, limit: limit))
        }
        // The gain at the end of a block takes part in it.
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

    /// Writes the frames of the next block with a gain that goes from one value to another.
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

    /// Returns the gain that the true peak of a block needs, at most 1.
    private func neededGain(ofBlock block: Int, limit: Float) -> Float {
        let first = block * Self.blockLength - origin
        var peak: Float = 0
        for channel in 0..<channelCount {
            peak = max(peak, interpolator.peak(samples[channel], first..<first + Self.blockLength, above: limit))
        }
        return peak > limit ? limit / peak : 1
    }

    /// Returns the smallest needed gain of the blocks around one.
    private func target(ofBlock block: Int) -> Float {
        var smallest: Float = 1
        for index in max(firstNeeded, block - halfLength - 1)...block + halfLength + 1 {
            smallest = min(smallest, needed[index - firstNeeded])
        }
        return smallest
    }

    /// Returns the gain at the start of a block.
    private func smoothedGain(ofBlock block: Int) -> Float {
        let range = max(firstNeeded, block - 2 * halfLength - 1)...block + 2 * halfLength + 1
        guard range.contains(where: { needed[$0 - firstNeeded] < 1 }) else { return 1 }
        // The sum of the reductions, so that it is exactly 0 without peaks.
        var reduction: Float = 0
        for offset in -halfLength...halfLength where block + offset + halfLength + 1 >= firstNeeded {
            reduction += weights[offset + halfLength] * (1 - target(ofBlock: block + offset))
        }
        return 1 - reduction
    }

    /// Discards samples and gains that are no longer needed.
    private func discard() {
        let keptBlock = nextBlock - 2 * halfLength - 3
        if keptBlock > firstNeeded + 512 {
            needed.removeFirst(keptBlock - firstNeeded)
            firstNeeded = keptBlock
        }
        let keptFrame = (min(nextBlock, firstNeeded + needed.count) - 1) * Self.blockLength
        if keptFrame > origin + 8192 {
            for channel in 0..<channelCount { samples[channel].removeFirst(keptFrame - origin) }
            origin = keptFrame
        }
    }
}
