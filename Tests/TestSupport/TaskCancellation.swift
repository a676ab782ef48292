// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Work in a task that is cancelled halfway.
public enum TaskCancellation {
    /// Runs work in a task, cancels the task at the first progress, and returns the error; `nil` without an error.
    ///
    /// - Parameter run: The work, with a function to call for each progress.
    public static func error<Value: Sendable>(
        of run: @escaping @Sendable (_ progress: @escaping @Sendable () -> Void) async throws -> Value
    ) async -> (any Error)? {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let task = Task {
            defer { start.finish() }
            return try await run {
                start.yield()
                // The work continues only after the task has been cancelled.
                gate.wait()
                gate.signal()
            }
        }
        for await _ in starts { break }
        task.cancel()
        gate.signal()
        switch await task.result {
        case .success: return nil
        case .failure(let error): return error
        }
    }
}
