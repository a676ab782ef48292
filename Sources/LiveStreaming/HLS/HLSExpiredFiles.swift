// SPDX-License-Identifier: Apache-2.0

/// The files that a playlist no longer lists, and that clients may still be loading.
struct HLSExpiredFiles {
    /// The files that were removed at a time, and the seconds of audio after which they are deleted.
    private var entries: [(names: [String], secondsLeft: Double)] = []

    /// Adds files.
    ///
    /// - Parameters:
    ///   - names: The names of the files.
    ///   - seconds: The duration of the longest playlist that listed them and of a segment (RFC 8216, 6.2.2).
    mutating func add(_ names: [String], for seconds: Double) {
        if !names.isEmpty { entries.append((names, seconds)) }
    }

    /// Returns the names of the files to delete after so many seconds more, and forgets them.
    mutating func advance(by seconds: Double) -> [String] {
        for index in entries.indices { entries[index].secondsLeft -= seconds }
        // A microsecond for rounding.
        let expired = entries.filter { $0.secondsLeft <= 0.000_001 }
        entries.removeAll { $0.secondsLeft <= 0.000_001 }
        return expired.flatMap(\.names)
    }
}
