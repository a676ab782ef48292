// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
internal import Synchronization

/// Sends events to any number of subscribers, each of which reads a stream of its own.
///
/// All methods may be called from any thread. Sending never waits for a subscriber: a stream buffers a limited number of events, and a
/// subscriber that falls further behind loses the oldest ones. A subscription ends when its reader stops or the broadcaster finishes or is
/// deallocated, and is removed then. A broadcaster whose subscribers get events of their own keeps a value for each of them, the `Subscription`.
package final class Broadcaster<Event: Sendable, Subscription: Sendable>: Sendable {
    /// A reader of events.
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

    /// Creates a broadcaster without subscribers.
    package init() {}

    deinit { finish() }

    /// Whether anybody is subscribed.
    package var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

    /// Returns a new stream of the events sent from now on.
    ///
    /// - Parameters:
    ///   - subscription: The value that is kept for the stream.
    ///   - limit: The number of events that the stream buffers; when it is full, the oldest event is dropped.
    /// - Returns: A stream for one reader; already finished if the broadcaster is.
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

    /// Sends each subscriber an event of its own, if it gets one.
    ///
    /// - Parameter event: Returns the event of a subscription, which it may change; nil for none.
    package func send(_ event: (inout Subscription) -> Event?) {
        let complete = state.withLock { state in
            state.subscribers.keys.compactMap { identifier -> (AsyncStream<Event>.Continuation, Event)? in
                guard var subscriber = state.subscribers[identifier] else { return nil }
                defer { state.subscribers[identifier] = subscriber }
                return event(&subscriber.subscription).map { (subscriber.continuation, $0) }
            }
        }
        // Not under the lock: a subscription that ends meanwhile takes it.
        for (continuation, event) in complete { continuation.yield(event) }
    }

    /// Ends all streams after the events sent so far; later streams are empty.
    package func finish() {
        let subscribers = state.withLock { state -> [Subscriber] in
            state.isFinished = true
            defer { state.subscribers.removeAll() }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.continuation.finish() }
    }

    /// Removes a subscription that has ended.
    private func remove(_ identifier: Int) {
        state.withLock { _ = $0.subscribers.removeValue(forKey: identifier) }
    }
}

/// A broadcaster whose subscribers all get the same events.
package typealias EventBroadcaster<Event: Sendable> = Broadcaster<Event, SameEvents>

/// The value of subscriptions that all get the same events.
package struct SameEvents: Sendable {}

extension Broadcaster where Subscription == SameEvents {
    /// Returns a new stream of the events sent from now on.
    package func stream(bufferingNewest limit: Int = 1024) -> AsyncStream<Event> { stream(of: SameEvents(), bufferingNewest: limit) }

    /// Sends an event to all subscribers.
    package func send(_ event: Event) { send { _ in event } }
}
#endif
