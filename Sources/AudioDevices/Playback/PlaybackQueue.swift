// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import Dispatch
internal import Synchronization
internal import SystemLibrary

/// The frames between the thread of a player and the real-time thread of a device, which outlive the opening of another device.
package final class PlaybackQueue: @unchecked Sendable {
    /// The smallest capacity in frames: devices take up to half of it at a time.
    private static let smallestCapacity = 2048
    /// The longest audio that waits, in seconds.
    private static let longestDuration = 60.0
    /// The largest time between two frames that follow each other, in nanoseconds: the inaccuracy of host times.
    private static let tolerance: Int64 = 1_000_000

    private let ring: ByteRing
    private let bytesPerFrame: Int
    private let sampleRate: Int
    private let capacity: Int
    private let changed: DispatchSemaphore
    /// The host time at which the last frame that was read has been heard, in nanoseconds.
    private let end = Atomic<Int64>(0)
    /// The number of bytes read before the frames that end there without a gap.
    private let start = Atomic<Int>(0)
    /// Whether one of the threads has the reading side of the ring.
    private let isHeld = Atomic<Bool>(false)
    private let isAwaited = Atomic<Bool>(false)

    /// Creates a queue of the length that a configuration wants, which signals `changed` when frames that are awaited were read.
    package init(_ configuration: PlaybackConfiguration, changed: DispatchSemaphore) {
        bytesPerFrame = configuration.pcm.bytesPerFrame
        sampleRate = configuration.sampleRate
        let frames = Int(min(configuration.bufferDuration.inSeconds, Self.longestDuration) * Double(sampleRate))
        capacity = max(frames, Self.smallestCapacity) * bytesPerFrame
        ring = ByteRing(byteCount: capacity)
        self.changed = changed
    }

    // MARK: Player's thread

    /// Appends as many whole frames as there is room for, and returns their number of bytes.
    package func write(_ bytes: RawSpan) -> Int {
        let room = min(capacity - ring.unreadByteCount, bytes.byteCount)
        let count = max(0, room / bytesPerFrame * bytesPerFrame)
        bytes.extracting(first: count).withUnsafeBytes { ring.append($0) }
        return count
    }

    /// The number of frames that were written and not heard.
    package var waitingFrameCount: Int {
        while true {
            let read = ring.readByteCount
            let unread = ring.unreadByteCount
            let remaining = max(0, end.load(ordering: .acquiring) - HostClock.now)
            let latest = (read - start.load(ordering: .acquiring)) / bytesPerFrame
            // Otherwise a device reads at this moment, and its frames count twice or not at all.
            guard !isHeld.load(ordering: .acquiring), ring.readByteCount == read else { continue }
            return unread / bytesPerFrame + min(latest, HostClock.frames(inNanoseconds: remaining, sampleRate: sampleRate))
        }
    }

    /// Waits until a device has read frames, or something else has signalled the semaphore, or a host time.
    package func wait(until time: Int64) {
        isAwaited.store(true, ordering: .releasing)
        _ = changed.wait(timeout: .now() + max(0, Double(time - HostClock.now) / 1e9))
    }

    /// Discards all frames.
    package func discardAll() {
        // The device holds it for a moment; while it is held here, the device plays silence.
        while isHeld.exchange(true, ordering: .acquiring) { usleep(100) }
        ring.removeAll()
        end.store(0, ordering: .releasing)
        isHeld.store(false, ordering: .releasing)
    }

    // MARK: Real-time thread

    /// Reads frames, and silence where none wait.
    ///
    /// Real-time safe.
    ///
    /// - Parameters:
    ///   - bytes: The destination, of whole frames.
    ///   - hostTime: The time at which its first frame is heard, in nanoseconds.
    package func read(into bytes: UnsafeMutableRawBufferPointer, hostTime: Int64) {
        guard let memory = bytes.baseAddress else { return }
        var count = 0
        if !isHeld.exchange(true, ordering: .acquiring) {
            count = min(bytes.count, ring.unreadByteCount)
            if count > 0 {
                let length = HostClock.nanoseconds(ofFrames: count / bytesPerFrame, sampleRate: sampleRate)
                if hostTime > end.load(ordering: .relaxed) + Self.tolerance { start.store(ring.readByteCount, ordering: .releasing) }
                end.store(hostTime + length, ordering: .releasing)
                ring.read(into: UnsafeMutableRawBufferPointer(start: memory, count: count))
            }
            isHeld.store(false, ordering: .releasing)
        }
        memset(memory + count, 0, bytes.count - count)
        if isAwaited.exchange(false, ordering: .acquiringAndReleasing) { changed.signal() }
    }
}
