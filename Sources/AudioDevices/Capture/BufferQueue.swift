// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// The buffers on their way from a capture's worker thread to one asynchronous reader.
///
/// A full queue blocks the worker until the reader continues. A stop request lifts the limit: a reader that waits for the end of capture
/// removes no buffers meanwhile, and what was captured before the request must still reach it. That is at most
/// ``CaptureConfiguration/queueDuration`` more.
final class BufferQueue: Sendable {
    /// The maximum number of buffers before a stop request.
    private static let limit = 32

    /// The buffers, for the reader.
    let stream: AsyncStream<PCMBuffer>

    private let continuation: AsyncStream<PCMBuffer>.Continuation
    /// Counts the free places.
    ///
    /// Its first value is 0, since Dispatch traps if a semaphore is deallocated below its first value.
    private let places = DispatchSemaphore(value: 0)
    private let isLimited = Atomic<Bool>(true)

    /// Creates an empty queue.
    init() {
        (stream, continuation) = AsyncStream.makeStream(of: PCMBuffer.self, bufferingPolicy: .unbounded)
        for _ in 0..<Self.limit { places.signal() }
    }

    /// Appends a buffer, after it has waited for a free place; called by the worker only.
    func append(_ buffer: PCMBuffer) {
        if isLimited.load(ordering: .acquiring) { places.wait() }
        continuation.yield(buffer)
    }

    /// Frees the place of a buffer that the reader has taken from ``stream``.
    func didRemoveBuffer() { places.signal() }

    /// Lets the worker append all that follows, and resumes it if it waits.
    func removeLimit() {
        isLimited.store(false, ordering: .releasing)
        places.signal()
    }

    /// Ends the stream after the buffers in the queue.
    func finish() { continuation.finish() }
}
