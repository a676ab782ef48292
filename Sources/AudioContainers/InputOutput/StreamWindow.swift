// SPDX-License-Identifier: Apache-2.0

/// The part of a stream that a parser still needs, with its offset in the stream.
package struct StreamWindow: Sendable {
    /// The buffered bytes, consumed before ``start``.
    private(set) var bytes: [UInt8] = []
    /// The index in ``bytes`` of the first unconsumed byte.
    private(set) var start = 0
    /// The offset in the stream of the first unconsumed byte.
    package private(set) var offset = 0
    package private(set) var isFinished = false

    init(offset: Int = 0) { self.offset = offset }

    /// The number of unconsumed bytes.
    package var count: Int { bytes.count - start }

    /// Appends the next bytes of the stream, and traps after ``finish()``.
    mutating func append(_ chunk: some Collection<UInt8>) {
        precondition(!isFinished, "bytes after the end of the stream")
        // Consumed bytes are removed only when they outnumber the remaining ones, so that small chunks do not move those each time.
        if start > count {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: chunk)
    }

    mutating func finish() { isFinished = true }

    /// Consumes the next bytes, which must be available.
    package mutating func advance(by count: Int) {
        start += count
        offset += count
    }

    package func has(_ count: Int) -> Bool { self.count >= count }

    /// The unconsumed byte at index `distance`, which must be available.
    package subscript(distance: Int) -> UInt8 { bytes[start + distance] }

    /// The unconsumed bytes at the given indices, which must be available.
    package subscript(distances: Range<Int>) -> ArraySlice<UInt8> {
        bytes[start + distances.lowerBound..<start + distances.upperBound]
    }

    /// Returns the distance to the next byte that satisfies `isWanted`, or `count` if no byte does.
    func distance(to isWanted: (UInt8) -> Bool) -> Int { bytes[start...].firstIndex(where: isWanted).map { $0 - start } ?? count }

    /// Whether the bytes at `distance` start with `text`, or `nil` if more bytes are needed.
    func matches(_ text: [UInt8], at distance: Int) -> Bool? {
        let available = max(0, min(text.count, count - distance))
        guard (0..<available).allSatisfy({ self[distance + $0] == text[$0] }) else { return false }
        if available == text.count { return true }
        return isFinished ? false : nil
    }
}

/// The result of a search at one position of a window.
enum StreamSearch<Found> {
    case none
    /// More bytes are needed to decide.
    case needsMore
    case found(Found)
}
