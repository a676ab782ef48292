// SPDX-License-Identifier: Apache-2.0

struct ReaderEventQueue: Sendable {
    private var events: [ReaderEvent] = []
    /// The number of dequeued events at the start of the array.
    private var takenCount = 0

    var isEmpty: Bool { takenCount == events.count }

    mutating func append(_ event: ReaderEvent) { events.append(event) }

    mutating func removeFirst() -> ReaderEvent? {
        guard !isEmpty else { return nil }
        // In the common case the event is moved, not copied.
        if events.count == 1 { return events.removeLast() }
        let event = events[takenCount]
        takenCount += 1
        if isEmpty {
            events.removeAll(keepingCapacity: true)
            takenCount = 0
        }
        return event
    }
}
