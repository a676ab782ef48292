// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import Dispatch
internal import Synchronization

/// The thread of one run of capture, and the ways to talk to it.
final class CaptureWorker: Sendable {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    private let engine: CaptureEngine
    private let queue: DispatchQueue
    private let started = DispatchGroup()
    private let finished = DispatchGroup()
    private let outcome = Mutex<DeviceError?>(nil)
    private let hasFinished = Atomic<Bool>(false)

    init(_ engine: CaptureEngine) {
        self.engine = engine
        queue = DispatchQueue(label: "linnet.capture", qos: .userInteractive)
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(engine))
    }

    var isFinished: Bool { hasFinished.load(ordering: .acquiring) }
    var isCurrentThread: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(engine) }

    func run() {
        started.enter()
        finished.enter()
        queue.async { [self] in
            let error = engine.open()
            outcome.withLock { $0 = error }
            if error != nil { hasFinished.store(true, ordering: .releasing) }
            started.leave()
            if error == nil { engine.run() }
            hasFinished.store(true, ordering: .releasing)
            finished.leave()
        }
    }

    func waitUntilStarted() throws(DeviceError) {
        if isCurrentThread { return }
        started.wait()
        if let error = outcome.withLock({ $0 }) { throw error }
    }

    func waitUntilFinished() { finished.wait() }

    func requestStop() { engine.requestStop() }

    func requestResume() { engine.requestResume() }
}
