// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// A thread that writes a backend's audio, for systems without their own audio thread.
final class InputThread: Sendable {
    /// The maximum time that a stop waits, in seconds.
    private static let stopTimeout = 1.0

    private let isStopped = Atomic<Bool>(false)
    private let stopSignal = DispatchSemaphore(value: 0)
    private let finished = DispatchGroup()

    /// Starts a thread that calls `body` once.
    ///
    /// The body must return when the thread is stopped or the audio has ended.
    init(label: String, _ body: @escaping @Sendable (InputThread) -> Void) {
        finished.enter()
        DispatchQueue(label: label, qos: .userInteractive).async { [self] in
            body(self)
            finished.leave()
        }
    }

    /// Whether ``stop()`` was called.
    var isStopping: Bool { isStopped.load(ordering: .acquiring) }

    /// Sleeps for a time in seconds.
    ///
    /// Returns false at once when the thread is stopped.
    func sleep(seconds: Double) -> Bool { stopSignal.wait(timeout: .now() + max(seconds, 0)) == .timedOut }

    /// Waits until `byteCount` bytes fit into the input's queue.
    ///
    /// Returns false when the thread is stopped.
    func waitForRoom(in input: CaptureInput, byteCount: Int) -> Bool {
        while !input.hasRoom(forByteCount: byteCount) {
            if !sleep(seconds: 0.002) { return false }
        }
        return !isStopping
    }

    /// Asks the body to return, and waits at most 1 s until it has returned.
    ///
    /// A body that is blocked for longer must write nothing afterwards.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        stopSignal.signal()
        _ = finished.wait(timeout: .now() + Self.stopTimeout)
    }
}
