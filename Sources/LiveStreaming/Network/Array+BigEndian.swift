// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Appends an integer in big-endian order, truncated to `byteCount` bytes.
    package mutating func append(bigEndian value: some BinaryInteger, byteCount: Int) {
        for index in (0..<byteCount).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// Returns the big-endian 32-bit integer at an index.
    func bigEndianWord(at index: Int) -> UInt32 { self[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) } }
}

extension ArraySlice<UInt8> {
    /// Removes and returns a big-endian integer; `nil` if too few bytes remain.
    mutating func removeFirst(bigEndian byteCount: Int) -> UInt64? {
        guard count >= byteCount else { return nil }
        defer { self = dropFirst(byteCount) }
        return prefix(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
