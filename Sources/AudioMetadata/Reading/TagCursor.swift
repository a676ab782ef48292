// SPDX-License-Identifier: Apache-2.0

/// Reads numbers and bytes of a tag in order; nil instead of anything after its end.
package struct TagCursor {
    private let bytes: ArraySlice<UInt8>
    /// The index of the next byte.
    private var position: Int

    /// Creates a cursor at the first of some bytes.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The number of bytes that are left.
    package var remaining: Int { bytes.endIndex - position }

    /// The bytes that are left.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    /// Reads bytes; nil if there are fewer.
    package mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Reads bytes, fewer at the end.
    mutating func readAtMost(_ count: Int) -> ArraySlice<UInt8> { read(min(max(0, count), remaining)) ?? [] }

    /// Reads a number of up to eight bytes, the most significant first; the largest `Int` where that is smaller.
    package mutating func readBigEndian(_ byteCount: Int) -> Int? {
        read(byteCount).map { Int(clamping: $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) }
    }

    /// Reads a number of up to four bytes, the least significant first; the largest `Int` where that is smaller.
    package mutating func readLittleEndian(_ byteCount: Int) -> Int? {
        read(byteCount).map { Int(clamping: $0.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) }
    }
}

extension [UInt8] {
    /// Creates a chunk of RIFF, or with `isBigEndian` of AIFF: its name, its length and its contents, filled up to an even number of bytes.
    init(chunk id: String, _ contents: [UInt8], isBigEndian: Bool = false) {
        self = Array(id.utf8)
        if isBigEndian { appendBigEndian(contents.count, byteCount: 4) } else { appendLittleEndian(contents.count, byteCount: 4) }
        self += contents + (contents.count & 1 == 1 ? [0] : [])
    }

    /// Appends a number, the least significant byte first.
    package mutating func appendLittleEndian(_ value: Int, byteCount: Int) {
        for index in 0..<byteCount { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// Appends a number, the most significant byte first.
    package mutating func appendBigEndian(_ value: Int, byteCount: Int) {
        for index in (0..<byteCount).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
