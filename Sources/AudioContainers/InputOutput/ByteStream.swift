// SPDX-License-Identifier: Apache-2.0

/// Bytes that are read sequentially, from a pipe, a socket or a file.
package protocol ByteStream {
    /// Reads the next bytes.
    ///
    /// - Parameter maximumByteCount: The maximum number of bytes to read, at least 1.
    /// - Returns: At least one byte, or an empty array at the end of the stream.
    /// - Throws: ``ContainerError/inputFailed(code:)``.
    mutating func read(_ maximumByteCount: Int) throws(ContainerError) -> [UInt8]
}

package struct SequentialBytes<Source: ByteSource>: ByteStream {
    private let source: Source
    private var range: Range<Int>

    package init(_ source: Source) { self.init(source, 0..<source.byteCount) }

    init(_ source: Source, _ range: Range<Int>) {
        self.source = source
        self.range = range
    }

    package mutating func read(_ maximumByteCount: Int) throws(ContainerError) -> [UInt8] {
        let bytes = try source.bytes(in: range.prefix(maximumByteCount))
        range = range.dropFirst(bytes.count)
        return bytes
    }
}

extension SequentialBytes: Sendable where Source: Sendable {}
