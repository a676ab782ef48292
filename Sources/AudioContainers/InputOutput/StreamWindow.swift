// SPDX-License-Identifier: Apache-2.0

/// The part of a stream that a parser still needs: bytes with their offset in the stream.
package struct StreamWindow: Sendable {
    /// The available bytes; those before ``start`` are consumed.
    private(set) var bytes: [UInt8] = []
    /// Index in ``bytes`` of the first byte not consumed.
    private(set) var start = 0
    /// Offset in the stream of the first byte not consumed.
    package private(set) var offset = 0
    /// Whether no more bytes will come.
    package private(set) var isFinished = false

    /// Creates an empty window at an offset in the stream.
    init(offset: Int = 0) { self.offset = offset }

    /// The number of bytes available and not consumed.
    package var count: Int { bytes.count - start }

    /// Appends the next bytes of the stream; traps after ``finish()``.
    mutating func append(_ chunk: some Collection<UInt8>) {
        precondition(!isFinished, "bytes after the end of the stream")
        // Consumed bytes are removed only when they exceed the rest, so that small chunks don't move it each time.
        if start > count {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: chunk)
    }

    /// Ends the stream.
    mutating func finish() { isFinished = true }

    /// Consumes the next bytes, which must be available.
    package mutating func advance(by count: Int) {
        start += count
        offset += count
    }

    /// Whether `count` bytes are available.
    package func has(_ count: Int) -> Bool { self.count >= count }

    /// The byte `distance` bytes on; it must be available.
    package subscript(distance: Int) -> UInt8 { bytes[start + distance] }

    /// The bytes at these distances; they must be available.
    package subscript(distances: Range<Int>) -> ArraySlice<UInt8> {
        bytes[start + distances.lowerBound..<start + distances.upperBound]
    }

    /// Returns the distance of the next byte that `isWanted`; the whole count if there is none.
    func distance(to isWanted: (UInt8) -> Bool) -> Int { bytes[start...].firstIndex(where: isWanted).map { $0 - start } ?? count }

    /// Whether the bytes `distance` on begin with `text`; nil if more bytes are needed.
    func matches(_ text: [UInt8], at distance: Int) -> Bool? {
        let available = max(0, min(text.count, count - distance))
        guard (0..<available).allSatisfy({ self[distance + $0] == text[$0] }) else { return false }
        if available == text.count { return true }
        return isFinished ? false : nil
    }
}

/// The result of looking for something at one place of a window.
enum StreamSearch<Found> {
    /// There is nothing.
    case none
    /// The bytes end before this can be told.
    case needsMore
    /// There is one.
    case found(Found)
}
