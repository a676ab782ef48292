// SPDX-License-Identifier: Apache-2.0

import AudioFiles

extension FuzzTarget {
    /// Reads the bytes as the journal of a join of two files, and as a checkpoint.
    ///
    /// A checkpoint must survive a round trip, and a journal's contents must be within it.
    static let journal = FuzzTarget("journal") { bytes in
        let retained = JoinJournal.retained(of: ["fuzz"], partCount: 2, size: bytes.count) { Array(bytes[$0.clamped(to: bytes.indices)]) }
        if let retained { precondition(retained.end <= bytes.count && retained.parts.finished.count <= 2) }
        guard let checkpoint = JoinCheckpoint(bytes) else { return }
        let stored = checkpoint.bytes
        guard let again = JoinCheckpoint(stored) else { preconditionFailure("round trip failed") }
        precondition(again.bytes == stored && again.finished.count == checkpoint.finished.count)
    }
}
