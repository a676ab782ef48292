// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The part of a stream that a reader still needs: bytes with their place in the stream.
struct StreamWindow: Sendable {
    /// The bytes at hand; those before ``start`` are spent.
    private(set) var bytes: [UInt8] = []
    /// Index in ``bytes`` of the first byte not spent.
    private(set) var start = 0
    /// Offset in the stream of the first byte not spent.
    private(set) var offset = 0
    /// Whether no more bytes will come.
    private(set) var isFinished = false

    /// Bytes at hand and not spent.
    var count: Int { bytes.count - start }

    /// Takes the next bytes of the stream; traps after ``finish()``.
    mutating func append(_ chunk: some Collection<UInt8>) {
        precondition(!isFinished, "bytes after the end of the stream")
        // Spent bytes go only when they outweigh the rest, so that tiny chunks don't move it each time.
        if start > count {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: chunk)
    }

    /// Says that the stream is over.
    mutating func finish() { isFinished = true }

    /// Spends the next bytes; they must be at hand.
    mutating func advance(by count: Int) {
        start += count
        offset += count
    }

    /// Whether `count` bytes from here are at hand.
    func has(_ count: Int) -> Bool { self.count >= count }

    /// The byte `distance` bytes on; it must be at hand.
    subscript(distance: Int) -> UInt8 { bytes[start + distance] }

    /// The bytes at these distances; they must be at hand.
    subscript(distances: Range<Int>) -> ArraySlice<UInt8> {
        bytes[start + distances.lowerBound..<start + distances.upperBound]
    }

    /// How far the next byte is that `isWanted`; the whole count if none is at hand.
    func distance(to isWanted: (UInt8) -> Bool) -> Int { bytes[start...].firstIndex(where: isWanted).map { $0 - start } ?? count }

    /// Whether the bytes `distance` on begin with `text`; nil if too few have come to say.
    func matches(_ text: [UInt8], at distance: Int) -> Bool? {
        let available = max(0, min(text.count, count - distance))
        guard (0..<available).allSatisfy({ self[distance + $0] == text[$0] }) else { return false }
        if available == text.count { return true }
        return isFinished ? false : nil
    }
}
