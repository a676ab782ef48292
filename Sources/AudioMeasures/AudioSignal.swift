// SPDX-License-Identifier: Apache-2.0

/// A complete audio signal in memory, full scale ±1.
public struct AudioSignal: Hashable, Sendable {
    /// The sample rate, in hertz.
    public let sampleRate: Int
    /// Samples by channel.
    ///
    /// All channels have the same length.
    public let channels: [[Float]]

    /// Creates a signal.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channels: The samples of at least one channel, all of the same length.
    public init(sampleRate: Int, channels: [[Float]]) {
        precondition(sampleRate > 0 && !channels.isEmpty && channels.allSatisfy { $0.count == channels[0].count })
        self.sampleRate = sampleRate
        self.channels = channels
    }

    package var frameCount: Int { channels[0].count }

    /// Returns the mean of all channels, or the first channel if they cancel each other.
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

package func energy(_ samples: [Float], _ range: Range<Int>) -> Double {
    var sum = 0.0
    for frame in range where samples[frame].isFinite { sum += Double(samples[frame]) * Double(samples[frame]) }
    return sum
}
