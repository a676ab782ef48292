// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import Synchronization

/// A queue of sound between one thread that records and one that doesn't, without locks.
///
/// One thread writes, one thread reads, at the same time. Writing takes no lock, allocates nothing and never waits: sound that doesn't fit
/// is dropped, counted, and its place is remembered, so that the reader learns where how much is missing.
public final class AudioRingBuffer: @unchecked Sendable {
    /// A run of sound as it was written.
    public struct Chunk: Sendable {
        /// The bytes; empty where the source itself had a hole of ``holeByteCount``.
        public var bytes: [UInt8]

        /// Bytes that the source skipped in place of sound.
        public var holeByteCount: Int

        /// Bytes that were dropped just before this run because the queue was full.
        public var lostByteCount: Int

        /// Host time of the first frame in nanoseconds, or 0 if unknown.
        public var hostTime: Int64

        /// When it was written, in nanoseconds of the host clock.
        public var writeTime: Int64

        /// Whether time may have passed between the run before and this one.
        public var followsBreak: Bool
    }

    /// What stands before the bytes of each run; its size is a multiple of its alignment.
    private struct Header {
        var byteCount = 0
        var holeByteCount = 0
        var lostByteCount = 0
        var hostTime: Int64 = 0
        var writeTime: Int64 = 0
        var followsBreak = 0
    }

    private static let largestRun = 16384

    private let storage: UnsafeMutableRawPointer
    private let capacity: Int
    // Bytes ever written and read. Each index is stored by one thread only, with release after the bytes were touched.
    private let written = Atomic<Int>(0)
    private let read = Atomic<Int>(0)
    // Touched by the writing thread only, until it has ended.
    private var pendingLoss = 0
    private var pendingBreak = false

    /// Makes a queue of at least `byteCount` bytes.
    public init(byteCount: Int) {
        let wanted = max(byteCount, 4 * Self.largestRun)
        capacity = 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount)
        storage = .allocate(byteCount: capacity, alignment: 16)
        // Touched once here, so that the first writes don't wait for pages.
        storage.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    }

    deinit { storage.deallocate() }

    // MARK: The writing thread

    /// Appends bytes, a whole number of frames, whose first frame was heard at `hostTime`.
    ///
    /// - Complexity: O(bytes), no allocation, no lock.
    public func write(_ bytes: UnsafeRawBufferPointer, bytesPerFrame: Int, hostTime: Int64, writeTime: Int64) {
        let step = Self.largestRun / bytesPerFrame * bytesPerFrame
        var offset = 0
        while offset < bytes.count {
            let count = min(step, bytes.count - offset)
            let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
            put(part, hole: 0, hostTime: offset == 0 ? hostTime : 0, writeTime: writeTime)
            offset += count
        }
    }

    /// Notes that the source skipped `byteCount` bytes.
    public func writeHole(byteCount: Int, hostTime: Int64, writeTime: Int64) {
        put(UnsafeRawBufferPointer(start: nil, count: 0), hole: byteCount, hostTime: hostTime, writeTime: writeTime)
    }

    /// Notes that the next run may not follow at once on the one before.
    public func writeBreak() { pendingBreak = true }

    private func put(_ bytes: UnsafeRawBufferPointer, hole: Int, hostTime: Int64, writeTime: Int64) {
        let start = written.load(ordering: .relaxed)
        let free = capacity - (start - read.load(ordering: .acquiring))
        let size = MemoryLayout<Header>.size
        guard free >= size + bytes.count else {
            pendingLoss += bytes.count + hole
            return
        }
        var header = Header(
            byteCount: bytes.count, holeByteCount: hole, lostByteCount: pendingLoss, hostTime: hostTime, writeTime: writeTime,
            followsBreak: pendingBreak ? 1 : 0)
        pendingLoss = 0
        pendingBreak = false
        withUnsafeBytes(of: &header) { copyIn($0, at: start) }
        copyIn(bytes, at: start + size)
        written.store(start + size + bytes.count, ordering: .releasing)
    }

    private func copyIn(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        guard let source = bytes.baseAddress else { return }
        let offset = position & (capacity - 1)
        let first = min(bytes.count, capacity - offset)
        storage.advanced(by: offset).copyMemory(from: source, byteCount: first)
        storage.copyMemory(from: source.advanced(by: first), byteCount: bytes.count - first)
    }

    // MARK: The reading thread

    /// The oldest run, taken off the queue; nil if it is empty.
    public func next() -> Chunk? {
        let start = read.load(ordering: .relaxed)
        guard written.load(ordering: .acquiring) > start else { return nil }
        var header = Header()
        withUnsafeMutableBytes(of: &header) { copyOut(into: $0, at: start) }
        let size = MemoryLayout<Header>.size
        let bytes = [UInt8](unsafeUninitializedCapacity: header.byteCount) { buffer, count in
            count = header.byteCount
            copyOut(into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]), at: start + size)
        }
        read.store(start + size + header.byteCount, ordering: .releasing)
        return Chunk(
            bytes: bytes, holeByteCount: header.holeByteCount, lostByteCount: header.lostByteCount, hostTime: header.hostTime,
            writeTime: header.writeTime, followsBreak: header.followsBreak != 0)
    }

    /// Bytes dropped after the last run that found room.
    ///
    /// Only once the writing thread has ended.
    public func takeTrailingLoss() -> Int {
        defer { pendingLoss = 0 }
        return pendingLoss
    }

    private func copyOut(into bytes: UnsafeMutableRawBufferPointer, at position: Int) {
        guard let target = bytes.baseAddress else { return }
        let offset = position & (capacity - 1)
        let first = min(bytes.count, capacity - offset)
        target.copyMemory(from: storage.advanced(by: offset), byteCount: first)
        target.advanced(by: first).copyMemory(from: storage, byteCount: bytes.count - first)
    }

    /// Bytes that wait to be read, with what stands before each run; the other thread may change that at any time.
    public var unreadByteCount: Int { written.load(ordering: .acquiring) - read.load(ordering: .acquiring) }

    /// Bytes that are free now; the reader may free more at any time.
    var freeByteCount: Int { capacity - unreadByteCount }
}
