// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
internal import Synchronization

/// Sends events to any number of subscribers, each with its own stream.
///
/// Methods are safe to call from any thread. Sending never waits for a subscriber: each stream buffers a limited number of events, and a
/// slow subscriber loses the oldest ones. A subscription ends and is removed when its reader stops, or when the broadcaster finishes or is
/// deallocated. If subscribers receive different events, the broadcaster keeps a `Subscription` value for each of them.
package final class Broadcaster<Event: Sendable, Subscription: Sendable>: Sendable {
    private struct Subscriber {
        let continuation: AsyncStream<Event>.Continuation
        var subscription: Subscription
    }

    /// The current subscriptions.
    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var nextIdentifier = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    package init() {}

    deinit { finish() }

    package var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

    /// Returns a new stream of all later events.
    ///
    /// - Parameter limit: The number of buffered events. If the buffer is full, the oldest event is dropped.
    /// - Returns: A stream for one reader, already finished if the broadcaster is.
    package func stream(of subscription: Subscription, bufferingNewest limit: Int) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(limit))
        let identifier = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.nextIdentifier += 1
            state.subscribers[state.nextIdentifier] = Subscriber(continuation: continuation, subscription: subscription)
            return state.nextIdentifier
        }
        guard let identifier else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(identifier) }
        return stream
    }

    /// Sends each subscriber its own event, if any.
    ///
    /// - Parameter event: Returns the event for a subscription, or `nil` for none, and may change the subscription.
    package func send(_ event: (inout Subscription) -> Event?) {
        let complete = state.withLock { state in
            state.subscribers.keys.compactMap { identifier -> (AsyncStream<Event>.Continuation, Event)? in
                guard var subscriber = state.subscribers[identifier] else { return nil }
                defer { state.subscribers[identifier] = subscriber }
                return event(&subscriber.subscription).map { (subscriber.continuation, $0) }
            }
        }
        // Not under the lock, which a subscription takes when it ends.
        for (continuation, event) in complete { continuation.yield(event) }
    }

    /// Ends all streams after the events sent so far, and leaves later streams empty.
    package func finish() {
        let subscribers = state.withLock { state -> [Subscriber] in
            state.isFinished = true
            defer { state.subscribers.removeAll() }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.continuation.finish() }
    }

    private func remove(_ identifier: Int) {
        state.withLock { _ = $0.subscribers.removeValue(forKey: identifier) }
    }
}

/// A broadcaster that sends the same events to all subscribers.
package typealias EventBroadcaster<Event: Sendable> = Broadcaster<Event, AllSubscribers>

/// The subscription value if all subscribers receive the same events.
package struct AllSubscribers: Sendable {}

extension Broadcaster where Subscription == AllSubscribers {
    /// Returns a new stream of all later events.
    package func stream(bufferingNewest limit: Int = 1024) -> AsyncStream<Event> { stream(of: AllSubscribers(), bufferingNewest: limit) }

    package func send(_ event: Event) { send { _ in event } }
}
#endif
