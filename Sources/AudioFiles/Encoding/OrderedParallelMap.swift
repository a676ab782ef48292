// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// Computes numbered parts on several threads and returns them in order.
///
/// The number of completed parts in memory is limited: threads that are far ahead wait. With a ``ThreadBudget`` the map starts with one
/// thread and adds another whenever a processor becomes free.
package final class OrderedParallelMap<Part: Sendable>: Sendable {
    /// Computes a part.
    ///
    /// Each thread has its own worker.
    package typealias Worker = (Int) throws -> Part

    private struct State {
        var nextToCompute = 0
        var nextToReturn = 0
        var completed: [Int: Result<Part, any Error>] = [:]
        var isStopped = false
    }

    /// State shared by the threads, which do not reference the map itself.
    private final class Shared: Sendable {
        let state = Mutex(State())
        let partCount: Int
        let limit: EncodingThreads
        let makeWorker: @Sendable () throws -> Worker
        /// The running threads.
        ///
        /// Only the first one adds others.
        let threads = Mutex<[WorkerThreads]>([])
        /// The number of parts that may be started.
        let startable = DispatchSemaphore(value: 0)
        /// The number of completed parts.
        let done = DispatchSemaphore(value: 0)

        init(partCount: Int, _ limit: EncodingThreads, _ makeWorker: @escaping @Sendable () throws -> Worker) {
            self.partCount = partCount
            self.limit = limit
            self.makeWorker = makeWorker
        }

        /// Computes parts until all are done or ``OrderedParallelMap/stop()`` is called.
        func work(isFirst: Bool) {
            var worker: Worker?
            while true {
                startable.wait()
                let claimed = state.withLock { state -> Int? in
                    guard !state.isStopped, state.nextToCompute < partCount else { return nil }
                    state.nextToCompute += 1
                    return state.nextToCompute - 1
                }
                guard let index = claimed else {
                    // Also ends the next waiting thread.
                    startable.signal()
                    return
                }
                if isFirst, index + 1 < partCount { addThreads() }
                let result = Result {
                    let ready = try worker ?? makeWorker()
                    worker = ready
                    return try ready(index)
                }
                state.withLock { $0.completed[index] = result }
                done.signal()
            }
        }

        /// Starts a thread for each free processor of the budget.
        private func addThreads() {
            guard let budget = limit.budget else { return }
            while threads.withLock({ $0.count }) < limit.count, budget.take() {
                let added = WorkerThreads(count: 1) { [self] in
                    work(isFirst: false)
                    budget.give()
                }
                guard added.count > 0 else { return budget.give() }
                threads.withLock { $0.append(added) }
                permitParts(ofThreads: 1)
            }
        }

        /// Permits the parts that `count` threads may be ahead.
        func permitParts(ofThreads count: Int) {
            for _ in 0..<OrderedParallelMap.partsAhead * count { startable.signal() }
        }
    }

    private let shared: Shared

    /// The number of parts that each thread may be ahead.
    private static var partsAhead: Int { 2 }

    /// Starts the threads.
    ///
    /// If the system cannot start any, computes all parts on the calling thread.
    ///
    /// - Parameters:
    ///   - threads: The threads to use, at least 1.
    ///   - start: Starts a thread. Tests replace it.
    ///   - makeWorker: Creates a thread's worker, on that thread.
    package init(
        partCount: Int, threads: EncodingThreads,
        start: (@escaping @Sendable () -> Void) -> WorkerThreads = { WorkerThreads(count: 1, $0) },
        makeWorker: @escaping @Sendable () throws -> Worker
    ) {
        let count = max(1, min(threads.count, partCount))
        let shared = Shared(partCount: partCount, EncodingThreads(count: count, budget: threads.budget), makeWorker)
        self.shared = shared
        let startCount = threads.budget == nil ? count : 1
        shared.permitParts(ofThreads: startCount)
        // The lock makes the list complete before the first thread adds to it.
        let hasThreads = shared.threads.withLock { list in
            list = (0..<startCount).map { index in start { shared.work(isFirst: index == 0) } }
            return list.contains { $0.count > 0 }
        }
        guard !hasThreads else { return }
        shared.permitParts(ofThreads: partCount)
        shared.work(isFirst: false)
    }

    /// Waits for the next part in order.
    ///
    /// Returns `nil` after the last.
    ///
    /// - Throws: The error of the worker that computed the part.
    package func next() throws -> Part? {
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

    /// Starts no more parts and waits for all threads to end.
    ///
    /// Must always be called.
    package func stop() {
        shared.state.withLock { $0.isStopped = true }
        shared.startable.signal()
        // The first thread is the only one that adds threads, so wait for it first.
        shared.threads.withLock { $0.first }?.join()
        for thread in shared.threads.withLock({ $0 }) { thread.join() }
    }
}
