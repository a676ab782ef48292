// SPDX-License-Identifier: Apache-2.0

/// The bit rate of the last two seconds, from a growing byte count.
package struct RecentBitRate {
    private static let window = Duration.seconds(2)

    private var samples: [(time: ContinuousClock.Instant, byteCount: Int)] = []

    package init() {}

    /// Adds the current count, and returns the bits per second of the last two seconds, initially 0.
    package mutating func update(byteCount: Int, at time: ContinuousClock.Instant = .now) -> Double {
        samples.append((time, byteCount))
        // The window starts at the last sample before it.
        while samples.count > 2, time - samples[1].time >= Self.window { samples.removeFirst() }
        let seconds = (time - samples[0].time) / .seconds(1)
        return seconds > 0 ? Double(byteCount - samples[0].byteCount) * 8 / seconds : 0
    }
}
