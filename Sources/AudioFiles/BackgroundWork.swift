// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Runs long blocking work on a dedicated thread, which keeps the concurrent executor free for tasks.
package enum BackgroundWork {
    /// Runs `body` on a dedicated thread and suspends the task until it ends.
    ///
    /// - Parameter body: The work. Its argument returns whether the task was cancelled; `body` should then end soon.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    package static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let flag = CancellationFlag()
        let result: Result<Value, Failure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let work: @Sendable () -> Void = {
                    continuation.resume(returning: Result { () throws(Failure) in try body { flag.isSet } })
                }
                WorkerThreads.detach(work)
            }
        } onCancel: {
            flag.set()
        }
        return try result.get()
    }

    private final class CancellationFlag: Sendable {
        private let value = Atomic<Bool>(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }
}
