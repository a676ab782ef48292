// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Appends a number, the most significant byte first.
    ///
    /// - Parameters:
    ///   - value: The number; higher bytes are ignored.
    ///   - byteCount: The number of bytes.
    package mutating func append(bigEndian value: some BinaryInteger, byteCount: Int) {
        for index in (0..<byteCount).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// Returns the four bytes from an index on as a number, the most significant byte first.
    func bigEndianWord(at index: Int) -> UInt32 { self[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) } }
}

extension ArraySlice<UInt8> {
    /// Removes the first bytes and returns them as an unsigned integer, the most significant byte first; nil if there are not as many.
    mutating func removeFirst(bigEndian byteCount: Int) -> UInt64? {
        guard count >= byteCount else { return nil }
        defer { self = dropFirst(byteCount) }
        return prefix(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
