// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The processors that several encoders share.
///
/// Each encoder has one processor of its own; it takes more from the budget while there are some, and gives them back.
package final class ThreadBudget: Sendable {
    private let free: Mutex<Int>

    /// Creates a budget with a number of free processors.
    package init(free: Int) { self.free = Mutex(free) }

    /// The number of free processors.
    package var freeCount: Int { free.withLock { $0 } }

    /// Takes a processor, if one is free.
    ///
    /// - Returns: Whether one was free.
    package func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    /// Gives a processor back, or adds one.
    package func give() { free.withLock { $0 += 1 } }
}

/// The threads that one encoder may use.
package struct EncodingThreads: Sendable {
    /// The largest number of threads.
    var count: Int
    /// The processors for all threads but the first; nil to use ``count`` threads at once.
    var budget: ThreadBudget?

    /// Creates a value from its parts.
    package init(count: Int, budget: ThreadBudget? = nil) {
        self.count = count
        self.budget = budget
    }
}
