// SPDX-License-Identifier: Apache-2.0

internal import AudioDevices
internal import AudioPrimitives
internal import Dispatch
internal import PCMFiles
internal import Synchronization

/// A player's queue and pending commands, written by any thread and processed by the player's thread.
final class PlaybackControl: Sendable {
    /// One run of the player's thread.
    ///
    /// The value is the error, if any.
    typealias Run = Promise<DeviceError?>

    struct Entry: @unchecked Sendable {
        /// The number of sources enqueued before.
        var index = 0
        /// Belongs to the thread of the current run.
        let source: any PlayableSource
    }

    /// The audible source and its position.
    struct Progress {
        var index = 0
        var position = Duration.zero
        var duration: Duration?
        var isInterrupted = false
    }

    /// Commands for the player's thread.
    struct Orders {
        var isStopping = false
        var isPaused = false
        var skipCount = 0
        var seekTime: Duration?
    }

    /// The state of a run when a caller joins it.
    enum RunState {
        case new, running, ending
    }

    private struct State {
        var waiting: [Entry] = []
        var enqueuedCount = 0
        var run: Run?
        var orders = Orders()
        var progress = Progress()

        /// Ends the run and discards its commands, except a pause.
        mutating func endRun() {
            run = nil
            orders = Orders(isPaused: orders.isPaused)
        }
    }

    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)

    // MARK: Any thread

    func enqueue(_ sources: sending [any PlayableSource]) {
        let entries = sources.map { Entry(source: $0) }
        change { state in
            for entry in entries {
                state.waiting.append(Entry(index: state.enqueuedCount, source: entry.source))
                state.enqueuedCount += 1
            }
        }
    }

    /// Unpauses and returns the current run or a new one; `nil` if there is nothing to play.
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

    var isPaused: Bool {
        get { state.withLock { $0.orders.isPaused } }
        set { change { $0.orders.isPaused = newValue } }
    }

    /// Seeks in the current source.
    ///
    /// Does nothing outside a run.
    func seek(to time: Duration) { change { if $0.run != nil { $0.orders.seekTime = time } } }

    /// Skips to the next source.
    ///
    /// Does nothing outside a run.
    func skip() { change { if $0.run != nil { $0.orders.skipCount += 1 } } }

    /// Ends the current run and clears the queue.
    ///
    /// - Parameter run: The run to stop; `nil` for any run. A run that has ended is ignored.
    func stop(_ run: Run? = nil) {
        change { state in
            guard run == nil || state.run === run else { return }
            state.waiting = []
            state.orders.isStopping = state.run != nil
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        changed.signal()
    }

    /// The current position, or the target of a pending seek.
    var progress: Progress {
        state.withLock { state in
            var progress = state.progress
            if let time = state.orders.seekTime { progress.position = min(time, progress.duration ?? time) }
            return progress
        }
    }

    // MARK: The player's thread

    /// Dequeues the commands since the last call.
    func dequeueOrders() -> Orders {
        state.withLock { state in
            let orders = state.orders
            if let time = orders.seekTime { state.progress.position = min(time, state.progress.duration ?? time) }
            state.orders.seekTime = nil
            state.orders.skipCount = 0
            return orders
        }
    }

    /// Waits for a command.
    func wait() { changed.wait() }

    func dequeue() -> Entry? { state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() } }

    /// Returns sources to the front of the queue, unless the run is stopping.
    func giveBack(_ entries: [Entry]) {
        state.withLock { if !$0.orders.isStopping { $0.waiting.insert(contentsOf: entries, at: 0) } }
    }

    func publish(_ progress: Progress) { state.withLock { $0.progress = progress } }

    /// Ends the run if the queue is empty.
    ///
    /// Returns whether it ended.
    func endIfEmpty() -> Bool {
        state.withLock { state in
            guard state.waiting.isEmpty else { return false }
            state.endRun()
            return true
        }
    }

    func end(_ run: Run) { state.withLock { if $0.run === run { $0.endRun() } } }
}
