// SPDX-License-Identifier: Apache-2.0

/// Waveform and level differences.
public struct LevelMeasures: Hashable, Sendable {
    /// The signal-to-noise ratio, in decibels: reference energy over difference energy.
    ///
    /// Infinite without a difference.
    public let signalToNoise: Double
    /// The mean signal-to-noise ratio over 20 ms segments, each limited to -10 to 100 dB.
    ///
    /// Only segments with a reference above -70 dBFS count; `nil` without such segments.
    public let segmentalSignalToNoise: Double?
    /// The level of the test relative to the reference by channel, in decibels.
    package let differences: [Double]

    private static let segmentRange = -10.0...100.0
    private static let quietest = 1e-7
    /// The squared difference of samples that differ and are not both finite: about the largest of finite ones.
    private static let invalidDifference = 1e77

    /// Measures two signals that have the same sample rate, channel count and length.
    package init(reference: AudioSignal, test: AudioSignal) {
        let size = max(1, reference.sampleRate / 50)
        var totals = (signal: 0.0, noise: 0.0)
        var segments: [Float] = []
        for start in stride(from: 0, to: reference.frameCount, by: size) {
            let range = start..<min(reference.frameCount, start + size)
            var (signal, noise) = (0.0, 0.0)
            for (original, other) in zip(reference.channels, test.channels) {
                for frame in range {
                    let difference = Double(other[frame]) - Double(original[frame])
                    let isEqual = original[frame] == other[frame] || original[frame].isNaN && other[frame].isNaN
                    noise += difference.isFinite ? difference * difference : isEqual ? 0 : Self.invalidDifference
                }
                signal += energy(original, range)
            }
            totals.signal += signal
            totals.noise += noise
            guard signal > Self.quietest * Double(range.count * reference.channels.count) else { continue }
            let ratio = noise > 0 ? Decibels.power(signal / noise) : .infinity
            segments.append(Float(min(Self.segmentRange.upperBound, max(Self.segmentRange.lowerBound, ratio))))
        }
        signalToNoise = totals.noise > 0 ? Decibels.power(totals.signal / totals.noise) : .infinity
        segmentalSignalToNoise = totals.noise > 0 ? mean(segments) : segments.isEmpty ? nil : .infinity
        differences = zip(reference.channels, test.channels).map { original, other in
            let (before, after) = (energy(original, 0..<original.count), energy(other, 0..<other.count))
            return before == after ? 0 : before > 0 ? Decibels.power(after / before) : .infinity
        }
    }
}
