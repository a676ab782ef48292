// SPDX-License-Identifier: Apache-2.0

/// The place in time of frames whose headers count sample frames, where some of them are lost.
package struct FLACTimeline {
    /// The sample frame after the last one that was placed.
    package private(set) var position = 0
    /// The parts that were lost between intact frames.
    package private(set) var loss = PCMLoss()

    /// The length by the header of the stream; nil if it is unknown.
    private let declaredCount: Int?
    /// The difference between places here and the numbers of the stream, which begins anew where streams were joined.
    private var offset: Int?
    /// A damaged frame at ``position``, after which nothing came so far.
    private var damagedCount = 0
    /// The number of bytes read before the last intact frame.
    private var byteCount = 0

    /// The bytes that a decoder reads in advance, at most, with room for what is before the first frame.
    private static let readAhead = 65_536
    /// The bytes of the smallest frame, and the most sample frames that it has.
    private static let smallestFrame = (byteCount: 8, frameCount: 65_535)

    /// Creates the timeline of a stream.
    package init(declaredCount: Int?) { self.declaredCount = declaredCount }

    /// Moves to a sample frame from which on frames come next; what was lost before is kept.
    mutating func move(to position: Int, byteCount: Int) {
        self.position = position
        self.byteCount = byteCount
        offset = 0
        damagedCount = 0
    }

    /// Places a frame.
    ///
    /// - Parameters:
    ///   - start: Its first sample frame by its header.
    ///   - count: Its sample frames.
    ///   - isDamaged: Whether it can't be used.
    ///   - byteCount: The bytes read so far.
    /// - Returns: The sample frames that are lost before it; nil if it can't be used.
    package mutating func place(start: Int, count: Int, isDamaged: Bool, byteCount: Int) -> Int? {
        // A stream of unknown length may have been cut at its beginning.
        let offset = offset ?? (declaredCount == nil && !isDamaged ? -start : 0)
        let first = start.addingReportingOverflow(offset)
        guard !isDamaged, !first.overflow else {
            if first.partialValue == position { damagedCount = count }
            return nil
        }
        var gap = first.partialValue - position
        if gap < 0 {
            // An intact frame with an earlier number: another stream, joined to the first.
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

    /// Adds the frame that was placed last to what is lost, since its samples can't be given.
    mutating func lose(_ count: Int) { loss.add(count, at: position - count) }

    /// Returns the sample frames of the damaged frame that the stream ends with; 0 if there is none.
    package mutating func finish() -> Int {
        let count = min(damagedCount, (declaredCount ?? .max) - min(position, declaredCount ?? .max))
        damagedCount = 0
        if count > 0 { loss.add(count, at: position) }
        position += count
        return count
    }

    /// Whether so many frames can have been in the bytes that were passed, and the frame after them is within the stream.
    private func isPlausible(_ gap: Int, _ count: Int, bytesPassed: Int) -> Bool {
        if let declaredCount, gap > declaredCount - position - count { return false }
        return gap / Self.smallestFrame.frameCount <= (max(0, bytesPassed) + Self.readAhead) / Self.smallestFrame.byteCount
    }
}
