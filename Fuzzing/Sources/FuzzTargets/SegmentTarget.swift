// SPDX-License-Identifier: Apache-2.0

import AudioFiles

extension FuzzTarget {
    /// Parses stored segments: they survive a round trip, and no byte of an access unit is added or lost.
    static let segments = FuzzTarget("segments") { bytes in
        guard let segments = try? SegmentFile.segments(bytes) else { return }
        precondition(segments.reduce(0) { $0 + $1.bytes.count } < bytes.count)
        let stored = SegmentFile.bytes(segments)
        guard let again = try? SegmentFile.segments(stored) else { preconditionFailure("round trip failed") }
        precondition(SegmentFile.bytes(again) == stored && again.map(\.bytes) == segments.map(\.bytes))
        precondition(again.map { $0.end?.gapless } == segments.map { $0.end?.gapless })
    }
}
