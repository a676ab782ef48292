// SPDX-License-Identifier: Apache-2.0

/// A lock-free audio queue between one writing and one reading thread.
///
/// Writing takes no lock, allocates nothing and never waits. Audio that does not fit is dropped and counted; the next chunk that fits
/// records the number of missing bytes.
package final class AudioRingBuffer: @unchecked Sendable {
    /// A run of audio as it was written.
    package struct Chunk: Sendable {
        /// The samples; empty for a gap of ``gapByteCount`` bytes that the source reported.
        package var bytes: [UInt8]

        /// The number of bytes that the source skipped.
        package var gapByteCount: Int

        /// The number of bytes dropped before this chunk because the queue was full.
        package var lostByteCount: Int

        /// The first frame's host time, in nanoseconds; 0 if unknown.
        package var hostTime: Int64

        /// The host time at which the chunk was written, in nanoseconds.
        package var writeTime: Int64

        /// Whether an unknown time may have passed since the previous chunk.
        package var followsBreak: Bool

        package init(bytes: [UInt8], gapByteCount: Int, lostByteCount: Int, hostTime: Int64, writeTime: Int64, followsBreak: Bool) {
            self.bytes = bytes
            self.gapByteCount = gapByteCount
            self.lostByteCount = lostByteCount
            self.hostTime = hostTime
            self.writeTime = writeTime
            self.followsBreak = followsBreak
        }
    }

    /// The values stored before each chunk's bytes.
    private struct Header {
        var byteCount = 0
        var gapByteCount = 0
        var lostByteCount = 0
        var hostTime: Int64 = 0
        var writeTime: Int64 = 0
        var followsBreak = 0
    }

    private static let maximumChunkByteCount = 16384

    private let ring: ByteRing
    // Used only by the writing thread until it has ended.
    private var pendingLoss = 0
    private var pendingBreak = false

    package init(byteCount: Int) {
        ring = ByteRing(byteCount: max(byteCount, 4 * Self.maximumChunkByteCount))
    }

    // MARK: Writing thread

    /// Appends audio without allocation or lock.
    ///
    /// - Parameters:
    ///   - bytes: Whole frames.
    ///   - hostTime: The first frame's capture time in nanoseconds; 0 if unknown.
    ///   - writeTime: The current host time, in nanoseconds.
    /// - Complexity: O(*n*) in the number of bytes.
    package func write(_ bytes: RawSpan, bytesPerFrame: Int, hostTime: Int64, writeTime: Int64) {
        let step = Self.maximumChunkByteCount / bytesPerFrame * bytesPerFrame
        var offset = 0
        while offset < bytes.byteCount {
            let count = min(step, bytes.byteCount - offset)
            append(bytes.extracting(offset..<offset + count), gap: 0, hostTime: offset == 0 ? hostTime : 0, writeTime: writeTime)
            offset += count
        }
    }

    /// Appends a gap that the source reported.
    ///
    /// Real-time safe.
    ///
    /// - Parameters:
    ///   - hostTime: The first missing frame's time in nanoseconds; 0 if unknown.
    ///   - writeTime: The current host time, in nanoseconds.
    package func writeGap(byteCount: Int, hostTime: Int64, writeTime: Int64) {
        append(RawSpan(), gap: byteCount, hostTime: hostTime, writeTime: writeTime)
    }

    /// Marks an unknown pause before the next chunk.
    ///
    /// Real-time safe.
    package func writeBreak() { pendingBreak = true }

    /// Appends one chunk, or counts it as lost if it does not fit.
    private func append(_ bytes: RawSpan, gap: Int, hostTime: Int64, writeTime: Int64) {
        guard ring.freeByteCount >= MemoryLayout<Header>.size + bytes.byteCount else {
            pendingLoss += bytes.byteCount + gap
            return
        }
        var header = Header(
            byteCount: bytes.byteCount, gapByteCount: gap, lostByteCount: pendingLoss, hostTime: hostTime, writeTime: writeTime,
            followsBreak: pendingBreak ? 1 : 0)
        pendingLoss = 0
        pendingBreak = false
        withUnsafeBytes(of: &header) { header in bytes.withUnsafeBytes { ring.append(header, $0) } }
    }

    // MARK: Reading thread

    /// Removes and returns the oldest chunk, if any.
    package func next() -> Chunk? {
        guard ring.unreadByteCount > 0 else { return nil }
        var header = Header()
        withUnsafeMutableBytes(of: &header) { ring.read(into: $0) }
        let bytes = [UInt8](unsafeUninitializedCapacity: header.byteCount) { buffer, count in
            count = header.byteCount
            ring.read(into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
        }
        return Chunk(
            bytes: bytes, gapByteCount: header.gapByteCount, lostByteCount: header.lostByteCount, hostTime: header.hostTime,
            writeTime: header.writeTime, followsBreak: header.followsBreak != 0)
    }

    /// Returns and resets the number of bytes dropped after the last chunk that fitted.
    ///
    /// Must be called only after the writing thread has ended.
    package func dequeueTrailingLoss() -> Int {
        defer { pendingLoss = 0 }
        return pendingLoss
    }

    /// The number of queued bytes, including chunk headers.
    ///
    /// The other thread may change it at any time.
    package var unreadByteCount: Int { ring.unreadByteCount }

    /// The number of free bytes.
    ///
    /// The reading thread may increase it at any time.
    var freeByteCount: Int { ring.freeByteCount }
}
