// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
internal import Synchronization

/// A value that is set once, by any thread, and that any number of tasks wait for without blocking a thread.
package final class Promise<Value: Sendable>: Sendable {
    /// The value, or the tasks that wait for it.
    private enum State {
        case pending([CheckedContinuation<Value, Never>])
        case fulfilled(Value)
    }

    private let state = Mutex(State.pending([]))

    /// Creates a promise without a value.
    package init() {}

    /// The value if it is set.
    package var current: Value? {
        state.withLock { if case .fulfilled(let value) = $0 { value } else { nil } }
    }

    /// Sets the value and resumes the tasks that wait for it; does nothing if the value is set already.
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
    /// The cancellation of the calling task doesn't end the wait.
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
