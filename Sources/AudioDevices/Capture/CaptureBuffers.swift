// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !os(WASI)
public import AudioPrimitives
internal import SystemLibrary

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
    /// by ``stop()`` or because a file has ended. A reader that is too slow loses nothing for ``CaptureConfiguration/queueDuration``; what is
    /// lost then is an event and in ``statistics``. One reader at a time.
    public var buffers: CaptureBuffers { CaptureBuffers(capture: self) }
}

/// Captured audio as an asynchronous sequence; see ``AudioCapture/buffers``.
public struct CaptureBuffers: AsyncSequence, Sendable {
    /// Samples as floating point, channel by channel.
    public typealias Element = PCMBuffer
    /// The errors of opening the device.
    public typealias Failure = DeviceError

    fileprivate let capture: AudioCapture

    /// Returns an iterator, which starts capture with its first buffer.
    public func makeAsyncIterator() -> Iterator { Iterator(capture: capture) }

    /// Reads buffers in order.
    public struct Iterator: AsyncIteratorProtocol {
        private let capture: AudioCapture
        private var session: Session?

        /// Creates an iterator of a capture.
        fileprivate init(capture: AudioCapture) { self.capture = capture }

        /// Returns the next buffer; nil when capture has ended or the task is cancelled.
        ///
        /// - Throws: ``DeviceError`` if the device can't be opened or a setting is unsupported.
        public mutating func next() async throws(DeviceError) -> PCMBuffer? { try await next(isolation: nil) }

        /// Returns the next buffer; nil when capture has ended or the task is cancelled.
        ///
        /// - Parameter actor: The actor that the caller is isolated to.
        /// - Throws: ``DeviceError`` if the device can't be opened or a setting is unsupported.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(DeviceError) -> PCMBuffer? {
            if let session { return await session.next(isolation: actor) }
            let new = Session(capture)
            session = new
            try await new.start(isolation: actor)
            return await new.next(isolation: actor)
        }
    }

    /// The audio from one start of a capture to its end, or to the end of this object.
    private final class Session {
        /// The buffers that wait for the reader before the worker of the capture waits.
        private static let bufferLimit = 32

        private let capture: AudioCapture
        private let continuation: AsyncStream<PCMBuffer>.Continuation
        private var iterator: AsyncStream<PCMBuffer>.Iterator

        /// Prepares a session.
        init(_ capture: AudioCapture) {
            self.capture = capture
            let (stream, continuation) = AsyncStream.makeStream(of: PCMBuffer.self, bufferingPolicy: .bufferingOldest(Self.bufferLimit))
            self.continuation = continuation
            iterator = stream.makeAsyncIterator()
        }

        deinit { capture.requestStop() }

        /// Starts capture.
        func start(isolation actor: isolated (any Actor)?) async throws(DeviceError) {
            let (capture, continuation) = (capture, continuation)
            try await capture.start { audio in
                let buffer = audio.pcmBuffer()
                // The capture counts what it can't keep meanwhile.
                while case .dropped = continuation.yield(buffer) { usleep(5_000) }
            }
            Task {
                await capture.waitUntilFinished()
                continuation.finish()
            }
        }

        /// Returns the next buffer.
        func next(isolation actor: isolated (any Actor)?) async -> PCMBuffer? { await iterator.next(isolation: actor) }
    }
}
#endif
