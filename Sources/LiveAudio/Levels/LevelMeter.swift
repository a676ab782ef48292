// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// A level meter for consecutive buffers.
struct LevelMeter {
    private var peak: [Float]
    private var energy: [Double]
    private var clippedSampleCounts: [Int]

    /// The number of frames measured since the last ``dequeue()``.
    private(set) var frameCount = 0

    init(channelCount: Int) {
        peak = [Float](repeating: 0, count: channelCount)
        energy = [Double](repeating: 0, count: channelCount)
        clippedSampleCounts = [Int](repeating: 0, count: channelCount)
    }

    /// Measures the channels of all sources.
    ///
    /// - Parameters:
    ///   - buffers: One buffer per source, with the same frame count.
    ///   - counts: The number of clipped samples in each channel.
    mutating func accept(_ buffers: [PCMBuffer], clippedSampleCounts counts: [Int]) {
        for channel in peak.indices { clippedSampleCounts[channel] += counts[channel] }
        var first = 0
        for buffer in buffers {
            for channel in 0..<buffer.channelCount where first + channel < peak.count { measure(buffer, channel, as: first + channel) }
            first += buffer.channelCount
        }
        frameCount += buffers[0].frameCount
    }

    private mutating func measure(_ buffer: PCMBuffer, _ channel: Int, as index: Int) {
        var largest: Float = 0
        var sum: Float = 0
        let samples = buffer[channel: channel]
        for frame in samples.indices {
            largest = max(largest, samples[frame].magnitude)
            sum += samples[frame] * samples[frame]
        }
        peak[index] = max(peak[index], largest)
        energy[index] += Double(sum)
    }

    /// Returns the levels since the last call and resets the meter; `nil` without audio.
    mutating func dequeue() -> AudioLevels? {
        guard frameCount > 0 else { return nil }
        let levels = AudioLevels(
            peak: peak, rootMeanSquare: energy.map { Float(($0 / Double(frameCount)).squareRoot()) },
            clippedSampleCounts: clippedSampleCounts)
        self = LevelMeter(channelCount: peak.count)
        return levels
    }
}
