// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// How far behind its place in the recording sound arrives at the least: what tells the length of a gap.
///
/// Sound never arrives early, and on the busiest machine a run now and then arrives at once. So the least lag stays the same to some
/// microseconds, and behind a gap it is larger by that gap's length. The timing that servers report is good to some milliseconds only.
struct ArrivalLagTracker {
    private static let slotLength: Int64 = 250_000_000
    // Two seconds with sound: a clock that runs 50 ppm off shifts them by 0.1 ms.
    private static let slotCount = 8

    private var slots: [(number: Int64, least: Int64)] = []

    /// Takes the lag in nanoseconds of a run that arrived at `arrival`.
    mutating func note(lag: Int64, at arrival: Int64) {
        let number = arrival / Self.slotLength
        if let last = slots.last, last.number == number {
            slots[slots.count - 1].least = min(last.least, lag)
        } else {
            if slots.count == Self.slotCount { slots.removeFirst() }
            slots.append((number, lag))
        }
    }

    /// The least lag of the last two seconds that had sound, in nanoseconds; nil before the first.
    var leastLag: Int64? { slots.lazy.map(\.least).min() }
}
