// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A lock-free byte queue between one writing and one reading thread.
///
/// Neither side takes a lock, allocates or waits.
package struct ByteRing: ~Copyable, @unchecked Sendable {
    private let storage: UnsafeMutableRawPointer
    private let capacity: Int
    // Total bytes written and read. Only one thread stores each index, with release ordering after accessing the bytes.
    private let written = Atomic<Int>(0)
    private let read = Atomic<Int>(0)

    package init(byteCount: Int) {
        capacity = 1 << (Int.bitWidth - (max(byteCount, 2) - 1).leadingZeroBitCount)
        storage = .allocate(byteCount: capacity, alignment: 16)
        // Initialized here, so that the first writes do not wait for page faults.
        storage.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    }

    deinit { storage.deallocate() }

    /// The number of queued bytes.
    ///
    /// The other thread may change it at any time.
    package var unreadByteCount: Int { written.load(ordering: .acquiring) - read.load(ordering: .acquiring) }

    /// The number of free bytes.
    ///
    /// The reading thread may increase it at any time.
    package var freeByteCount: Int { capacity - unreadByteCount }

    package var readByteCount: Int { read.load(ordering: .acquiring) }

    /// Appends two runs of bytes at once.
    ///
    /// They must fit. Writing thread only.
    package func append(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)) {
        let start = written.load(ordering: .relaxed)
        copyIn(first, at: start)
        copyIn(second, at: start + first.count)
        written.store(start + first.count + second.count, ordering: .releasing)
    }

    /// Removes and copies the oldest bytes.
    ///
    /// Reading thread only.
    ///
    /// - Parameter bytes: The destination, no larger than ``unreadByteCount``.
    package func read(into bytes: UnsafeMutableRawBufferPointer) {
        let start = read.load(ordering: .relaxed)
        copyOut(into: bytes, at: start)
        read.store(start + bytes.count, ordering: .releasing)
    }

    /// Removes all bytes.
    ///
    /// Reading thread only, or another thread while it does not read.
    package func removeAll() { read.store(written.load(ordering: .acquiring), ordering: .releasing) }

    /// Copies bytes to a position in the ring, in two parts if they wrap around.
    private func copyIn(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        guard let source = bytes.baseAddress else { return }
        let offset = position & (capacity - 1)
        let first = min(bytes.count, capacity - offset)
        storage.advanced(by: offset).copyMemory(from: source, byteCount: first)
        storage.copyMemory(from: source.advanced(by: first), byteCount: bytes.count - first)
    }

    /// Copies bytes from a position in the ring, in two parts if they wrap around.
    private func copyOut(into bytes: UnsafeMutableRawBufferPointer, at position: Int) {
        guard let target = bytes.baseAddress else { return }
        let offset = position & (capacity - 1)
        let first = min(bytes.count, capacity - offset)
        target.copyMemory(from: storage.advanced(by: offset), byteCount: first)
        target.advanced(by: first).copyMemory(from: storage, byteCount: bytes.count - first)
    }
}
