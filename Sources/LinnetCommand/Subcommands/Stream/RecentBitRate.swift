// SPDX-License-Identifier: Apache-2.0

/// The bit rate of the last two seconds, from a count of bytes that grows.
package struct RecentBitRate {
    /// The time over which the rate is measured.
    private static let window = Duration.seconds(2)

    private var samples: [(time: ContinuousClock.Instant, byteCount: Int)] = []

    /// Creates the initial value.
    package init() {}

    /// Adds the present count, and returns the bits per second since two seconds ago; 0 at first.
    package mutating func update(byteCount: Int, at time: ContinuousClock.Instant = .now) -> Double {
        samples.append((time, byteCount))
        // The last sample before the window is its start.
        while samples.count > 2, time - samples[1].time >= Self.window { samples.removeFirst() }
        let seconds = (time - samples[0].time) / .seconds(1)
        return seconds > 0 ? Double(byteCount - samples[0].byteCount) * 8 / seconds : 0
    }
}
