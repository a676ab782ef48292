// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// A level meter for consecutive buffers.
package struct LevelMeter {
    private var peak: [Float]
    private var energy: [Double]
    private var clippedSampleCounts: [Int]

    /// The number of frames measured since the last ``dequeue()``.
    private(set) var frameCount = 0

    package init(channelCount: Int) {
        peak = [Float](repeating: 0, count: channelCount)
        energy = [Double](repeating: 0, count: channelCount)
        clippedSampleCounts = [Int](repeating: 0, count: channelCount)
    }

    /// Measures a buffer with known numbers of clipped samples per channel.
    ///
    /// A sample that is infinite or not a number counts as silence, as in the encoded audio: it would hide the level of all others.
    package mutating func accept(_ buffer: PCMBuffer, clippedSampleCounts counts: [Int]) {
        for channel in peak.indices where channel < buffer.channelCount {
            var largest: Float = 0
            var sum: Float = 0
            let samples = buffer.samples.span.extracting(buffer.range(ofChannel: channel))
            for index in samples.indices {
                let sample = samples[index].isFinite ? samples[index] : 0
                largest = max(largest, sample.magnitude)
                sum += sample * sample
            }
            peak[channel] = max(peak[channel], largest)
            energy[channel] += Double(sum)
            clippedSampleCounts[channel] += counts[channel]
        }
        frameCount += buffer.frameCount
    }

    /// Returns the levels since the last call and resets the meter; `nil` without audio.
    package mutating func dequeue() -> AudioLevels? {
        guard frameCount > 0 else { return nil }
        let levels = AudioLevels(
            peak: peak, rootMeanSquare: energy.map { Float(($0 / Double(frameCount)).squareRoot()) },
            clippedSampleCounts: clippedSampleCounts)
        self = LevelMeter(channelCount: peak.count)
        return levels
    }
}
