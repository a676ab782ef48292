// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// The thread of one run of a capture.
final class CaptureWorker: Sendable {
    /// The engine, until the run has ended: its receiver may hold the owner of the capture.
    private let engine: Mutex<CaptureEngine?>
    private let stopRequested = Atomic<Bool>(false)
    private let onStopRequest: @Sendable () -> Void

    /// The outcome of opening the device: the error, or nil for success.
    let started = Promise<DeviceError?>()

    /// Fulfilled when the run has ended.
    let finished = Promise<Void>()

    /// Creates a worker for one run of `engine`.
    ///
    /// - Parameter onStopRequest: Called by the thread that asks the run to end, perhaps several times.
    init(_ engine: CaptureEngine, onStopRequest: @escaping @Sendable () -> Void) {
        self.engine = Mutex(engine)
        self.onStopRequest = onStopRequest
    }

    /// Starts the thread.
    func run() {
        guard let engine = engine.withLock({ $0 }) else { return }
        DispatchQueue(label: "linnet.capture", qos: .userInteractive).async { [self] in
            defer { self.engine.withLock { $0 = nil } }
            if let error = engine.open() {
                // First, so that a program that learns of the error can start again.
                finished.fulfill(())
                started.fulfill(error)
                return
            }
            started.fulfill(nil)
            engine.run()
            finished.fulfill(())
        }
    }

    /// Whether the run was asked to end.
    var isStopping: Bool { stopRequested.load(ordering: .acquiring) }

    /// Asks the run to end.
    func requestStop() {
        stopRequested.store(true, ordering: .releasing)
        onStopRequest()
        engine.withLock { $0 }?.requestStop()
    }

    /// Asks the run to reopen a lost device.
    func requestResume() { engine.withLock { $0 }?.requestResume() }
}
