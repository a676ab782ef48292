// SPDX-License-Identifier: Apache-2.0

/// Positions decoded frames on the timeline and detects lost ones, from the sample frame numbers in their headers.
package struct FLACTimeline {
    /// The sample frame after the last positioned frame.
    package private(set) var position = 0
    /// The parts lost between intact frames.
    package private(set) var loss = PCMLoss()

    /// The declared length of the stream, or `nil` if unknown.
    private let declaredCount: Int?
    /// The offset between timeline and header numbers, which restart where streams were joined.
    private var offset: Int?
    /// The length of a damaged frame at ``position`` that may be the last one.
    private var damagedCount = 0
    /// The number of bytes read before the last intact frame.
    private var byteCount = 0

    /// The maximum number of bytes that a decoder reads ahead, including those before the first frame.
    private static let readAhead = 65_536
    /// The smallest frame size in bytes, and the maximum number of sample frames in it.
    private static let minimumFrame = (byteCount: 8, frameCount: 65_535)

    package init(declaredCount: Int?) { self.declaredCount = declaredCount }

    /// Moves to a sample frame where the next frame starts.
    ///
    /// Keeps the recorded loss.
    mutating func move(to position: Int, byteCount: Int) {
        self.position = position
        self.byteCount = byteCount
        // The first frame of a stream that is cut at its start has a later number.
        offset = position == 0 ? nil : 0
        damagedCount = 0
    }

    /// Positions a frame.
    ///
    /// - Parameters:
    ///   - start: The first sample frame, according to the header.
    ///   - byteCount: The number of bytes read so far.
    /// - Returns: The number of sample frames lost before it, or `nil` if the frame is unusable.
    package mutating func place(start: Int, count: Int, isDamaged: Bool, byteCount: Int) -> Int? {
        // A stream of unknown length may be cut at its start.
        let offset = offset ?? (declaredCount == nil && !isDamaged ? -start : 0)
        let first = start.addingReportingOverflow(offset)
        guard !isDamaged, !first.overflow else {
            if first.partialValue == position { damagedCount = count }
            return nil
        }
        var gap = first.partialValue - position
        if gap < 0 {
            // An intact frame with a lower number belongs to another stream that was appended.
            self.offset = position - start
            gap = 0
        } else {
            guard gap == 0 || isPlausible(gap, count, bytesPassed: byteCount - self.byteCount) else { return nil }
            self.offset = offset
        }
        if gap > 0 { loss.add(gap, at: position) }
        position += gap + count
        self.byteCount = byteCount
        damagedCount = 0
        return gap
    }

    /// Records the latest positioned frame as lost, because its samples are unusable.
    mutating func lose(_ count: Int) { loss.add(count, at: position - count) }

    /// Returns the length of a damaged frame at the end of the stream, or 0 if the stream is intact.
    package mutating func finish() -> Int {
        let count = min(damagedCount, (declaredCount ?? .max) - min(position, declaredCount ?? .max))
        damagedCount = 0
        if count > 0 { loss.add(count, at: position) }
        position += count
        return count
    }

    /// Whether a gap fits into the skipped bytes, and the frame after it into the stream.
    private func isPlausible(_ gap: Int, _ count: Int, bytesPassed: Int) -> Bool {
        if let declaredCount, gap > declaredCount - position - count { return false }
        return gap / Self.minimumFrame.frameCount <= (max(0, bytesPassed) + Self.readAhead) / Self.minimumFrame.byteCount
    }
}
