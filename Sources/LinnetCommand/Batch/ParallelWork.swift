// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Runs independent tasks on several threads, which take them in order.
enum ParallelWork {
    /// The number of processors that are online.
    static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// The tasks and the index of the next one.
    private final class Queue: Sendable {
        private let next = Atomic<Int>(0)
        private let count: Int
        private let body: @Sendable (Int) -> Void

        /// Makes a queue of `count` tasks.
        init(count: Int, _ body: @escaping @Sendable (Int) -> Void) {
            self.count = count
            self.body = body
        }

        /// Runs tasks until none is left.
        func work() {
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                body(index)
            }
        }
    }

    /// Calls `body` for 0 to `count` - 1 and returns when all calls have returned; the calling thread is one of the threads.
    static func run(count: Int, threadCount: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let queue = Queue(count: count, body)
        var threads: [pthread_t] = []
        for _ in 1..<max(1, min(count, threadCount)) {
            if let thread = start(queue) { threads.append(thread) }
        }
        queue.work()
        for thread in threads { pthread_join(thread, nil) }
    }

    /// Starts a thread that works on the queue; nil if the system refuses one.
    private static func start(_ queue: Queue) -> pthread_t? {
        let context = Unmanaged.passRetained(queue)
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let code = pthread_create(
            &thread, nil,
            { context in
                #if canImport(Glibc)
                guard let context else { return nil }
                #endif
                Unmanaged<Queue>.fromOpaque(context).takeRetainedValue().work()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return nil
        }
        return thread
    }
}
