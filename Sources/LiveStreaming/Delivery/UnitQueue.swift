// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The access units queued for a destination, limited in duration.
///
/// The oldest ones are discarded for new ones. Sent access units stay in the queue until their delivery is confirmed, so that they can be
/// sent again.
package struct UnitQueue {
    /// The access units in order: sent ones before index `next`, waiting ones from there.
    private var accessUnits: [AccessUnit] = []
    /// The index of the first queued access unit.
    ///
    /// Earlier elements are stale.
    private var first = 0
    /// The index of the first waiting access unit.
    private var next = 0

    let limit: Duration
    package private(set) var duration = Duration.zero
    /// The payload bytes of the queued access units.
    private(set) var byteCount = 0

    package init(limit: Duration) { self.limit = limit }

    /// The number of access units waiting to be sent.
    package var waitingCount: Int { accessUnits.count - next }

    /// Whether an access unit is waiting and the queue is more than half full.
    var isCrowded: Bool { waitingCount > 0 && duration * 2 > limit }

    /// The number of access units sent but not confirmed.
    package var unconfirmedCount: Int { next - first }

    /// Appends an access unit.
    ///
    /// - Returns: The number of waiting access units that were discarded.
    package mutating func append(_ accessUnit: AccessUnit) -> Int {
        accessUnits.append(accessUnit)
        duration += Self.duration(of: accessUnit)
        byteCount += accessUnit.payload.count
        return discardAboveLimit()
    }

    /// Returns the oldest waiting access unit and marks it as sent, or returns `nil` if none is waiting.
    package mutating func dequeue() -> AccessUnit? {
        guard next < accessUnits.count else { return nil }
        defer { next += 1 }
        return accessUnits[next]
    }

    /// Removes confirmed access units: all sent ones except the latest `count`.
    ///
    /// - Returns: The number of removed access units and their payload bytes.
    package mutating func confirm(allBut count: Int) -> (accessUnitCount: Int, byteCount: Int) {
        var (accessUnitCount, byteCount) = (0, 0)
        while unconfirmedCount > count {
            accessUnitCount += 1
            byteCount += accessUnits[first].payload.count
            removeFirst()
        }
        return (accessUnitCount, byteCount)
    }

    /// Makes all sent access units wait again.
    ///
    /// - Returns: The number of access units discarded because the queue is full.
    package mutating func restoreUnconfirmed() -> Int {
        next = first
        return discardAboveLimit()
    }

    /// Discards the oldest waiting access units above the limit, but never the newest one.
    private mutating func discardAboveLimit() -> Int {
        var count = 0
        while duration > limit, waitingCount > 1 {
            let accessUnit = accessUnits.remove(at: next)
            duration -= Self.duration(of: accessUnit)
            byteCount -= accessUnit.payload.count
            count += 1
        }
        return count
    }

    /// Removes the oldest access unit, which must have been sent.
    private mutating func removeFirst() {
        duration -= Self.duration(of: accessUnits[first])
        byteCount -= accessUnits[first].payload.count
        first += 1
        // Compacts only when stale elements outnumber the others, so that the array is rarely moved.
        guard first > accessUnits.count - first else { return }
        accessUnits.removeFirst(first)
        next -= first
        first = 0
    }

    private static func duration(of accessUnit: AccessUnit) -> Duration {
        .nanoseconds(Int64(accessUnit.duration) * 1_000_000_000 / Int64(max(1, accessUnit.presentationTime.timescale)))
    }
}
