// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import Dispatch
internal import Synchronization

/// The destination of a backend's audio and notices, from one opening of a device to its closing.
///
/// ``CaptureBackend`` describes which threads may call what.
public final class CaptureInput: Sendable {
    /// The values set by ``prepare(_:)``.
    private struct Prepared {
        var format: CaptureFormat
        var ring: AudioRingBuffer
    }

    // Written once by `prepare`, before the first `write`; the atomic flag publishes it to the worker.
    nonisolated(unsafe) private var prepared: Prepared?
    nonisolated(unsafe) private var bytesPerFrame = 1
    private let isPrepared = Atomic<Bool>(false)
    private let cancelled = Atomic<Bool>(false)
    /// The notices, for the parts of a backend that report nothing else.
    let notices: NoticeQueue
    private let wake: DispatchSemaphore
    private let queueDuration: Duration

    /// Creates an input with a queue of the given length, which signals `wake` with everything that arrives.
    package init(queueDuration: Duration, wake: DispatchSemaphore) {
        self.queueDuration = queueDuration
        self.wake = wake
        notices = NoticeQueue(wake: wake)
    }

    /// Whether the device is no longer wanted.
    public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Asks a backend that is starting to give up.
    func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Sets the actual format of the device; called once, before the first `write`.
    public func prepare(_ format: CaptureFormat) {
        bytesPerFrame = format.pcm.bytesPerFrame
        let byteCount = Int(queueDuration.inSeconds * Double(format.sampleRate)) * bytesPerFrame
        prepared = Prepared(format: format, ring: AudioRingBuffer(byteCount: byteCount + byteCount / 8))
        isPrepared.store(true, ordering: .releasing)
    }

    /// Writes captured audio.
    ///
    /// Real-time safe.
    ///
    /// - Parameters:
    ///   - bytes: Whole frames.
    ///   - hostTime: The time at which the first frame was captured, in nanoseconds of `DispatchTime`; 0 if unknown.
    public func write(_ bytes: RawSpan, hostTime: Int64) {
        prepared?.ring.write(bytes, bytesPerFrame: bytesPerFrame, hostTime: hostTime, writeTime: HostClock.now)
        wake.signal()
    }

    /// Writes a gap of known length that the source reported.
    ///
    /// Real-time safe.
    ///
    /// - Parameters:
    ///   - byteCount: The number of missing bytes, in whole frames.
    ///   - hostTime: The time of the first missing frame, in nanoseconds of `DispatchTime`; 0 if unknown.
    package func writeHole(byteCount: Int, hostTime: Int64) {
        prepared?.ring.writeHole(byteCount: byteCount, hostTime: hostTime, writeTime: HostClock.now)
        wake.signal()
    }

    /// Marks that an unknown time passes before the next frames.
    ///
    /// Real-time safe.
    public func writeBreak() { prepared?.ring.writeBreak() }

    /// Reports something other than audio.
    ///
    /// Takes a lock for a short time: not for real-time threads.
    public func report(_ notice: BackendNotice) { notices.report(notice) }

    /// Returns whether `byteCount` bytes fit into the queue; for sources that can wait, and must not lose anything.
    package func hasRoom(forByteCount byteCount: Int) -> Bool {
        (prepared?.ring.freeByteCount ?? 0) > byteCount + byteCount / 8 + 4096
    }

    // MARK: Worker

    /// The actual format; nil before ``prepare(_:)``.
    var format: CaptureFormat? { isPrepared.load(ordering: .acquiring) ? prepared?.format : nil }

    /// The queue of audio; nil before ``prepare(_:)``.
    var ring: AudioRingBuffer? { isPrepared.load(ordering: .acquiring) ? prepared?.ring : nil }

    /// Removes and returns the notices reported so far.
    func dequeueNotices() -> [BackendNotice] { notices.dequeue() }
}
