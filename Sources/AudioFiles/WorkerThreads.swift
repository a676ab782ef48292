// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import SystemLibrary

#if canImport(CRuntimeLibraries)
internal import CRuntimeLibraries
#endif

/// Threads that run the same function, such as workers that take indices from a counter.
///
/// They are threads of the system, not of a dispatch queue: workers block while they wait for others, also workers within workers, and a
/// queue's pool could run out of threads.
package final class WorkerThreads: Sendable {
    /// The function, as an object that a thread can be given.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        /// Wraps the body of a thread.
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let threads: Mutex<[pthread_t]>

    /// The number of processors that this process may use.
    ///
    /// On Linux those that `taskset`, a container or a batch system has left to it.
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

    /// The number of threads that were started and not joined.
    package var count: Int { threads.withLock { $0.count } }

    /// Waits until all threads have returned; does nothing the second time.
    package func join() {
        let running = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in running { pthread_join(thread, nil) }
    }

    /// Calls `body` for 0 to `count` - 1 on several threads, the calling one among them, and returns when all calls have returned.
    ///
    /// Indices are taken in order as threads become free.
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

    /// Calls `body` once on a thread of its own, or on this one if the system has no more, and does not wait for it.
    static func detach(_ body: @escaping @Sendable () -> Void) {
        if let thread = start(Body(body)) { pthread_detach(thread) } else { body() }
    }

    /// Starts a thread; returns nil if the system has no more.
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
                // Whether the systems' headers let the parameter and the result be nil differs.
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

/// A counter that threads share.
private final class SharedCounter: Sendable {
    private let value = Atomic<Int>(0)

    /// Adds 1 and returns the value before.
    func increment() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}
