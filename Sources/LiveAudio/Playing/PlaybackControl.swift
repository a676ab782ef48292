// SPDX-License-Identifier: Apache-2.0

internal import AudioDevices
internal import AudioPrimitives
internal import Dispatch
internal import PCMFiles
internal import Synchronization

/// The queue and the orders of a player, which its users write and its thread carries out.
final class PlaybackControl: Sendable {
    /// A run from the start of the thread to its end; its value is the error.
    typealias Run = Promise<DeviceError?>

    /// A source in the queue.
    struct Entry: @unchecked Sendable {
        /// The number of sources that were enqueued before.
        var index = 0
        /// The source, which was sent here, and belongs to the thread of the current run.
        let source: any PlayableSource
    }

    /// The source that is heard, and its position.
    struct Progress {
        var index = 0
        var position = Duration.zero
        var duration: Duration?
        var isInterrupted = false
    }

    /// Orders for the thread.
    struct Orders {
        var isStopping = false
        var isPaused = false
        var skipCount = 0
        var seekTime: Duration?
    }

    /// The state of a run that is joined.
    enum RunState {
        case new, running, ending
    }

    private struct State {
        var waiting: [Entry] = []
        var enqueuedCount = 0
        var run: Run?
        var orders = Orders()
        var progress = Progress()

        /// Ends the run, and drops its orders.
        mutating func endRun() {
            run = nil
            orders = Orders(isPaused: orders.isPaused)
        }
    }

    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)

    // MARK: Any thread

    /// Adds sources to the queue.
    func enqueue(_ sources: sending [any PlayableSource]) {
        let entries = sources.map { Entry(source: $0) }
        change { state in
            for entry in entries {
                state.waiting.append(Entry(index: state.enqueuedCount, source: entry.source))
                state.enqueuedCount += 1
            }
        }
    }

    /// Ends a pause, and returns the current run or a new one; nil if there is nothing to play.
    func join() -> (Run, RunState)? {
        defer { changed.signal() }
        return state.withLock { state in
            state.orders.isPaused = false
            if let run = state.run { return (run, state.orders.isStopping ? .ending : .running) }
            guard !state.waiting.isEmpty else { return nil }
            let run = Run()
            state.run = run
            return (run, .new)
        }
    }

    /// Whether playback is paused.
    var isPaused: Bool {
        get { state.withLock { $0.orders.isPaused } }
        set { change { $0.orders.isPaused = newValue } }
    }

    /// Moves to a time of the current source; does nothing outside a run.
    func seek(to time: Duration) { change { if $0.run != nil { $0.orders.seekTime = time } } }

    /// Moves to the next source; does nothing outside a run.
    func skip() { change { if $0.run != nil { $0.orders.skipCount += 1 } } }

    /// Ends the current run and empties the queue.
    ///
    /// - Parameter run: The run; nil for any. Nothing happens if it has ended.
    func stop(_ run: Run? = nil) {
        change { state in
            guard run == nil || state.run === run else { return }
            state.waiting = []
            state.orders.isStopping = state.run != nil
        }
    }

    /// Changes the state and wakes the thread.
    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        changed.signal()
    }

    /// The current position, or the one that a seek leads to.
    var progress: Progress {
        state.withLock { state in
            var progress = state.progress
            if let time = state.orders.seekTime { progress.position = min(time, progress.duration ?? time) }
            return progress
        }
    }

    // MARK: The player's thread

    /// Takes the orders since the last call.
    func takeOrders() -> Orders {
        state.withLock { state in
            let orders = state.orders
            if let time = orders.seekTime { state.progress.position = min(time, state.progress.duration ?? time) }
            state.orders.seekTime = nil
            state.orders.skipCount = 0
            return orders
        }
    }

    /// Waits for an order.
    func wait() { changed.wait() }

    /// Takes the next source out of the queue.
    func takeNext() -> Entry? { state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() } }

    /// Puts sources back at the front of the queue, unless the run stops.
    func giveBack(_ entries: [Entry]) {
        state.withLock { if !$0.orders.isStopping { $0.waiting.insert(contentsOf: entries, at: 0) } }
    }

    /// Publishes what is heard.
    func publish(_ progress: Progress) { state.withLock { $0.progress = progress } }

    /// Ends a run if nothing waits in the queue; returns whether it does.
    func endIfEmpty() -> Bool {
        state.withLock { state in
            guard state.waiting.isEmpty else { return false }
            state.endRun()
            return true
        }
    }

    /// Ends a run that has not ended.
    func end(_ run: Run) { state.withLock { if $0.run === run { $0.endRun() } } }
}
