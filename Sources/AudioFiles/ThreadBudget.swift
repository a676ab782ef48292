// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A pool of processors that several encoders share.
///
/// Each encoder owns one processor. It takes additional ones from the budget while any are free, and returns them later.
package final class ThreadBudget: Sendable {
    private let free: Mutex<Int>

    package init(free: Int) { self.free = Mutex(free) }

    /// Takes a processor.
    ///
    /// - Returns: Whether one was free.
    package func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    /// Returns or adds a processor.
    package func give() { free.withLock { $0 += 1 } }
}

/// The threads that one encoder may use.
package struct EncodingThreads: Sendable {
    /// The maximum number of threads.
    var count: Int
    /// The processors for all threads but the first, or `nil` to start ``count`` threads immediately.
    var budget: ThreadBudget?

    package init(count: Int, budget: ThreadBudget? = nil) {
        self.count = count
        self.budget = budget
    }
}
