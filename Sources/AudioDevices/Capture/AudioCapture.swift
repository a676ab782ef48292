// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Synchronization

/// Captures audio from a device, reopens the device when it was lost, and delivers the audio on one continuous timeline.
///
/// ```swift
/// let capture = AudioCapture(CaptureConfiguration(sampleRate: 48_000))
/// try await capture.start { audio in print(audio.frameCount) }
/// try await Task.sleep(for: .seconds(1))
/// await capture.stop()
/// ```
///
/// All members may be used from any thread, in any order, any number of times. A capture that is deallocated while it runs stops.
///
/// The folders of this module import each other in one direction only:
///
///     Devices ← Routing ← Input ← Timeline ← Backends ← EchoCancellation ← Playback ← Capture
public final class AudioCapture: Sendable {
    /// A function that receives the audio.
    typealias Receiver = @Sendable (CapturedAudio) -> Void

    private let backend: any CaptureBackend
    private let status = CaptureStatus()
    private let engine = Mutex<CaptureEngine?>(nil)

    /// The device to capture from and the wanted format.
    package let configuration: CaptureConfiguration

    /// Creates a capture; no device is opened yet.
    ///
    /// - Parameters:
    ///   - configuration: The device and the wanted format.
    ///   - source: The system to capture through, or what takes its place.
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

    /// The actual format of the device, or its last one; nil before the first start.
    public var format: CaptureFormat? { status.values.withLock { $0.format } }

    /// The counts since the last start.
    public var statistics: CaptureStatistics { status.values.withLock { $0.statistics } }

    /// The events from now on; each access creates a stream for one reader.
    ///
    /// A stream buffers the newest 1024 events: a slow reader never delays capture. It ends when the capture is deallocated.
    public var events: AsyncStream<CaptureEvent> { status.events.stream() }

    /// Whether silence is delivered in place of captured audio; changes take 10 ms.
    ///
    /// May be set before the start.
    public var isMuted: Bool {
        get { status.isMuted.load(ordering: .relaxed) }
        set {
            let old = status.isMuted.exchange(newValue, ordering: .relaxed)
            if old != newValue { status.events.send(.muted(newValue, by: .program)) }
        }
    }

    /// Opens the device and starts to deliver audio; waits for the current start if capture runs already.
    ///
    /// After ``requestStop()`` it waits for the end of capture, and starts it anew. Returns when the device is open. A device that is lost later
    /// is an event, not an error. When the calling task is cancelled meanwhile, capture stops.
    ///
    /// - Parameter receiver: Receives the audio on one worker thread, one buffer after the other; ignored if capture runs already. It may block:
    ///   ``CaptureConfiguration/queueDuration`` of audio waits before frames are lost.
    /// - Throws: ``DeviceError`` if the device can't be opened or a setting is unsupported; ``DeviceError/cancelled`` if capture was stopped
    ///   meanwhile.
    public func start(_ receiver: @escaping @Sendable (CapturedAudio) -> Void) async throws(DeviceError) {
        try await start(receiver, onStopRequest: {})
    }

    /// Opens the device; `onStopRequest` is called when this run is asked to end, by the thread that asks, perhaps several times.
    func start(_ receiver: @escaping Receiver, onStopRequest: @escaping @Sendable () -> Void) async throws(DeviceError) {
        try configuration.validate()
        // A run that ends would not use the receiver.
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

    /// Stops capture and waits until all captured audio has been delivered; does nothing if capture doesn't run.
    public func stop() async {
        requestStop()
        await waitUntilFinished()
    }

    /// Asks capture to stop, without waiting for its end; the receiver may call it.
    public func requestStop() { engine.withLock { $0 }?.requestStop() }

    /// Waits until capture has ended: by a stop, by an error, or because a file has ended.
    public func waitUntilFinished() async { await engine.withLock({ $0 })?.finished.wait() }

    /// Reopens the device after an interruption, where ``CaptureConfiguration/recovery`` leaves that to the program.
    public func resume() { engine.withLock { $0 }?.requestResume() }
}
