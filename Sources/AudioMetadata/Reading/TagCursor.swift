// SPDX-License-Identifier: Apache-2.0

/// A reader of the numbers and bytes of a tag, which returns `nil` beyond the end.
package struct TagCursor {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package var remaining: Int { bytes.endIndex - position }

    var rest: ArraySlice<UInt8> { bytes[position...] }

    /// Reads `count` bytes, or returns `nil` if there are fewer.
    package mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Reads up to `count` bytes.
    mutating func readAtMost(_ count: Int) -> ArraySlice<UInt8> { read(min(max(0, count), remaining)) ?? [] }

    /// Reads a big-endian number of up to eight bytes, clamped to `Int`.
    package mutating func readBigEndian(_ byteCount: Int) -> Int? {
        read(byteCount).map { Int(clamping: $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) }
    }

    /// Reads a little-endian number of up to four bytes, clamped to `Int`.
    package mutating func readLittleEndian(_ byteCount: Int) -> Int? {
        read(byteCount).map { Int(clamping: $0.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) }
    }
}

extension [UInt8] {
    /// Creates a RIFF or, with `isBigEndian`, AIFF chunk, padded to an even number of bytes.
    init(chunk id: String, _ contents: [UInt8], isBigEndian: Bool = false) {
        self = Array(id.utf8)
        if isBigEndian { appendBigEndian(contents.count, byteCount: 4) } else { appendLittleEndian(contents.count, byteCount: 4) }
        self += contents + (contents.count & 1 == 1 ? [0] : [])
    }

    package mutating func appendLittleEndian(_ value: Int, byteCount: Int) {
        for index in 0..<byteCount { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    package mutating func appendBigEndian(_ value: Int, byteCount: Int) {
        for index in (0..<byteCount).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
