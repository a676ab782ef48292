// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import SystemLibrary

#if canImport(CRuntimeLibraries)
internal import CRuntimeLibraries
#endif

/// Threads that run the same function, such as workers that take indices from a counter.
///
/// These are system threads, not a dispatch queue. Workers block while they wait for others, also within workers, and a queue's pool could
/// run out of threads.
package final class WorkerThreads: Sendable {
    /// A reference to the function, to pass to a thread.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let threads: Mutex<[pthread_t]>

    /// The number of processors available to this process.
    ///
    /// On Linux, this respects the limits of `taskset`, containers and batch systems.
    package static var processorCount: Int {
        #if canImport(CRuntimeLibraries)
        let count = linnet_processor_count()
        if count > 0 { return Int(count) }
        #endif
        return max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// Starts `count` threads, or as many as the system permits.
    package init(count: Int, _ body: @escaping @Sendable () -> Void) {
        threads = Mutex((0..<count).compactMap { _ in Self.start(Body(body)) })
    }

    /// The number of started threads that were not joined.
    package var count: Int { threads.withLock { $0.count } }

    /// Waits until all threads have ended.
    ///
    /// Repeated calls do nothing.
    package func join() {
        let running = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in running { pthread_join(thread, nil) }
    }

    /// Calls `body` for 0 to `count` - 1 on several threads, including the calling one, and waits for all calls.
    ///
    /// Threads take indices in order as they become free.
    package static func forEach(count: Int, threadCount: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let next = SharedCounter()
        let work: @Sendable () -> Void = {
            while true {
                let index = next.increment()
                guard index < count else { return }
                body(index)
            }
        }
        let others = WorkerThreads(count: max(1, min(count, threadCount)) - 1, work)
        work()
        others.join()
    }

    /// Calls `body` once on a dedicated thread, or on this one if the system has no more threads.
    ///
    /// Does not wait for it.
    static func detach(_ body: @escaping @Sendable () -> Void) {
        if let thread = start(Body(body)) { pthread_detach(thread) } else { body() }
    }

    /// Starts a thread.
    ///
    /// Returns `nil` if the system has no more.
    private static func start(_ body: Body) -> pthread_t? {
        let context = Unmanaged.passRetained(body)
        #if canImport(Glibc) || canImport(Android)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let code = pthread_create(
            &thread, nil,
            { context in
                // The system headers disagree on whether the parameter and the result are optional.
                let body: UnsafeMutableRawPointer? = context
                if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
                return context
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return nil
        }
        return thread
    }
}

private final class SharedCounter: Sendable {
    private let value = Atomic<Int>(0)

    /// Adds 1 and returns the previous value.
    func increment() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}
