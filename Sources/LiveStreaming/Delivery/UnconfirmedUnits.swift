// SPDX-License-Identifier: Apache-2.0

/// The units passed to a connection of which the other system has not confirmed every byte.
struct UnconfirmedUnits: Sendable {
    /// The number of bytes sent up to the end of each unit; the largest number for one that is being sent.
    private var ends: [Int] = []

    /// Adds a unit that is about to be sent.
    mutating func begin() { ends.append(.max) }

    /// Notes that the latest unit is sent, with the number of bytes sent so far.
    mutating func end(at byteCount: Int) { ends[ends.count - 1] = byteCount }

    /// Removes the latest unit, which is not sent.
    mutating func leaveOut() { ends.removeLast() }

    /// Removes the units that end within the bytes that have arrived; returns the number of the others.
    mutating func count(afterArrivalOf byteCount: Int) -> Int {
        ends.removeAll { $0 <= byteCount }
        return ends.count
    }
}
