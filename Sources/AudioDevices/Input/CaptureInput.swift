// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import Dispatch
internal import Synchronization

/// The destination of a backend's audio and notices, for one opening of a device.
///
/// ``CaptureBackend`` describes which threads may call which members.
public final class CaptureInput: Sendable {
    private struct PreparedBuffer {
        var format: CaptureFormat
        var ring: AudioRingBuffer
    }

    // Written once by `prepare`, before the first `write`. The atomic flag publishes it to the worker.
    nonisolated(unsafe) private var prepared: PreparedBuffer?
    nonisolated(unsafe) private var bytesPerFrame = 1
    private let isPrepared = Atomic<Bool>(false)
    private let cancelled = Atomic<Bool>(false)
    /// The notices, for parts of a backend that report only notices.
    let notices: NoticeQueue
    private let wake: DispatchSemaphore
    private let queueDuration: Duration

    /// Creates an input with a queue of the given duration.
    ///
    /// Signals `wake` at each arrival.
    package init(queueDuration: Duration, wake: DispatchSemaphore) {
        self.queueDuration = queueDuration
        self.wake = wake
        notices = NoticeQueue(wake: wake)
    }

    /// Whether the start was cancelled.
    public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Asks a starting backend to give up.
    func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Sets the device's actual format.
    ///
    /// Must be called once, before the first `write`.
    public func prepare(_ format: CaptureFormat) { prepare(format, maximumWriteLength: 0) }

    /// Sets the format, and the maximum number of frames per write, which the queue must hold whatever its duration.
    package func prepare(_ format: CaptureFormat, maximumWriteLength: Int) {
        bytesPerFrame = format.pcm.bytesPerFrame
        let byteCount = max(Int(queueDuration.inSeconds * Double(format.sampleRate)), maximumWriteLength) * bytesPerFrame
        prepared = PreparedBuffer(format: format, ring: AudioRingBuffer(byteCount: byteCount + byteCount / 8 + 2 * Self.reserve))
        isPrepared.store(true, ordering: .releasing)
    }

    /// Writes captured audio.
    ///
    /// Real-time safe.
    ///
    /// - Parameters:
    ///   - bytes: Whole frames.
    ///   - hostTime: The first frame's capture time, in nanoseconds of `DispatchTime`; 0 if unknown.
    public func write(_ bytes: RawSpan, hostTime: Int64) { write(bytes, hostTime: hostTime, arrival: HostClock.now) }

    /// Writes audio that arrived at the host time `arrival`, in nanoseconds.
    ///
    /// Real-time safe.
    func write(_ bytes: RawSpan, hostTime: Int64, arrival: Int64) {
        prepared?.ring.write(bytes, bytesPerFrame: bytesPerFrame, hostTime: hostTime, writeTime: arrival)
        wake.signal()
    }

    /// Writes a gap of known length that the source reported.
    ///
    /// Real-time safe.
    ///
    /// - Parameters:
    ///   - byteCount: The number of missing bytes, in whole frames.
    ///   - hostTime: The first missing frame's time, in nanoseconds of `DispatchTime`; 0 if unknown.
    package func writeGap(byteCount: Int, hostTime: Int64) {
        prepared?.ring.writeGap(byteCount: byteCount, hostTime: hostTime, writeTime: HostClock.now)
        wake.signal()
    }

    /// Marks an unknown pause before the next frames.
    ///
    /// Real-time safe.
    public func writeBreak() { prepared?.ring.writeBreak() }

    /// Reports an event other than audio.
    ///
    /// Takes a lock for a short time. Not for real-time threads.
    public func report(_ notice: BackendNotice) { notices.report(notice) }

    /// The space in bytes that the queue needs beside its audio.
    private static let reserve = 4096

    /// Whether `byteCount` bytes fit into the queue.
    ///
    /// For sources that can wait and must not lose audio.
    package func hasRoom(forByteCount byteCount: Int) -> Bool {
        (prepared?.ring.freeByteCount ?? 0) > byteCount + byteCount / 8 + Self.reserve
    }

    // MARK: Worker

    /// The actual format; `nil` before ``prepare(_:)``.
    var format: CaptureFormat? { isPrepared.load(ordering: .acquiring) ? prepared?.format : nil }

    /// The audio queue; `nil` before ``prepare(_:)``.
    var ring: AudioRingBuffer? { isPrepared.load(ordering: .acquiring) ? prepared?.ring : nil }

    func dequeueNotices() -> [BackendNotice] { notices.dequeue() }
}
