// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The access units that wait for a destination, with a limit in time: the oldest ones make room for new ones.
///
/// Units that were sent stay in the queue until their arrival is confirmed, so that they can be sent again.
package struct UnitQueue {
    /// The units in order: sent ones up to `next`, waiting ones after it.
    private var units: [AccessUnit] = []
    /// The index of the first unit that is kept; those before it are no longer part of the queue.
    private var first = 0
    /// The index of the first unit that waits to be sent.
    private var next = 0

    /// The limit.
    let limit: Duration
    /// The duration of the units in the queue.
    package private(set) var duration = Duration.zero
    /// The bytes of the units in the queue.
    private(set) var byteCount = 0

    /// Creates an empty queue.
    package init(limit: Duration) { self.limit = limit }

    /// The number of units that wait to be sent.
    package var waitingCount: Int { units.count - next }

    /// Whether a unit waits in a queue that is more than half full.
    var isCrowded: Bool { waitingCount > 0 && duration * 2 > limit }

    /// The number of units that were sent and not confirmed.
    package var unconfirmedCount: Int { next - first }

    /// Appends a unit.
    ///
    /// - Returns: The number of waiting units that were discarded.
    package mutating func append(_ unit: AccessUnit) -> Int {
        units.append(unit)
        duration += Self.duration(of: unit)
        byteCount += unit.payload.count
        return discardAboveLimit()
    }

    /// Returns the oldest waiting unit, which counts as sent from now on; nil if there is none.
    package mutating func takeNext() -> AccessUnit? {
        guard next < units.count else { return nil }
        defer { next += 1 }
        return units[next]
    }

    /// Removes the sent units whose arrival is confirmed: all but the latest `count`.
    ///
    /// - Returns: The number of units removed, and of their bytes.
    package mutating func confirm(allBut count: Int) -> (unitCount: Int, byteCount: Int) {
        var (unitCount, byteCount) = (0, 0)
        while unconfirmedCount > count {
            unitCount += 1
            byteCount += units[first].payload.count
            removeFirst()
        }
        return (unitCount, byteCount)
    }

    /// Makes all sent units wait again.
    ///
    /// - Returns: The number of units that were discarded because the queue is full.
    package mutating func restoreUnconfirmed() -> Int {
        next = first
        return discardAboveLimit()
    }

    /// Discards the oldest waiting units above the limit, but never the newest unit.
    private mutating func discardAboveLimit() -> Int {
        var count = 0
        while duration > limit, waitingCount > 1 {
            let unit = units.remove(at: next)
            duration -= Self.duration(of: unit)
            byteCount -= unit.payload.count
            count += 1
        }
        return count
    }

    /// Removes the oldest unit, which was sent.
    private mutating func removeFirst() {
        duration -= Self.duration(of: units[first])
        byteCount -= units[first].payload.count
        first += 1
        // Units are released when they outnumber the kept ones, so that the array moves seldom.
        guard first > units.count - first else { return }
        units.removeFirst(first)
        next -= first
        first = 0
    }

    /// Returns the duration of a unit.
    private static func duration(of unit: AccessUnit) -> Duration {
        .nanoseconds(Int64(unit.duration) * 1_000_000_000 / Int64(max(1, unit.presentationTime.timescale)))
    }
}
