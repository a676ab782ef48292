// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Sound as the measures take it: whole, in memory, full scale ±1.
public struct Sound: Hashable, Sendable {
    /// Sample rate in hertz.
    public let sampleRate: Int
    /// Samples by channel, all channels of the same length.
    public let channels: [[Float]]

    /// Makes sound of at least one channel; all have the same length.
    public init(sampleRate: Int, channels: [[Float]]) {
        precondition(sampleRate > 0 && !channels.isEmpty && channels.allSatisfy { $0.count == channels[0].count })
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// Sample frames.
    public var frameCount: Int { channels[0].count }

    /// Length in seconds.
    public var seconds: Double { Double(frameCount) / Double(sampleRate) }

    /// The mean of all channels; of the first one alone where they cancel each other.
    func mixed() -> [Float] {
        guard channels.count > 1 else { return channels[0] }
        var mix = channels[0]
        for channel in channels.dropFirst() {
            for frame in mix.indices { mix[frame] += channel[frame] }
        }
        let factor = 1 / Float(channels.count)
        for frame in mix.indices { mix[frame] *= factor }
        let whole = channels.reduce(0) { $0 + energy($1, 0..<$1.count) } / Double(channels.count)
        return energy(mix, 0..<mix.count) > 0.001 * whole ? mix : channels[0]
    }
}

/// The sum of squares of a part of a signal.
func energy(_ samples: [Float], _ range: Range<Int>) -> Double {
    var sum = 0.0
    for frame in range { sum += Double(samples[frame]) * Double(samples[frame]) }
    return sum
}
