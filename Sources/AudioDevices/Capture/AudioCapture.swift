// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// A recording in progress: keeps a backend running, and delivers its sound on one line of time.
///
/// All methods may be called from any thread, in any order, any number of times.
public final class AudioCapture: Sendable {
    /// What takes the sound: called on one worker thread, one run after the other.
    ///
    /// It may take its time: ``CaptureConfiguration/queueDuration``
    /// of sound waits before anything is lost.
    public typealias Receiver = @Sendable (CapturedAudio) -> Void

    private let backend: any CaptureBackend
    private let status = CaptureStatus()
    private let worker = Mutex<CaptureWorker?>(nil)

    /// How capture was set up.
    public let configuration: CaptureConfiguration

    /// Makes a recording of `backend`; it doesn't start yet.
    public init(_ configuration: CaptureConfiguration, backend: any CaptureBackend) {
        self.configuration = configuration
        self.backend = backend
    }

    deinit {
        worker.withLock { $0?.requestStop() }
        status.events.finish()
    }

    /// Where capture stands.
    public var state: CaptureState { status.values.withLock { $0.state } }

    /// What the device really gives, or gave last; nil before the first start.
    public var format: CaptureFormat? { status.values.withLock { $0.format } }

    /// What was counted since the last start.
    public var statistics: CaptureStatistics { status.values.withLock { $0.statistics } }

    /// A stream of everything that happens from now on, for this caller alone.
    public func events() -> AsyncStream<CaptureEvent> { status.events.stream() }

    /// Whether zeros are delivered in place of sound; changes take 10 ms.
    ///
    /// May be set before the start.
    public var isMuted: Bool {
        get { status.isMuted.load(ordering: .relaxed) }
        set {
            let old = status.isMuted.exchange(newValue, ordering: .relaxed)
            if old != newValue { status.events.send(.muted(newValue, by: .program)) }
        }
    }

    /// Opens the device and begins to deliver; does nothing if it runs already.
    ///
    /// Returns when the device is open. Throws the first failure; a device that is lost later is an event.
    public func start(_ receiver: @escaping Receiver) throws(DeviceError) {
        try configuration.validate()
        let current = worker.withLock { worker in
            if let worker, !worker.isFinished { return worker }
            let new = CaptureWorker(CaptureEngine(configuration, backend: backend, status: status, receiver: receiver))
            worker = new
            new.run()
            return new
        }
        try current.waitUntilStarted()
    }

    /// Ends capture, and returns when everything recorded has been delivered; does nothing if it doesn't run.
    ///
    /// Called by the receiver itself, it returns at once and capture ends after that.
    public func stop() {
        guard let current = worker.withLock({ $0 }) else { return }
        current.requestStop()
        if !current.isCurrentThread { current.waitUntilFinished() }
    }

    /// Waits until capture has ended: by ``stop()``, by an error, or because a file came to its end.
    public func waitUntilFinished() {
        guard let current = worker.withLock({ $0 }) else { return }
        if !current.isCurrentThread { current.waitUntilFinished() }
    }

    /// Starts again after an interruption, where ``CaptureConfiguration/recovery`` leaves that to the program.
    public func resume() { worker.withLock { $0 }?.requestResume() }
}
