// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

extension AudioCapture {
    /// The captured audio as an asynchronous sequence of buffers.
    ///
    /// ```swift
    /// for try await buffer in AudioCapture().buffers {
    ///     print(buffer.frameCount, buffer[channel: 0][0])
    /// }
    /// ```
    ///
    /// Capture starts with the first buffer that is asked for, and stops when the loop or its task ends. The sequence ends when capture does,
    /// by ``stop()``, which the loop may call too, or because a file has ended; audio captured before the stop is still delivered. A reader that is too slow loses nothing for ``CaptureConfiguration/queueDuration``; what is
    /// lost then is an event and in ``statistics``. One reader at a time.
    public var buffers: some AsyncSequence<PCMBuffer, DeviceError> & Sendable { CaptureBuffers(capture: self) }
}

/// Captured audio as an asynchronous sequence; see ``AudioCapture/buffers``.
private struct CaptureBuffers: AsyncSequence, Sendable {
    let capture: AudioCapture

    /// Returns an iterator, which starts capture with its first buffer.
    func makeAsyncIterator() -> Iterator { Iterator(capture: capture) }

    /// Reads buffers in order.
    struct Iterator: AsyncIteratorProtocol {
        private let capture: AudioCapture
        private var session: Session?

        /// Creates an iterator of a capture.
        fileprivate init(capture: AudioCapture) { self.capture = capture }

        /// Returns the next buffer; nil when capture has ended or the task is cancelled.
        ///
        /// - Parameter actor: The actor that the caller is isolated to.
        /// - Throws: ``DeviceError`` if the device can't be opened or a setting is unsupported.
        mutating func next(isolation actor: isolated (any Actor)?) async throws(DeviceError) -> PCMBuffer? {
            if let session { return await session.next(isolation: actor) }
            let new = Session(capture)
            session = new
            try await new.start(isolation: actor)
            return await new.next(isolation: actor)
        }
    }

    /// The audio from one start of a capture to its end, or to the end of this object.
    private final class Session {
        private let capture: AudioCapture
        private let queue = BufferQueue()
        private var iterator: AsyncStream<PCMBuffer>.Iterator

        /// Prepares a session.
        init(_ capture: AudioCapture) {
            self.capture = capture
            iterator = queue.stream.makeAsyncIterator()
        }

        deinit { capture.requestStop() }

        /// Starts capture.
        func start(isolation actor: isolated (any Actor)?) async throws(DeviceError) {
            let (capture, queue) = (capture, queue)
            // The capture counts what it can't keep while the queue is full.
            try await capture.start({ queue.append($0.pcmBuffer()) }, onStopRequest: queue.removeLimit)
            Task {
                await capture.waitUntilFinished()
                queue.finish()
            }
        }

        /// Returns the next buffer.
        func next(isolation actor: isolated (any Actor)?) async -> PCMBuffer? {
            let buffer = await iterator.next(isolation: actor)
            queue.didRemoveBuffer()
            // A cancelled reader may keep its iterator: the worker must not wait for it.
            if buffer == nil { capture.requestStop() }
            return buffer
        }
    }
}
