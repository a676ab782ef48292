// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// A bridge from synchronous code to asynchronous functions.
enum Blocking {
    /// Runs `body` and blocks the calling thread meanwhile.
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

    /// The outcome, shared with the task.
    private final class Box<Value: Sendable>: Sendable {
        let outcome: Mutex<Result<Value, any Error>?>
        init(_ outcome: consuming Mutex<Result<Value, any Error>?>) { self.outcome = outcome }
    }
}
