// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import Dispatch
internal import Synchronization
internal import SystemLibrary

/// A queue of frames between a player's thread and a device's real-time thread.
///
/// It survives the opening of another device.
package final class PlaybackQueue: @unchecked Sendable {
    /// The minimum capacity in frames.
    ///
    /// Devices read up to half of it at a time.
    private static let minimumCapacity = 2048
    /// The maximum duration of queued audio, in seconds.
    private static let maximumDuration = 60.0
    /// The maximum time between two consecutive frames, in nanoseconds: the inaccuracy of host times.
    private static let tolerance: Int64 = 1_000_000

    private let ring: ByteRing
    private let bytesPerFrame: Int
    private let sampleRate: Int
    private let capacity: Int
    private let changed: DispatchSemaphore
    /// The host time at which the last read frame ends, in nanoseconds.
    private let end = Atomic<Int64>(0)
    /// The number of bytes read before the gapless run of frames that ends there.
    private let start = Atomic<Int>(0)
    /// Whether one of the threads holds the reading side of the ring.
    private let isHeld = Atomic<Bool>(false)
    private let isAwaited = Atomic<Bool>(false)

    /// Creates a queue of the configured duration.
    ///
    /// Signals `changed` when awaited frames have been read.
    package init(_ configuration: PlaybackConfiguration, changed: DispatchSemaphore) {
        bytesPerFrame = configuration.pcm.bytesPerFrame
        sampleRate = configuration.sampleRate
        let frames = Int(min(configuration.bufferDuration.inSeconds, Self.maximumDuration) * Double(sampleRate))
        capacity = max(frames, Self.minimumCapacity) * bytesPerFrame
        ring = ByteRing(byteCount: capacity)
        self.changed = changed
    }

    // MARK: Player's thread

    /// Appends as many whole frames as fit.
    ///
    /// Returns their number of bytes.
    package func write(_ bytes: RawSpan) -> Int {
        let availableByteCount = min(capacity - ring.unreadByteCount, bytes.byteCount)
        let count = max(0, availableByteCount / bytesPerFrame * bytesPerFrame)
        bytes.extracting(first: count).withUnsafeBytes { ring.append($0) }
        return count
    }

    /// The number of frames written but not yet heard.
    package var waitingFrameCount: Int {
        while true {
            let read = ring.readByteCount
            let unread = ring.unreadByteCount
            let remaining = max(0, end.load(ordering: .acquiring) - HostClock.now)
            let latest = (read - start.load(ordering: .acquiring)) / bytesPerFrame
            // A device is reading right now: its frames would count twice or not at all.
            guard !isHeld.load(ordering: .acquiring), ring.readByteCount == read else { continue }
            return unread / bytesPerFrame + min(latest, HostClock.frames(inNanoseconds: remaining, sampleRate: sampleRate))
        }
    }

    /// Waits until a device has read frames, another event signals the semaphore, or a host time is reached.
    package func wait(until time: Int64) {
        isAwaited.store(true, ordering: .releasing)
        _ = changed.wait(timeout: .now() + max(0, Double(time - HostClock.now) / 1e9))
    }

    package func discardAll() {
        // The device holds the ring only briefly. While it is held here, the device plays silence.
        while isHeld.exchange(true, ordering: .acquiring) { usleep(100) }
        ring.removeAll()
        end.store(0, ordering: .releasing)
        isHeld.store(false, ordering: .releasing)
    }

    // MARK: Real-time thread

    /// Reads frames, and fills the rest with silence.
    ///
    /// Real-time safe.
    ///
    /// - Parameters:
    ///   - bytes: The destination for whole frames.
    ///   - hostTime: The time at which the first frame is heard, in nanoseconds.
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
