// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Dispatch
import Synchronization

/// Runs asynchronous code from the main thread, and waits for it.
enum Blocking {
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

    private final class Box<Value: Sendable>: Sendable {
        let outcome: Mutex<Result<Value, any Error>?>
        init(_ outcome: consuming Mutex<Result<Value, any Error>?>) { self.outcome = outcome }
    }
}
