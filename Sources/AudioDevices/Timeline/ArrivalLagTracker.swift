// SPDX-License-Identifier: Apache-2.0

/// Tracks the least arrival lag of recent audio: the time from a frame's position on the timeline to its arrival.
///
/// Audio never arrives early, and even on a busy machine some chunks arrive without delay. So the least lag is constant to some microseconds,
/// and after a gap it is larger by the length of the gap. The timing information of sound servers is accurate to some milliseconds only.
struct ArrivalLagTracker {
    /// The length of a slot in nanoseconds.
    private static let slotLength: Int64 = 250_000_000
    /// The number of slots: two seconds with audio, in which a clock that is off by 50 ppm changes the lag by 0.1 ms.
    private static let slotCount = 8

    private var slots: [(number: Int64, least: Int64)] = []

    /// Records the lag of a chunk that arrived at the host time `arrival`, both in nanoseconds.
    mutating func record(lag: Int64, at arrival: Int64) {
        let number = arrival / Self.slotLength
        if let last = slots.last, last.number == number {
            slots[slots.count - 1].least = min(last.least, lag)
        } else {
            if slots.count == Self.slotCount { slots.removeFirst() }
            slots.append((number, lag))
        }
    }

    /// The least lag of the last two seconds that had audio, in nanoseconds; nil before the first chunk.
    var leastLag: Int64? { slots.lazy.map(\.least).min() }
}
