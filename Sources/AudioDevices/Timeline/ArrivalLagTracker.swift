// SPDX-License-Identifier: Apache-2.0

/// Tracks the minimum arrival lag of recent audio: the time between a frame's position on the timeline and its arrival.
///
/// Audio never arrives early, and even on a busy machine some chunks arrive without delay. The minimum lag is therefore constant within
/// some microseconds, and increases by the length of each gap. The timing information of sound servers is accurate only to some
/// milliseconds.
struct ArrivalLagTracker {
    /// The slot duration, in nanoseconds.
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

    /// The minimum lag over the last two seconds with audio, in nanoseconds; `nil` before the first chunk.
    var minimumLag: Int64? { slots.lazy.map(\.least).min() }
}
