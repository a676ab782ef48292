// SPDX-License-Identifier: Apache-2.0

package import Dispatch
internal import Synchronization

/// The notices of a backend, from any thread to the one that waits for them.
package final class NoticeQueue: Sendable {
    private let notices = Mutex<[BackendNotice]>([])
    private let wake: DispatchSemaphore

    /// Creates an empty queue, which signals `wake` with every notice.
    package init(wake: DispatchSemaphore) { self.wake = wake }

    /// Appends a notice.
    ///
    /// Takes a lock for a short time: not for real-time threads.
    func report(_ notice: BackendNotice) {
        notices.withLock { $0.append(notice) }
        wake.signal()
    }

    /// Removes and returns the notices reported so far.
    func dequeue() -> [BackendNotice] {
        notices.withLock { notices in
            defer { notices.removeAll() }
            return notices
        }
    }
}
