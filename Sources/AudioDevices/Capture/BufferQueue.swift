// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// A queue of buffers from a capture's worker thread to one asynchronous reader.
///
/// A full queue blocks the worker until the reader continues. A stop request lifts the limit, because a reader that waits for the end of
/// the capture removes no buffers, but must still receive everything captured before the request. The excess is at most
/// ``CaptureConfiguration/queueDuration``.
final class BufferQueue: Sendable {
    /// The maximum number of buffers before a stop request.
    private static let limit = 32

    /// The queued buffers, for the reader.
    let stream: AsyncStream<CapturedAudio>

    private let continuation: AsyncStream<CapturedAudio>.Continuation
    /// The number of free slots.
    ///
    /// Created with 0 and then signalled, because Dispatch traps if a semaphore is deallocated below its initial value.
    private let places = DispatchSemaphore(value: 0)
    private let isLimited = Atomic<Bool>(true)

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: CapturedAudio.self, bufferingPolicy: .unbounded)
        for _ in 0..<Self.limit { places.signal() }
    }

    /// Appends a buffer after waiting for a free slot.
    ///
    /// Must be called only by the worker.
    func append(_ buffer: CapturedAudio) {
        if isLimited.load(ordering: .acquiring) { places.wait() }
        continuation.yield(buffer)
    }

    /// Frees the slot of a buffer that the reader has taken from ``stream``.
    func didRemoveBuffer() { places.signal() }

    /// Lifts the limit, and resumes a waiting worker.
    func removeLimit() {
        isLimited.store(false, ordering: .releasing)
        places.signal()
    }

    /// Ends the stream after the queued buffers.
    func finish() { continuation.finish() }
}
