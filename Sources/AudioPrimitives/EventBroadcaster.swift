// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !hasFeature(Embedded)
internal import Synchronization

/// Sends events to any number of subscribers, each of which reads a stream of its own.
///
/// All methods may be called from any thread. Sending never waits for a subscriber: a stream buffers a limited number of events, and a
/// subscriber that falls further behind loses the oldest ones. A subscription ends when its reader stops or the broadcaster finishes, and is
/// removed then.
package final class EventBroadcaster<Event: Sendable>: Sendable {
    /// The current subscriptions.
    private struct State {
        var subscribers: [Int: AsyncStream<Event>.Continuation] = [:]
        var nextIdentifier = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Creates a broadcaster without subscribers.
    package init() {}

    /// Whether anybody is subscribed.
    package var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

    /// Returns a new stream of the events sent from now on.
    ///
    /// - Parameter limit: The number of events that the stream buffers; when it is full, the oldest event is dropped.
    /// - Returns: A stream for one reader; already finished if the broadcaster is.
    package func stream(bufferingNewest limit: Int = 1024) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(limit))
        let identifier = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.nextIdentifier += 1
            state.subscribers[state.nextIdentifier] = continuation
            return state.nextIdentifier
        }
        guard let identifier else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(identifier) }
        return stream
    }

    /// Sends an event to all subscribers.
    package func send(_ event: Event) {
        // Not under the lock: a subscription that ends meanwhile takes it.
        for subscriber in state.withLock({ Array($0.subscribers.values) }) { subscriber.yield(event) }
    }

    /// Ends all streams after the events sent so far; later streams are empty.
    package func finish() {
        let subscribers = state.withLock { state -> [AsyncStream<Event>.Continuation] in
            state.isFinished = true
            defer { state.subscribers.removeAll() }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.finish() }
    }

    /// Removes a subscription that has ended.
    private func remove(_ identifier: Int) {
        state.withLock { _ = $0.subscribers.removeValue(forKey: identifier) }
    }
}
#endif
