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
    /// Requesting the first buffer starts the capture. It stops when the loop or its task ends. The sequence ends with the capture: through
    /// ``stop()``, which the loop may also call, or at the end of a file. Audio captured before the stop is still delivered. A slow reader
    /// loses nothing for ``CaptureConfiguration/queueDuration``; later losses are reported as events and in ``statistics``. Supports one
    /// reader at a time.
    public var buffers: some AsyncSequence<PCMBuffer, DeviceError> & Sendable { audio.map { $0.pcmBuffer() } }

    /// The captured audio with its times; the rules of ``buffers`` apply.
    package var audio: CaptureBuffers { CaptureBuffers(capture: self) }
}

/// Captured audio as an asynchronous sequence; see ``AudioCapture/buffers``.
package struct CaptureBuffers: AsyncSequence, Sendable {
    let capture: AudioCapture

    package func makeAsyncIterator() -> Iterator { Iterator(capture: capture) }

    package struct Iterator: AsyncIteratorProtocol {
        private let capture: AudioCapture
        private var session: Session?

        fileprivate init(capture: AudioCapture) { self.capture = capture }

        /// Returns the next buffer; `nil` after the end of the capture or after cancellation.
        ///
        /// - Throws: ``DeviceError`` if the device cannot be opened or a setting is unsupported.
        package mutating func next(isolation actor: isolated (any Actor)?) async throws(DeviceError) -> CapturedAudio? {
            if let session { return await session.next(isolation: actor) }
            let new = Session(capture)
            session = new
            try await new.start(isolation: actor)
            return await new.next(isolation: actor)
        }
    }

    /// One run of a capture.
    ///
    /// Deallocation stops the capture.
    private final class Session {
        private let capture: AudioCapture
        private let queue = BufferQueue()
        private var iterator: AsyncStream<CapturedAudio>.Iterator

        init(_ capture: AudioCapture) {
            self.capture = capture
            iterator = queue.stream.makeAsyncIterator()
        }

        deinit { capture.requestStop() }

        func start(isolation actor: isolated (any Actor)?) async throws(DeviceError) {
            let (capture, queue) = (capture, queue)
            // While the queue is full, the capture counts the audio that it drops.
            try await capture.start({ queue.append($0) }, onStopRequest: queue.removeLimit)
            Task {
                await capture.waitUntilFinished()
                queue.finish()
            }
        }

        func next(isolation actor: isolated (any Actor)?) async -> CapturedAudio? {
            let buffer = await iterator.next(isolation: actor)
            queue.didRemoveBuffer()
            // A cancelled reader may keep its iterator. The worker must not wait for it.
            if buffer == nil { capture.requestStop() }
            return buffer
        }
    }
}
