// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// A bounds-checked reader of big-endian numbers from a range of bytes.
package struct ByteCursor {
    /// The bytes, read from ``position`` to ``end``.
    private let bytes: [UInt8]
    /// The index of the next byte.
    private(set) var position: Int
    let end: Int
    private let fileOffset: Int

    /// Creates a cursor over `bytes`, which start at `fileOffset` in the file.
    package init(_ bytes: [UInt8], fileOffset: Int = 0) {
        self.bytes = bytes
        self.fileOffset = fileOffset
        position = 0
        end = bytes.count
    }

    /// Creates a cursor over a range of another cursor's bytes.
    private init(_ other: ByteCursor, position: Int, end: Int) {
        bytes = other.bytes
        fileOffset = other.fileOffset
        self.position = position
        self.end = end
    }

    package var remaining: Int { end - position }

    /// The file offset of the next byte.
    var offset: Int { fileOffset + position }

    /// Throws unless `count`, which can be any number, more bytes are available.
    func require(_ count: Int) throws(ContainerError) {
        guard count >= 0, count <= remaining else {
            throw .truncated(offset: offset, neededBytes: count, availableBytes: remaining)
        }
    }

    /// Throws unless a table of `count` entries is available.
    func require(_ count: Int, entriesOf byteCount: Int) throws(ContainerError) {
        let product = count.multipliedReportingOverflow(by: byteCount)
        try require(product.overflow ? Int.max : product.partialValue)
    }

    /// Reads a 4-byte count and, after a size check, that many entries of `byteCount` bytes each.
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

    /// Reads an unsigned number of 1 to 8 bytes, clamped to `Int`.
    mutating func readInteger(_ byteCount: Int) throws(ContainerError) -> Int { Int(clamping: try readBits(byteCount)) }

    /// Reads a signed number of 1 to 8 bytes, clamped to `Int`.
    mutating func readSigned(_ byteCount: Int) throws(ContainerError) -> Int {
        let shift = Int64(64 - 8 * byteCount)
        return Int(clamping: (Int64(bitPattern: try readBits(byteCount)) << shift) >> shift)
    }

    mutating func readCode() throws(ContainerError) -> FourCharCode {
        FourCharCode(rawValue: UInt32(truncatingIfNeeded: try readBits(4)))
    }

    mutating func readRest() throws(ContainerError) -> [UInt8] { try readBytes(remaining) }

    /// Reads 1 to 8 bytes as a bit pattern.
    mutating func readBits(_ byteCount: Int) throws(ContainerError) -> UInt64 {
        try require(byteCount)
        var value: UInt64 = 0
        for index in position..<position + byteCount { value = value << 8 | UInt64(bytes[index]) }
        position += byteCount
        return value
    }

    mutating func readBytes(_ count: Int) throws(ContainerError) -> [UInt8] {
        try require(count)
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func skip(_ count: Int) throws(ContainerError) {
        try require(count)
        position += count
    }

    /// Skips `count` bytes and returns a cursor over them.
    mutating func split(_ count: Int) throws(ContainerError) -> ByteCursor {
        try require(count)
        defer { position += count }
        return ByteCursor(self, position: position, end: position + count)
    }
}
