// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Testing

@Suite struct EventBroadcasterTests {
    @Test("Each subscriber receives the events after its subscription, and its stream ends with the broadcaster")
    func subscriptions() async {
        let events = EventBroadcaster<Int>()
        events.send(1)
        let first = events.stream()
        events.send(2)
        let second = events.stream()
        events.send(3)
        events.finish()
        #expect(await first.reduce(into: []) { $0.append($1) } == [2, 3])
        #expect(await second.reduce(into: []) { $0.append($1) } == [3])
        #expect(await events.stream().reduce(into: []) { $0.append($1) } == [])
    }

    @Test("Subscriber that does not read keeps only the newest events")
    func limit() async {
        let events = EventBroadcaster<Int>()
        let stream = events.stream(bufferingNewest: 3)
        for event in 0..<10 { events.send(event) }
        events.finish()
        #expect(await stream.reduce(into: []) { $0.append($1) } == [7, 8, 9])
    }

    @Test("Subscription is removed when its reader stops")
    func removal() async {
        let events = EventBroadcaster<Int>()
        var stream: AsyncStream<Int>? = events.stream()
        #expect(stream != nil && events.hasSubscribers)
        stream = nil
        #expect(!events.hasSubscribers)
        let reader = Task { [stream = events.stream()] in await stream.reduce(0, +) }
        reader.cancel()
        _ = await reader.value
        #expect(!events.hasSubscribers)
    }

    @Test("Promise returns its first value to all waiters, before and after it is set")
    func promise() async {
        let promise = Promise<Int>()
        let waiting = (0..<10).map { _ in Task { await promise.wait() } }
        #expect(promise.current == nil)
        promise.fulfill(1)
        promise.fulfill(2)
        for task in waiting { #expect(await task.value == 1) }
        #expect(await promise.wait() == 1 && promise.current == 1)
    }
}
