// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Bytes that can be read at any place: a file, or memory.
public protocol ByteSource {
    /// All bytes there are.
    var byteCount: Int { get }

    /// The bytes in `range`, which lies within ``byteCount``; fewer only if the source has shrunk.
    ///
    /// Throws ``ContainerError/inputFailed(code:)``.
    func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8]
}

extension Array: ByteSource where Element == UInt8 {
    /// The number of bytes in memory.
    public var byteCount: Int { count }

    /// A copy of the bytes in `range`.
    public func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] { Array(self[range.clamped(to: 0..<count)]) }
}
