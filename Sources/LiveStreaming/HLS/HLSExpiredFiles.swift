// SPDX-License-Identifier: Apache-2.0

/// Files that the playlist no longer lists but clients may still be loading.
struct HLSExpiredFiles {
    /// Groups of removed files with the remaining seconds of audio until their deletion.
    private var entries: [(names: [String], secondsLeft: Double)] = []

    /// Schedules files for deletion.
    ///
    /// - Parameter seconds: The duration of the longest playlist that listed them plus a segment (RFC 8216, 6.2.2).
    mutating func add(_ names: [String], for seconds: Double) {
        if !names.isEmpty { entries.append((names, seconds)) }
    }

    /// Advances time and removes the expired files.
    ///
    /// Returns their names.
    mutating func advance(by seconds: Double) -> [String] {
        for index in entries.indices { entries[index].secondsLeft -= seconds }
        // A microsecond of tolerance for rounding.
        let expired = entries.filter { $0.secondsLeft <= 0.000_001 }
        entries.removeAll { $0.secondsLeft <= 0.000_001 }
        return expired.flatMap(\.names)
    }
}
