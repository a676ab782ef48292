// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A flag with which another thread ends all waiting of a connection at the end of a stream.
package final class ConnectionAbort: Sendable {
    /// The maximum time that a wait continues after the request, in milliseconds.
    package static let reactionTime = 100

    private let requested = Atomic<Bool>(false)

    package init() {}

    package var isRequested: Bool { requested.load(ordering: .relaxed) }

    /// Ends all pending and later waiting.
    package func request() { requested.store(true, ordering: .relaxed) }
}
