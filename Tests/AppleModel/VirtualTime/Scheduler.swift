// SPDX-License-Identifier: Apache-2.0

import CModel
import Glibc

/// The virtual clock and scheduler: one thread runs at a time, and the clock advances when all threads wait.
///
/// A scenario produces the same events at the same nanosecond regardless of the computer's load. No member needs a lock, because only the
/// running thread calls them.
public final class Scheduler: @unchecked Sendable {
    /// The process's scheduler.
    public static let shared = Scheduler()

    private enum Step {
        case fibre(Fibre)
        case job(UnsafeMutableRawPointer)
        case action(() -> Void)
    }

    private struct Timer {
        var time: Int64
        var number: Int
        var step: Step
    }

    /// The current time in nanoseconds.
    public private(set) var now: Int64 = 1_000_000_000

    private var ready: [Step] = []
    private var timers: [Timer] = []
    private var count = 0
    private var running: Fibre?
    private var waiting: [Fibre] = []
    private let mainBaton: UnsafeMutablePointer<Int32>
    /// Idle threads for Swift concurrency jobs; a job may wait on a semaphore.
    private var idleWorkers: [JobWorker] = []

    private init() {
        mainBaton = .allocate(capacity: 1)
        mainBaton.pointee = 0
    }

    // MARK: Running

    /// Runs `body` as the first task, and all work that it causes, until `body` returns.
    ///
    /// - Returns: `false` if all threads wait for each other.
    public func run(_ body: @escaping @Sendable () async -> Void) -> Bool {
        model_take_jobs(
            { Scheduler.shared.add(.job($0)) }, { Scheduler.shared.addTimer(after: Int64(clamping: $1), .job($0)) })
        nonisolated(unsafe) var hasEnded = false
        Task {
            await body()
            hasEnded = true
        }
        while !hasEnded {
            if !ready.isEmpty {
                perform(ready.removeFirst())
            } else if let next = timers.popLast() {
                now = max(now, next.time)
                perform(next.step)
            } else {
                return false
            }
        }
        return true
    }

    /// The names of the waiting threads, for deadlock reports.
    public var waitingNames: [String] { waiting.map(\.name) }

    private func perform(_ step: Step) {
        switch step {
        case .action(let body): body()
        case .job(let job):
            let worker = idleWorkers.popLast() ?? JobWorker()
            worker.job = job
            resume(worker.fibre ?? worker.makeFibre())
        case .fibre(let fibre):
            fibre.timer = nil
            resume(fibre)
        }
    }

    private func resume(_ fibre: Fibre) {
        running = fibre
        waiting.removeAll { $0 === fibre }
        model_baton_pass(fibre.baton)
        model_baton_wait(mainBaton)
        running = nil
    }

    /// Returns the baton at the end of a thread.
    func leave() { model_baton_pass(mainBaton) }

    fileprivate func isIdle(_ worker: JobWorker) { idleWorkers.append(worker) }

    private func add(_ step: Step) { outsideRealTime { ready.append(step) } }

    @discardableResult
    private func addTimer(after nanoseconds: Int64, _ step: Step) -> Int {
        outsideRealTime {
            count += 1
            let timer = Timer(time: now + max(nanoseconds, 0), number: count, step: step)
            // Sorted in descending order: the last timer is the next to fire.
            let index = timers.firstIndex { ($0.time, $0.number) < (timer.time, timer.number) } ?? timers.count
            timers.insert(timer, at: index)
            return count
        }
    }

    /// Calls the model's own code, whose allocations are not counted in a callback.
    public func outsideRealTime<Result>(_ body: () throws -> Result) rethrows -> Result {
        let depth = model_realtime_suspend()
        defer { model_realtime_resume(depth) }
        return try body()
    }

    // MARK: For the model

    /// Creates a thread, which runs soon.
    @discardableResult
    public func start(_ name: String, _ body: @escaping () -> Void) -> Fibre {
        outsideRealTime {
            let fibre = Fibre(name, body)
            waiting.append(fibre)
            ready.append(.fibre(fibre))
            return fibre
        }
    }

    /// Calls `body` later between the steps of threads; `body` must not wait.
    public func after(seconds: Double, _ body: @escaping () -> Void) { addTimer(after: Int64((seconds * 1e9).rounded()), .action(body)) }

    /// The running thread; nil between the steps of threads.
    public var current: Fibre? { running }

    /// Waits until ``wake(_:)`` is called for this thread or the time has passed.
    ///
    /// - Returns: Whether the thread was woken.
    public func wait(nanoseconds: Int64? = nil) -> Bool {
        outsideRealTime {
            guard let fibre = running else { fatalError("something waits that must not: outside the threads") }
            fibre.wasWoken = false
            fibre.timer = nanoseconds.map { addTimer(after: $0, .fibre(fibre)) }
            waiting.append(fibre)
            model_baton_pass(mainBaton)
            model_baton_wait(fibre.baton)
            return fibre.wasWoken
        }
    }

    /// Ends a thread's wait; at most once per wait.
    public func wake(_ fibre: Fibre) {
        outsideRealTime {
            guard !fibre.hasEnded, !fibre.wasWoken else { return }
            if let number = fibre.timer { timers.removeAll { $0.number == number } }
            fibre.timer = nil
            fibre.wasWoken = true
            ready.append(.fibre(fibre))
        }
    }

    /// Suspends the thread for a time.
    public func sleep(seconds: Double) { _ = wait(nanoseconds: Int64((seconds * 1e9).rounded())) }
}

/// A thread that runs jobs one at a time.
private final class JobWorker: @unchecked Sendable {
    var job: UnsafeMutableRawPointer?
    private(set) var fibre: Fibre?

    /// Creates the thread, which starts to run when it is resumed.
    func makeFibre() -> Fibre {
        let new = Fibre("task") { [self] in
            while true {
                if let job { model_run_job(job) }
                job = nil
                Scheduler.shared.isIdle(self)
                _ = Scheduler.shared.wait()
            }
        }
        fibre = new
        return new
    }
}

/// Suspends the task for a time of the virtual clock.
public func sleep(_ seconds: Double) async {
    await withCheckedContinuation { continuation in Scheduler.shared.after(seconds: seconds) { continuation.resume() } }
}
