// SPDX-License-Identifier: Apache-2.0

/// The movement of level meters: levels that fall slowly, and the highest peaks of the last seconds.
package struct PeakHold {
    /// The time that a peak is held, in seconds.
    package static let holdTime = 3.0
    /// The fall of a level, in decibels per second.
    package static let fallRate = 20.0
    /// The time without new audio after which a level falls, in seconds; longer than usual buffers.
    private static let delay = 0.25
    /// The level of silence, in dBFS.
    static let silence = -120.0

    /// The levels per channel, in dBFS.
    package private(set) var levels: [Double] = []
    private var recent: [(time: Double, peaks: [Double])] = []
    private var time = 0.0

    package init() {}

    /// The highest peak of the hold time per channel, in dBFS.
    package var peaks: [Double] {
        levels.indices.map { channel in recent.reduce(Self.silence) { max($0, $1.peaks[channel]) } }
    }

    /// Moves the meters.
    ///
    /// - Parameters:
    ///   - peaks: The peaks per channel since the previous call, in dBFS; `nil` without new audio.
    ///   - time: The time of the call in seconds. Must not decrease.
    package mutating func update(_ peaks: [Double]?, at time: Double) {
        if let peaks, peaks.count != levels.count {
            levels = [Double](repeating: Self.silence, count: peaks.count)
            recent = []
        }
        if peaks == nil, let latest = recent.last, time - latest.time < Self.delay { return }
        let fall = Self.fallRate * (time - self.time)
        self.time = time
        for channel in levels.indices { levels[channel] = max(peaks?[channel] ?? Self.silence, levels[channel] - fall, Self.silence) }
        recent.removeAll { time - $0.time > Self.holdTime }
        if let peaks { recent.append((time, peaks)) }
    }
}
