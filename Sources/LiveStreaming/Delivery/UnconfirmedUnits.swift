// SPDX-License-Identifier: Apache-2.0

/// Access units that a connection has sent but the peer has not fully acknowledged.
struct UnconfirmedUnits: Sendable {
    /// The stream position at the end of each access unit, in sent bytes; `Int.max` while an access unit is being sent.
    private var ends: [Int] = []

    /// Adds an access unit that is about to be sent.
    mutating func begin() { ends.append(.max) }

    /// Records that access units are sent, ending at `byteCount`: all that were not, except the latest `heldCount`.
    mutating func end(at byteCount: Int, allBut heldCount: Int = 0) {
        for index in ends.indices.dropLast(heldCount).reversed() {
            guard ends[index] == .max else { return }
            ends[index] = byteCount
        }
    }

    /// Removes the latest access unit, which is not sent.
    mutating func leaveOut() { ends.removeLast() }

    /// Removes the access units within the first `byteCount` acknowledged bytes.
    ///
    /// Returns the number of remaining ones.
    mutating func count(afterArrivalOf byteCount: Int) -> Int {
        ends.removeAll { $0 <= byteCount }
        return ends.count
    }
}
