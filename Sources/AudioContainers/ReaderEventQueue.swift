// SPDX-License-Identifier: Apache-2.0

/// The events of a parser that are not taken yet.
struct ReaderEventQueue: Sendable {
    private var events: [ReaderEvent] = []
    /// The number of events that have been taken from the front of the array.
    private var takenCount = 0

    /// Whether no event waits.
    var isEmpty: Bool { takenCount == events.count }

    /// Adds an event.
    mutating func append(_ event: ReaderEvent) { events.append(event) }

    /// Removes and returns the first event; nil if there is none.
    mutating func takeFirst() -> ReaderEvent? {
        guard !isEmpty else { return nil }
        // The usual case: the event is moved, not copied.
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
