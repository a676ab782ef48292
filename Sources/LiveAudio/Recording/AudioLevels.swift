// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// How loud sound is, a value a channel; full scale is 1.
public struct AudioLevels: Hashable, Sendable {
    /// The largest sample, without its sign.
    public var peak: [Float]

    /// The root of the mean square.
    public var rootMeanSquare: [Float]

    /// Decibels below full scale; -120 for silence.
    public static func decibels(_ level: Float) -> Double { level > 1e-6 ? 20 * log10(Double(level)) : -120 }
}

/// Gathers levels over everything since they were last looked at.
struct LevelMeter {
    private var peak: [Float]
    private var energy: [Double]
    private var frameCount = 0

    init(channelCount: Int) {
        peak = [Float](repeating: 0, count: channelCount)
        energy = [Double](repeating: 0, count: channelCount)
    }

    mutating func accept(_ buffer: PCMBuffer) {
        for channel in peak.indices where channel < buffer.channelCount {
            var largest: Float = 0
            var sum: Float = 0
            let samples = buffer.samples.span.extracting(buffer.range(ofChannel: channel))
            for index in samples.indices {
                largest = max(largest, samples[index].magnitude)
                sum += samples[index] * samples[index]
            }
            peak[channel] = max(peak[channel], largest)
            energy[channel] += Double(sum)
        }
        frameCount += buffer.frameCount
    }

    /// The levels since the last call; nil without any sound since.
    mutating func take() -> AudioLevels? {
        guard frameCount > 0 else { return nil }
        let levels = AudioLevels(peak: peak, rootMeanSquare: energy.map { Float(($0 / Double(frameCount)).squareRoot()) })
        self = LevelMeter(channelCount: peak.count)
        return levels
    }
}
