// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Work in a task that is cancelled midway.
public enum TaskCancellation {
    /// Runs work in a task, cancels that at its first progress, and returns the error of the work; nil if it ends without one.
    ///
    /// - Parameter run: The work, with a function to call at each progress.
    public static func error<Value: Sendable>(
        of run: @escaping @Sendable (_ progress: @escaping @Sendable () -> Void) async throws -> Value
    ) async -> (any Error)? {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let task = Task {
            defer { start.finish() }
            return try await run {
                start.yield()
                // The work goes on only when the task has been cancelled.
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
