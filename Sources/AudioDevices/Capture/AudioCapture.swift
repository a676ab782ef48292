// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Synchronization

/// Captures audio from a device, reopens lost devices, and delivers one continuous timeline.
///
/// ```swift
/// let capture = AudioCapture(CaptureConfiguration(sampleRate: 48_000))
/// try await capture.start { audio in print(audio.frameCount) }
/// try await Task.sleep(for: .seconds(1))
/// await capture.stop()
/// ```
///
/// All members may be used from any thread, in any order, any number of times. A capture that is deallocated while running stops.
///
/// The folders of this module depend on each other in one direction only:
///
///     Devices ← Routing ← Input ← Timeline ← Backends ← EchoCancellation ← Playback ← Capture
public final class AudioCapture: Sendable {
    typealias Receiver = @Sendable (CapturedAudio) -> Void

    private let backend: any CaptureBackend
    private let status = CaptureStatus()
    private let engine = Mutex<CaptureEngine?>(nil)

    /// The device and the requested format.
    package let configuration: CaptureConfiguration

    /// Creates a capture.
    ///
    /// Opens no device yet.
    ///
    /// - Parameters:
    ///   - configuration: The device and the requested format.
    ///   - source: The audio system, or a replacement for a device.
    public init(_ configuration: CaptureConfiguration = CaptureConfiguration(), source: CaptureSource = .system) {
        self.configuration = configuration
        backend = source.makeBackend()
    }

    deinit {
        engine.withLock { $0?.requestStop() }
        status.events.finish()
    }

    /// The current state.
    public var state: CaptureState { status.values.withLock { $0.state } }

    /// The device's actual format, also after the end; `nil` before the first start.
    public var format: CaptureFormat? { status.values.withLock { $0.format } }

    /// The counts since the last start.
    public var statistics: CaptureStatistics { status.values.withLock { $0.statistics } }

    /// A new stream of the subsequent events.
    ///
    /// Each access creates a stream for one reader. A stream buffers the newest 1024 events, so a slow reader never delays the capture. It
    /// ends when the capture is deallocated.
    public var events: AsyncStream<CaptureEvent> { status.events.stream() }

    /// Whether to deliver silence instead of captured audio.
    ///
    /// Changes fade over 10 ms. Audio captured while muted stays silent if it is delivered later. May be set before the start.
    public var isMuted: Bool {
        get { status.mute.withLock { $0.isOn } }
        set {
            guard status.mute.withLock({ $0.set(newValue, now: HostClock.now) }) else { return }
            status.events.send(.muted(newValue, by: .program))
        }
    }

    /// Opens the device and starts delivering audio.
    ///
    /// If a capture is already running, waits for its start. After ``requestStop()`` it waits for the end and starts again. Returns when
    /// the device is open. A device lost later causes an event, not an error. Cancelling the calling task meanwhile stops the capture.
    ///
    /// - Parameter receiver: Receives the audio on one worker thread, one buffer at a time; ignored if a capture is already running. It may
    ///   block: ``CaptureConfiguration/queueDuration`` of audio is queued before frames are lost.
    /// - Throws: ``DeviceError`` if the device cannot be opened or a setting is unsupported; ``DeviceError/cancelled`` if the capture was
    ///   stopped meanwhile.
    public func start(_ receiver: @escaping @Sendable (CapturedAudio) -> Void) async throws(DeviceError) {
        try await start(receiver, onStopRequest: {})
    }

    /// Opens the device.
    ///
    /// Each stop request calls `onStopRequest` on the requesting thread.
    func start(_ receiver: @escaping Receiver, onStopRequest: @escaping @Sendable () -> Void) async throws(DeviceError) {
        try configuration.validate()
        // A run that is ending would ignore the new receiver.
        while let ending = engine.withLock({ $0 }), ending.isStopping, ending.finished.current == nil { await ending.finished.wait() }
        let (current, isNew) = engine.withLock { engine -> (CaptureEngine, Bool) in
            if let engine, engine.finished.current == nil { return (engine, false) }
            let new = CaptureEngine(configuration, backend: backend, status: status, receiver: receiver, onStopRequest: onStopRequest)
            engine = new
            new.start()
            return (new, true)
        }
        let error = await withTaskCancellationHandler {
            await current.started.wait()
        } onCancel: {
            if isNew { current.requestStop() }
        }
        if let error { throw error }
    }

    /// Stops the capture and waits until all captured audio has been delivered.
    ///
    /// Does nothing if no capture is running.
    public func stop() async {
        requestStop()
        await waitUntilFinished()
    }

    /// Requests a stop without waiting.
    ///
    /// The receiver may call this.
    public func requestStop() { engine.withLock { $0 }?.requestStop() }

    /// Whether a stop was requested.
    package var isStopping: Bool { engine.withLock { $0 }?.isStopping ?? false }

    /// Waits until the capture has ended through a stop, an error or the end of a file.
    public func waitUntilFinished() async { await engine.withLock({ $0 })?.finished.wait() }

    /// Reopens the device after an interruption if ``CaptureConfiguration/recovery`` leaves that to the program.
    public func resume() { engine.withLock { $0 }?.requestResume() }
}
