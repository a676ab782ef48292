// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// A thread that writes the audio of a backend, for systems that don't have one of their own.
final class InputThread: Sendable {
    private let isStopped = Atomic<Bool>(false)
    private let stopSignal = DispatchSemaphore(value: 0)
    private let finished = DispatchGroup()

    /// Starts a thread that calls `body` once; the body returns when the thread is stopped or the audio has ended.
    init(label: String, _ body: @escaping @Sendable (InputThread) -> Void) {
        finished.enter()
        DispatchQueue(label: label, qos: .userInteractive).async { [self] in
            body(self)
            finished.leave()
        }
    }

    /// Whether ``stop()`` was called.
    var isStopping: Bool { isStopped.load(ordering: .acquiring) }

    /// Waits for a time in seconds; returns false at once when the thread is stopped.
    func sleep(seconds: Double) -> Bool { stopSignal.wait(timeout: .now() + max(seconds, 0)) == .timedOut }

    /// Waits until `byteCount` bytes fit into the queue of `input`; returns false when the thread is stopped.
    func waitForRoom(in input: CaptureInput, byteCount: Int) -> Bool {
        while !input.hasRoom(forByteCount: byteCount) {
            if !sleep(seconds: 0.002) { return false }
        }
        return !isStopping
    }

    /// Asks the body to return, and waits until it has.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        stopSignal.signal()
        finished.wait()
    }
}
