// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A request that ends all waiting of a connection: another thread makes it at the end of a stream.
package final class ConnectionAbort: Sendable {
    /// The longest time that a wait continues after the request, in milliseconds.
    package static let reactionTime = 100

    private let requested = Atomic<Bool>(false)

    /// Creates an object without a request.
    package init() {}

    /// Whether waiting has to end.
    package var isRequested: Bool { requested.load(ordering: .relaxed) }

    /// Ends all waiting.
    package func request() { requested.store(true, ordering: .relaxed) }
}
