// SPDX-License-Identifier: Apache-2.0

/// Bytes with random access, in a file or in memory.
public protocol ByteSource {
    /// The size in bytes.
    var byteCount: Int { get }

    /// Reads bytes.
    ///
    /// - Parameter range: The offsets to read, within ``byteCount``.
    /// - Returns: The bytes. Fewer only if the source has shrunk.
    /// - Throws: ``ContainerError/inputFailed(code:)``.
    func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8]
}

/// A byte source in memory.
public struct MemorySource: ByteSource, Hashable, Sendable {
    /// All bytes.
    public let bytes: [UInt8]

    /// Creates a source for the given bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The size in bytes.
    public var byteCount: Int { bytes.count }

    /// Copies the bytes in `range` and never throws.
    public func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] { Array(bytes[range.clamped(to: 0..<bytes.count)]) }
}
