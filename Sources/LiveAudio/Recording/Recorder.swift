// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioDevices
internal import Dispatch
internal import Synchronization

/// Records a device to files, pipes and closures, as AAC and as PCM.
///
/// ```swift
/// let recorder = Recorder(RecorderConfiguration(), backend: try CaptureBackends.automatic(), sinks: [ContainerFileSink(path: "out.aac")])
/// try await recorder.start()
/// try await Task.sleep(for: .seconds(5))
/// let summary = await recorder.stop()
/// ```
///
/// A recorder records once. All of it may be called from anywhere, at any time. One that is let go while it records comes to its end by
/// itself: what was heard so far is written, and the files are closed.
public actor Recorder {
    private nonisolated let session: RecorderSession

    /// Makes a recorder; nothing is opened yet.
    public init(_ configuration: RecorderConfiguration, backend: any CaptureBackend, sinks: [any RecorderSink]) {
        session = RecorderSession(configuration, backend: backend, sinks: sinks)
    }

    deinit { session.abandon() }

    /// Opens the device and all sinks, and begins to record; does nothing the second time.
    ///
    /// Throws the first error of the device, of the encoder or of a sink; nothing is left open then.
    public func start() async throws {
        let session = session
        try await Self.offThread { try session.start() }
    }

    /// Ends the recording: everything heard so far is encoded and written when this returns.
    @discardableResult
    public func stop() async -> RecordingSummary {
        let session = session
        return await Self.offThread { session.stop() }
    }

    /// Waits until the recording has ended: by ``stop()``, by its duration, by the end of a file, or by an error of the device.
    @discardableResult
    public func waitUntilFinished() async -> RecordingSummary {
        let session = session
        return await Self.offThread { session.waitUntilFinished() }
    }

    /// Whether sound is left out for the moment: the recording goes on without a gap afterwards.
    public nonisolated var isPaused: Bool {
        get { session.isPaused }
        set { session.isPaused = newValue }
    }

    /// Whether silence is recorded in place of sound.
    public nonisolated var isMuted: Bool {
        get { session.capture.isMuted }
        set { session.capture.isMuted = newValue }
    }

    /// Where capture stands.
    public nonisolated var captureState: CaptureState { session.capture.state }

    /// What the device really gives; nil before the start.
    public nonisolated var captureFormat: CaptureFormat? { session.capture.format }

    /// What is recorded; nil before the start.
    public nonisolated var format: RecordingFormat? { session.format }

    /// How the recording stands.
    public nonisolated var summary: RecordingSummary { session.summary }

    /// How loud it was since this was last asked; nil without any sound since.
    public nonisolated func takeLevels() -> AudioLevels? { session.takeLevels() }

    /// A stream of everything that happens from now on, for this caller alone.
    public nonisolated func events() -> AsyncStream<RecorderEvent> { session.events() }

    /// Starts again after an interruption, where the capture configuration leaves that to the program.
    public nonisolated func resumeCapture() { session.capture.resume() }

    /// Devices block: not on a thread of Swift's concurrency.
    private static func offThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }

    private static func offThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
