// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// A queue between threads that blocks writers while it is full.
final class BoundedQueue<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let freeSlots: DispatchSemaphore
    private let available = DispatchSemaphore(value: 0)

    /// Creates an empty queue for at most `capacity` elements.
    init(capacity: Int) { freeSlots = DispatchSemaphore(value: capacity) }

    /// Appends an element; waits while the queue is full.
    func enqueue(_ element: Element) {
        freeSlots.wait()
        elements.withLock { $0.append(element) }
        available.signal()
    }

    /// Ends the queue for `readers` threads.
    func finish(readers: Int) { for _ in 0..<readers { available.signal() } }

    /// Returns the next element, or nil after the end.
    ///
    /// Blocks until one of them is available.
    func dequeue() -> Element? {
        available.wait()
        let element = elements.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if element != nil { freeSlots.signal() }
        return element
    }
}
