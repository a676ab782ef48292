// SPDX-License-Identifier: Apache-2.0

/// A sink in memory.
public struct MemorySink: ByteSink, Hashable, Sendable {
    /// The bytes appended and not yet removed.
    public private(set) var bytes: [UInt8] = []

    /// The number of bytes removed by ``removeBytes()``.
    private var removedByteCount = 0

    /// Creates an empty sink.
    public init() {}

    /// True: bytes in memory can be replaced.
    public var canOverwrite: Bool { true }

    /// The number of bytes appended so far, removed ones included.
    public var byteCount: Int { removedByteCount + bytes.count }

    /// Appends bytes; never throws.
    public mutating func append(_ bytes: [UInt8]) throws(ContainerError) { self.bytes.append(contentsOf: bytes) }

    /// Replaces bytes that were appended before; never throws, and traps if any of them was removed.
    public mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        let start = offset - removedByteCount
        self.bytes.replaceSubrange(start..<start + bytes.count, with: bytes)
    }

    /// Removes all bytes, for example to send them.
    ///
    /// Use it with containers that never overwrite: ADTS, LOAS and fragmented M4A.
    ///
    /// - Returns: The bytes removed.
    package mutating func removeBytes() -> [UInt8] {
        defer { bytes.removeAll() }
        removedByteCount += bytes.count
        return bytes
    }
}
