// SPDX-License-Identifier: Apache-2.0

package import Dispatch
internal import Synchronization

/// A queue of backend notices, from any thread to one waiting thread.
package final class NoticeQueue: Sendable {
    private let notices = Mutex<[BackendNotice]>([])
    private let wake: DispatchSemaphore

    /// Creates an empty queue.
    ///
    /// Signals `wake` at each notice.
    package init(wake: DispatchSemaphore) { self.wake = wake }

    /// Appends a notice.
    ///
    /// Takes a lock for a short time. Not for real-time threads.
    func report(_ notice: BackendNotice) {
        notices.withLock { $0.append(notice) }
        wake.signal()
    }

    func dequeue() -> [BackendNotice] {
        notices.withLock { notices in
            defer { notices.removeAll() }
            return notices
        }
    }
}
