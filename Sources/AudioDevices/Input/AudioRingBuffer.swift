// SPDX-License-Identifier: Apache-2.0

/// A lock-free queue of audio between one writing and one reading thread.
///
/// Writing takes no lock, allocates nothing and never waits. Audio that doesn't fit is dropped and counted, and the next chunk that fits says
/// how many bytes are missing before it.
package final class AudioRingBuffer: @unchecked Sendable {
    /// A run of audio as it was written.
    package struct Chunk: Sendable {
        /// The samples; empty for a gap of ``holeByteCount`` bytes that the source reported.
        package var bytes: [UInt8]

        /// The number of bytes that the source skipped instead of delivering them.
        package var holeByteCount: Int

        /// The number of bytes dropped before this chunk because the queue was full.
        package var lostByteCount: Int

        /// The host time of the first frame in nanoseconds; 0 if unknown.
        package var hostTime: Int64

        /// The host time at which the chunk was written, in nanoseconds.
        package var writeTime: Int64

        /// Whether an unknown time may have passed since the previous chunk.
        package var followsBreak: Bool

        /// Creates a value from its parts.
        package init(bytes: [UInt8], holeByteCount: Int, lostByteCount: Int, hostTime: Int64, writeTime: Int64, followsBreak: Bool) {
            self.bytes = bytes
            self.holeByteCount = holeByteCount
            self.lostByteCount = lostByteCount
            self.hostTime = hostTime
            self.writeTime = writeTime
            self.followsBreak = followsBreak
        }
    }

    /// The values stored before the bytes of each chunk.
    private struct Header {
        var byteCount = 0
        var holeByteCount = 0
        var lostByteCount = 0
        var hostTime: Int64 = 0
        var writeTime: Int64 = 0
        var followsBreak = 0
    }

    /// The largest number of bytes in a chunk.
    private static let largestChunk = 16384

    private let ring: ByteRing
    // Accessed by the writing thread only, until it has ended.
    private var pendingLoss = 0
    private var pendingBreak = false

    /// Creates a queue with a capacity of at least `byteCount` bytes.
    package init(byteCount: Int) {
        ring = ByteRing(byteCount: max(byteCount, 4 * Self.largestChunk))
    }

    // MARK: Writing thread

    /// Appends audio.
    ///
    /// Real-time safe.
    ///
    /// - Parameters:
    ///   - bytes: Whole frames.
    ///   - bytesPerFrame: The size of a frame.
    ///   - hostTime: The time at which the first frame was captured, in nanoseconds; 0 if unknown.
    ///   - writeTime: The current host time in nanoseconds.
    /// - Complexity: O(*n*), where *n* is the number of bytes; no allocation, no lock.
    package func write(_ bytes: RawSpan, bytesPerFrame: Int, hostTime: Int64, writeTime: Int64) {
        let step = Self.largestChunk / bytesPerFrame * bytesPerFrame
        var offset = 0
        while offset < bytes.byteCount {
            let count = min(step, bytes.byteCount - offset)
            append(bytes.extracting(offset..<offset + count), hole: 0, hostTime: offset == 0 ? hostTime : 0, writeTime: writeTime)
            offset += count
        }
    }

    /// Appends a gap of `byteCount` bytes that the source reported.
    ///
    /// Real-time safe.
    ///
    /// - Parameters:
    ///   - byteCount: The number of missing bytes.
    ///   - hostTime: The time of the first missing frame, in nanoseconds; 0 if unknown.
    ///   - writeTime: The current host time in nanoseconds.
    package func writeHole(byteCount: Int, hostTime: Int64, writeTime: Int64) {
        append(RawSpan(), hole: byteCount, hostTime: hostTime, writeTime: writeTime)
    }

    /// Marks that an unknown time passes before the next chunk.
    ///
    /// Real-time safe.
    package func writeBreak() { pendingBreak = true }

    /// Appends one chunk, or counts it as lost if it doesn't fit.
    private func append(_ bytes: RawSpan, hole: Int, hostTime: Int64, writeTime: Int64) {
        guard ring.freeByteCount >= MemoryLayout<Header>.size + bytes.byteCount else {
            pendingLoss += bytes.byteCount + hole
            return
        }
        var header = Header(
            byteCount: bytes.byteCount, holeByteCount: hole, lostByteCount: pendingLoss, hostTime: hostTime, writeTime: writeTime,
            followsBreak: pendingBreak ? 1 : 0)
        pendingLoss = 0
        pendingBreak = false
        withUnsafeBytes(of: &header) { header in bytes.withUnsafeBytes { ring.append(header, $0) } }
    }

    // MARK: Reading thread

    /// Removes and returns the oldest chunk; nil if the queue is empty.
    package func next() -> Chunk? {
        guard ring.unreadByteCount > 0 else { return nil }
        var header = Header()
        withUnsafeMutableBytes(of: &header) { ring.read(into: $0) }
        let bytes = [UInt8](unsafeUninitializedCapacity: header.byteCount) { buffer, count in
            count = header.byteCount
            ring.read(into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
        }
        return Chunk(
            bytes: bytes, holeByteCount: header.holeByteCount, lostByteCount: header.lostByteCount, hostTime: header.hostTime,
            writeTime: header.writeTime, followsBreak: header.followsBreak != 0)
    }

    /// Returns the number of bytes dropped after the last chunk that fitted, and resets it to zero.
    ///
    /// May only be called after the writing thread has ended.
    package func dequeueTrailingLoss() -> Int {
        defer { pendingLoss = 0 }
        return pendingLoss
    }

    /// The number of bytes in the queue, chunk headers included; the other thread may change it at any time.
    package var unreadByteCount: Int { ring.unreadByteCount }

    /// The number of free bytes; the reading thread may increase it at any time.
    var freeByteCount: Int { ring.freeByteCount }
}
