// SPDX-License-Identifier: Apache-2.0

/// Maps positions in an elementary stream to positions in the transport stream.
struct ElementaryStreamMap: Sendable {
    /// A run of bytes that is contiguous in both streams.
    private struct Run {
        /// The offset of the first byte in the elementary stream.
        var start: Int
        /// The offset of the first byte in the transport stream.
        var position: Int
    }

    /// The maximum number of stored runs: half a megabyte of audio.
    private static let capacity = 4096

    private var runs: [Run] = []
    private var byteCount = 0

    /// Adds the `count` bytes of a packet, which are at `position` in the transport stream.
    mutating func append(_ count: Int, at position: Int) {
        if runs.count == Self.capacity { runs.removeFirst(Self.capacity / 2) }
        runs.append(Run(start: byteCount, position: position))
        byteCount += count
    }

    /// Discards the runs before `range` and returns the transport stream range from its first to its last byte.
    mutating func locate(_ range: Range<Int>) -> Range<Int> {
        let first = runs.lastIndex { $0.start <= range.lowerBound } ?? 0
        runs.removeFirst(first)
        let lower = position(of: range.lowerBound)
        return lower..<max(lower, range.isEmpty ? lower : position(of: range.upperBound - 1) + 1)
    }

    /// Returns the transport stream offset of a byte.
    ///
    /// Bytes before the first run map to its start.
    private func position(of offset: Int) -> Int {
        guard let run = runs.last(where: { $0.start <= offset }) ?? runs.first else { return 0 }
        return run.position + max(0, offset - run.start)
    }
}
