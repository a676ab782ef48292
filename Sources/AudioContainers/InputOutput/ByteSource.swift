// SPDX-License-Identifier: Apache-2.0

/// Bytes that can be read at any offset: a file or memory.
public protocol ByteSource {
    /// The number of bytes.
    var byteCount: Int { get }

    /// Reads bytes.
    ///
    /// - Parameter range: The offsets to read, within ``byteCount``.
    /// - Returns: The bytes; fewer only if the source has become shorter.
    /// - Throws: ``ContainerError/inputFailed(code:)``.
    func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8]
}

/// A source in memory.
public struct MemorySource: ByteSource, Hashable, Sendable {
    /// All bytes.
    public let bytes: [UInt8]

    /// Creates a source from bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of bytes.
    public var byteCount: Int { bytes.count }

    /// Copies the bytes in `range`; never throws.
    public func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] { Array(bytes[range.clamped(to: 0..<bytes.count)]) }
}
