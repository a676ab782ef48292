// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
internal import Synchronization

/// A value that any thread sets once, and that any number of tasks can await without blocking a thread.
package final class Promise<Value: Sendable>: Sendable {
    /// The value, or the waiting tasks.
    private enum State {
        case pending([CheckedContinuation<Value, Never>])
        case fulfilled(Value)
    }

    private let state = Mutex(State.pending([]))

    package init() {}

    /// The value, if set.
    package var current: Value? {
        state.withLock { if case .fulfilled(let value) = $0 { value } else { nil } }
    }

    /// Sets the value and resumes the waiting tasks, unless it is already set.
    package func fulfill(_ value: Value) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>] in
            guard case .pending(let waiting) = state else { return [] }
            state = .fulfilled(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// Waits for the value.
    ///
    /// Cancellation of the calling task does not end the wait.
    package func wait() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                switch state {
                case .fulfilled(let value): return value
                case .pending(let waiting):
                    state = .pending(waiting + [continuation])
                    return nil
                }
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
#endif
