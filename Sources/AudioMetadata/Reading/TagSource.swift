// SPDX-License-Identifier: Apache-2.0

/// The bytes of a file to search for tags.
package struct TagSource {
    /// The file size.
    package let byteCount: Int
    private let read: (Range<Int>) -> [UInt8]

    package static let maximumTagByteCount = 1 << 26

    /// Creates a source.
    ///
    /// `read` returns the bytes in a range, or fewer if they cannot be read.
    package init(byteCount: Int, read: @escaping (Range<Int>) -> [UInt8]) {
        self.byteCount = byteCount
        self.read = read
    }

    package init(_ bytes: [UInt8]) { self.init(byteCount: bytes.count) { Array(bytes[$0]) } }

    /// Returns bytes, or fewer beyond the end of the file or the size limit.
    func bytes(at offset: Int, _ count: Int) -> [UInt8] {
        guard offset >= 0, offset < byteCount, count > 0, count <= Self.maximumTagByteCount else { return [] }
        return read(offset..<min(byteCount, offset + count))
    }
}
