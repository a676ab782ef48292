// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Calls asynchronous functions from synchronous code.
enum Blocking {
    /// Runs `body` and blocks the calling thread until it returns.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Mutex<Result<Value, any Error>?>(nil)
        let box = Box(outcome)
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            box.outcome.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = box.outcome.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }

    /// Shares the outcome with the task.
    private final class Box<Value: Sendable>: Sendable {
        let outcome: Mutex<Result<Value, any Error>?>
        /// Makes a box.
        init(_ outcome: consuming Mutex<Result<Value, any Error>?>) { self.outcome = outcome }
    }
}
