// SPDX-License-Identifier: Apache-2.0

/// The bytes of a file in which tags are searched.
package struct TagSource {
    /// The number of bytes.
    package let byteCount: Int
    private let read: (Range<Int>) -> [UInt8]

    /// The most bytes of one tag that are read.
    package static let largestTag = 1 << 26

    /// Creates a source of a number of bytes; the function returns those in a range, fewer if they can't be read.
    package init(byteCount: Int, read: @escaping (Range<Int>) -> [UInt8]) {
        self.byteCount = byteCount
        self.read = read
    }

    /// Creates a source in memory.
    package init(_ bytes: [UInt8]) { self.init(byteCount: bytes.count) { Array(bytes[$0]) } }

    /// Returns bytes; fewer, or none, outside of the file and beyond the limit.
    func bytes(at offset: Int, _ count: Int) -> [UInt8] {
        guard offset >= 0, offset < byteCount, count > 0, count <= Self.largestTag else { return [] }
        return read(offset..<min(byteCount, offset + count))
    }
}
