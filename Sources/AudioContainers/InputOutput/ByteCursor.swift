// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Reads big-endian numbers from a part of some bytes; never outside of it.
package struct ByteCursor {
    /// All bytes; the cursor sees those from ``position`` up to ``end``.
    private let bytes: [UInt8]
    /// Index of the next byte.
    private(set) var position: Int
    /// The index after the last byte.
    let end: Int
    /// The offset of the first byte in the file.
    private let fileOffset: Int

    /// Creates a cursor over all of `bytes`, which are at `fileOffset` in the file.
    package init(_ bytes: [UInt8], fileOffset: Int = 0) {
        self.bytes = bytes
        self.fileOffset = fileOffset
        position = 0
        end = bytes.count
    }

    /// Creates a cursor over a part of the bytes of another one.
    private init(_ other: ByteCursor, position: Int, end: Int) {
        bytes = other.bytes
        fileOffset = other.fileOffset
        self.position = position
        self.end = end
    }

    /// Bytes not yet read.
    package var remaining: Int { end - position }

    /// The offset of the next byte in the file.
    var offset: Int { fileOffset + position }

    /// Throws unless `count` more bytes can be read; `count` may be any number.
    func require(_ count: Int) throws(ContainerError) {
        guard count >= 0, count <= remaining else {
            throw .truncated(offset: offset, neededBytes: count, availableBytes: remaining)
        }
    }

    /// Throws unless a table of `count` entries can be read.
    func require(_ count: Int, entriesOf byteCount: Int) throws(ContainerError) {
        let product = count.multipliedReportingOverflow(by: byteCount)
        try require(product.overflow ? Int.max : product.partialValue)
    }

    /// Reads a count of 4 bytes and as many entries of `byteCount` bytes each, after checking that they are there.
    mutating func readEntries<Entry>(
        of byteCount: Int, _ entry: (inout ByteCursor) throws(ContainerError) -> Entry
    ) throws(ContainerError) -> [Entry] {
        let count = try readInteger(4)
        try require(count, entriesOf: byteCount)
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count { entries.append(try entry(&self)) }
        return entries
    }

    /// Reads an unsigned number of 1 to 8 bytes, those above the largest `Int` as that.
    mutating func readInteger(_ byteCount: Int) throws(ContainerError) -> Int { Int(clamping: try readBits(byteCount)) }

    /// Reads a signed number of 1 to 8 bytes, those outside the range of `Int` as its nearest.
    mutating func readSigned(_ byteCount: Int) throws(ContainerError) -> Int {
        let shift = Int64(64 - 8 * byteCount)
        return Int(clamping: (Int64(bitPattern: try readBits(byteCount)) << shift) >> shift)
    }

    /// Reads a four-character code.
    mutating func readCode() throws(ContainerError) -> FourCharCode {
        FourCharCode(rawValue: UInt32(truncatingIfNeeded: try readBits(4)))
    }

    /// Reads the bytes that are left.
    mutating func readRest() throws(ContainerError) -> [UInt8] { try readBytes(remaining) }

    /// Reads 1 to 8 bytes as bits.
    mutating func readBits(_ byteCount: Int) throws(ContainerError) -> UInt64 {
        try require(byteCount)
        var value: UInt64 = 0
        for index in position..<position + byteCount { value = value << 8 | UInt64(bytes[index]) }
        position += byteCount
        return value
    }

    /// Reads `count` bytes.
    mutating func readBytes(_ count: Int) throws(ContainerError) -> [UInt8] {
        try require(count)
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Skips `count` bytes.
    mutating func skip(_ count: Int) throws(ContainerError) {
        try require(count)
        position += count
    }

    /// A cursor over the next `count` bytes, which this one skips.
    mutating func split(_ count: Int) throws(ContainerError) -> ByteCursor {
        try require(count)
        defer { position += count }
        return ByteCursor(self, position: position, end: position + count)
    }
}
