// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Runs work that blocks and computes for long on a thread of its own, so that tasks have the concurrent executor for themselves.
package enum BackgroundWork {
    /// Runs work, and waits for it without blocking a thread of the executor.
    ///
    /// - Parameter body: The work. It is given a function that tells whether the task has been cancelled, and ends soon when it has.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
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

    /// Whether a task has been cancelled.
    private final class CancellationFlag: Sendable {
        private let value = Atomic<Bool>(false)
        /// Whether it has.
        var isSet: Bool { value.load(ordering: .relaxed) }
        /// Records that it has.
        func set() { value.store(true, ordering: .relaxed) }
    }
}
