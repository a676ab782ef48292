// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import Dispatch
internal import Synchronization

/// Computes numbered parts on several threads and returns them in order.
///
/// Only few completed parts are kept: threads that are far ahead pause.
final class OrderedParallelMap<Part: Sendable>: Sendable {
    /// Computes a part; each thread has a worker of its own.
    typealias Worker = (Int) throws -> Part

    /// The progress of the computation.
    private struct State {
        var nextToCompute = 0
        var nextToReturn = 0
        var completed: [Int: Result<Part, any Error>] = [:]
        var isStopped = false
    }

    /// The state that the threads share; they hold no reference to the map itself.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let partCount: Int
        /// Counts the parts that may be started.
        let startable = DispatchSemaphore(value: 0)
        /// Counts the parts that were completed.
        let done = DispatchSemaphore(value: 0)

        /// Creates the shared state of a map of `partCount` parts.
        init(partCount: Int) { self.partCount = partCount }

        /// Computes parts until none is left or ``OrderedParallelMap/stop()`` was called.
        func work(_ makeWorker: () throws -> Worker) {
            var worker: Worker?
            while true {
                startable.wait()
                let claimed = state.withLock { state -> Int? in
                    guard !state.isStopped, state.nextToCompute < partCount else { return nil }
                    state.nextToCompute += 1
                    return state.nextToCompute - 1
                }
                guard let index = claimed else { return }
                let result = Result {
                    let ready = try worker ?? makeWorker()
                    worker = ready
                    return try ready(index)
                }
                state.withLock { $0.completed[index] = result }
                done.signal()
            }
        }
    }

    private let shared: Shared
    private let threadCount: Int
    private let threads: WorkerThreads

    /// The number of parts that each thread may be ahead.
    private static var partsAhead: Int { 2 }

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - partCount: The number of parts.
    ///   - threadCount: The number of threads, at least 1.
    ///   - makeWorker: Creates the worker of a thread; called on each of them.
    init(partCount: Int, threadCount: Int, makeWorker: @escaping @Sendable () throws -> Worker) {
        let shared = Shared(partCount: partCount)
        self.shared = shared
        self.threadCount = max(1, min(threadCount, partCount))
        for _ in 0..<Self.partsAhead * self.threadCount { shared.startable.signal() }
        threads = WorkerThreads(count: self.threadCount) { shared.work(makeWorker) }
        precondition(threads.count > 0, "the system can start a thread")
    }

    /// Waits for the next part, in order; returns nil after the last.
    ///
    /// - Throws: The error of the worker that computed the part.
    func next() throws -> Part? {
        let index = shared.state.withLock { $0.nextToReturn }
        guard index < shared.partCount else { return nil }
        while true {
            let found = shared.state.withLock { state in
                let found = state.completed.removeValue(forKey: index)
                if found != nil { state.nextToReturn += 1 }
                return found
            }
            if let found {
                shared.startable.signal()
                return try found.get()
            }
            shared.done.wait()
        }
    }

    /// Starts no more parts, and returns when all threads have returned; has to be called in any case.
    func stop() {
        shared.state.withLock { $0.isStopped = true }
        for _ in 0..<threadCount { shared.startable.signal() }
        threads.join()
    }
}
