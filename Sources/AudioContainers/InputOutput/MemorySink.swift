// SPDX-License-Identifier: Apache-2.0

/// A byte sink in memory.
public struct MemorySink: ByteSink, Hashable, Sendable {
    /// The bytes appended and not yet removed.
    public private(set) var bytes: [UInt8] = []

    /// The number of bytes removed by ``removeBytes()``.
    private var removedByteCount = 0

    /// Creates an empty sink.
    public init() {}

    /// Always `true`.
    public var canOverwrite: Bool { true }

    /// The number of bytes appended so far, including removed ones.
    public var byteCount: Int { removedByteCount + bytes.count }

    /// Appends bytes and never throws.
    public mutating func append(_ bytes: [UInt8]) throws(ContainerError) { self.bytes.append(contentsOf: bytes) }

    /// Replaces bytes appended earlier.
    ///
    /// Never throws; traps if any of them were removed.
    public mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        let start = offset - removedByteCount
        self.bytes.replaceSubrange(start..<start + bytes.count, with: bytes)
    }

    /// Removes and returns all bytes, for example to send them.
    ///
    /// For containers that never overwrite: ADTS, LOAS and fragmented M4A.
    package mutating func removeBytes() -> [UInt8] {
        defer { bytes.removeAll() }
        removedByteCount += bytes.count
        return bytes
    }
}
