// SPDX-License-Identifier: Apache-2.0

/// The positions in a transport stream of the bytes of an elementary stream.
struct ElementaryStreamMap: Sendable {
    /// A run of bytes that follow each other in both streams.
    private struct Run {
        /// The offset of the first byte in the elementary stream.
        var start: Int
        /// The offset of the first byte in the transport stream.
        var position: Int
    }

    /// The most runs kept: half a megabyte of audio.
    private static let capacity = 4096

    private var runs: [Run] = []
    /// The number of bytes of the elementary stream so far.
    private var byteCount = 0

    /// Adds the bytes of a packet.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - position: The offset of the first one in the transport stream.
    mutating func append(_ count: Int, at position: Int) {
        if runs.count == Self.capacity { runs.removeFirst(Self.capacity / 2) }
        runs.append(Run(start: byteCount, position: position))
        byteCount += count
    }

    /// Returns the range in the transport stream from the first to the last byte of a range, and discards the runs before it.
    mutating func locate(_ range: Range<Int>) -> Range<Int> {
        let first = runs.lastIndex { $0.start <= range.lowerBound } ?? 0
        runs.removeFirst(first)
        let lower = position(of: range.lowerBound)
        return lower..<max(lower, range.isEmpty ? lower : position(of: range.upperBound - 1) + 1)
    }

    /// Returns the offset of a byte in the transport stream; that of the first known byte for earlier ones.
    private func position(of offset: Int) -> Int {
        guard let run = runs.last(where: { $0.start <= offset }) ?? runs.first else { return 0 }
        return run.position + max(0, offset - run.start)
    }
}
