// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import Dispatch
internal import Synchronization

/// Numbered parts of a piece of work, made on several threads and handed out in order.
///
/// Parts that are done and wait for their turn are few: threads that are far ahead pause.
final class OrderedParallelMap<Part: Sendable>: Sendable {
    /// Makes a part; each thread has a worker of its own.
    typealias Worker = (Int) throws -> Part

    private struct State {
        var nextToMake = 0
        var nextToHandOut = 0
        var waiting: [Int: Result<Part, any Error>] = [:]
        var isStopped = false
    }

    private let state = Mutex(State())
    private let partCount: Int
    private let threadCount: Int
    private let threads = DispatchGroup()
    /// Counts the parts that may be begun.
    private let room: DispatchSemaphore
    /// Counts the parts that were done.
    private let done = DispatchSemaphore(value: 0)

    /// Parts that each thread may be ahead.
    private static var partsAhead: Int { 2 }

    /// Starts the threads; `makeWorker` is called once in each.
    init(partCount: Int, threadCount: Int, makeWorker: @escaping @Sendable () throws -> Worker) {
        self.partCount = partCount
        self.threadCount = max(1, min(threadCount, partCount))
        room = DispatchSemaphore(value: 0)
        for _ in 0..<Self.partsAhead * self.threadCount { room.signal() }
        let queue = DispatchQueue(label: "linnet.encoder", attributes: .concurrent)
        for _ in 0..<self.threadCount { queue.async(group: threads) { self.work(makeWorker) } }
    }

    /// Waits for the next part, in order; nil after the last.
    func next() throws -> Part? {
        let index = state.withLock { $0.nextToHandOut }
        guard index < partCount else { return nil }
        while true {
            let found = state.withLock { state in
                let found = state.waiting.removeValue(forKey: index)
                if found != nil { state.nextToHandOut += 1 }
                return found
            }
            if let found {
                room.signal()
                return try found.get()
            }
            done.wait()
        }
    }

    /// Begins no more parts, and returns when no thread is left; has to be called in any case.
    func stop() {
        state.withLock { $0.isStopped = true }
        for _ in 0..<threadCount { room.signal() }
        threads.wait()
    }

    private func work(_ makeWorker: () throws -> Worker) {
        var worker: Worker?
        while true {
            room.wait()
            let claimed = state.withLock { state -> Int? in
                guard !state.isStopped, state.nextToMake < partCount else { return nil }
                state.nextToMake += 1
                return state.nextToMake - 1
            }
            guard let index = claimed else { return }
            let result = Result {
                let ready = try worker ?? makeWorker()
                worker = ready
                return try ready(index)
            }
            state.withLock { $0.waiting[index] = result }
            done.signal()
        }
    }
}
