// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// Where a backend puts sound and notices; one for each time a device is opened.
public final class CaptureInput: Sendable {
    private struct Prepared {
        var format: CaptureFormat
        var ring: AudioRingBuffer
    }

    // Written once by `prepare`, before the first `write`; the atomic flag publishes it to the worker.
    nonisolated(unsafe) private var prepared: Prepared?
    nonisolated(unsafe) private var bytesPerFrame = 1
    private let isPrepared = Atomic<Bool>(false)
    private let cancelled = Atomic<Bool>(false)
    private let notices = Mutex<[BackendNotice]>([])
    private let wake: DispatchSemaphore
    private let queueDuration: Double

    init(queueDuration: Double, wake: DispatchSemaphore) {
        self.queueDuration = queueDuration
        self.wake = wake
    }

    /// Whether nobody waits for the device any more.
    public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Says what the device really gives; once, before the first `write`.
    public func prepare(_ format: CaptureFormat) {
        bytesPerFrame = format.pcm.bytesPerFrame
        let byteCount = Int(queueDuration * Double(format.sampleRate)) * bytesPerFrame
        prepared = Prepared(format: format, ring: AudioRingBuffer(byteCount: byteCount + byteCount / 8))
        isPrepared.store(true, ordering: .releasing)
    }

    /// Hands over whole frames; `hostTime` is when the first was heard, in nanoseconds, or 0.
    public func write(_ bytes: UnsafeRawBufferPointer, hostTime: Int64) {
        prepared?.ring.write(bytes, bytesPerFrame: bytesPerFrame, hostTime: hostTime, writeTime: HostClock.now)
        wake.signal()
    }

    /// Says that the source skipped so many bytes.
    public func writeHole(byteCount: Int, hostTime: Int64) {
        prepared?.ring.writeHole(byteCount: byteCount, hostTime: hostTime, writeTime: HostClock.now)
        wake.signal()
    }

    /// Says that an unknown time passes before the next frames.
    public func writeBreak() { prepared?.ring.writeBreak() }

    /// Says something besides sound.
    ///
    /// Takes a lock for a moment.
    public func report(_ notice: BackendNotice) {
        notices.withLock { $0.append(notice) }
        wake.signal()
    }

    /// Whether `byteCount` bytes would fit; for sources that can wait, and must not lose anything.
    public func hasRoom(forByteCount byteCount: Int) -> Bool {
        (prepared?.ring.freeByteCount ?? 0) > byteCount + byteCount / 8 + 4096
    }

    // MARK: The worker

    var format: CaptureFormat? { isPrepared.load(ordering: .acquiring) ? prepared?.format : nil }
    var ring: AudioRingBuffer? { isPrepared.load(ordering: .acquiring) ? prepared?.ring : nil }

    func takeNotices() -> [BackendNotice] {
        notices.withLock { notices in
            defer { notices.removeAll() }
            return notices
        }
    }
}
