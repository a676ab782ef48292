// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Where a writer's bytes go: a file, a pipe, or memory.
public protocol ByteSink {
    /// Whether ``overwrite(_:at:)`` works.
    var canOverwrite: Bool { get }

    /// Bytes appended so far.
    var byteCount: Int { get }

    /// Appends bytes. Throws ``ContainerError/outputFailed(code:)``.
    mutating func append(_ bytes: [UInt8]) throws(ContainerError)

    /// Replaces bytes that were appended before; the range must lie within ``byteCount``.
    mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError)
}

extension Array: ByteSink where Element == UInt8 {
    /// True: memory can be changed.
    public var canOverwrite: Bool { true }

    /// Appends bytes in memory.
    public mutating func append(_ bytes: [UInt8]) throws(ContainerError) { append(contentsOf: bytes) }

    /// Replaces bytes in memory.
    public mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
}
