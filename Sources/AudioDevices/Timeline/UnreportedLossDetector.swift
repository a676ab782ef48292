// SPDX-License-Identifier: Apache-2.0

/// Detects audio that a sound server lost without a report, from the arrival times after the loss.
///
/// Audio never arrives early, and even on a busy machine some chunks arrive without delay. If the minimum arrival lag increases and then
/// stays larger by a constant amount while arrivals are steady, that amount of audio is missing. If audio is merely late, the previous lag
/// returns as soon as the machine has caught up.
///
///     ┌──────────┐   two slots agree on the minimum lag   ┌────────────┐
///     │ learning │ ─────────────────────────────────────► │ monitoring │
///     │          │ ◄───────────────────────────────────── │            │
///     └──────────┘        not confirmed for 10 s          └────────────┘
///           ▲                                               │        ▲
///           │                             lag ≥ reference   │        │  lag < reference + threshold: intact
///           │                                 + threshold   ▼        │  two late slots agree: intact or lost
///           │        3 s without a decision: intact       ┌────────────┐
///           └──────────────────────────────────────────── │  deciding  │
///                                                         └────────────┘
///
/// ``restart()`` returns to *learning* from every state. Chunks are *undecided* only in the state *deciding*.
struct UnreportedLossDetector {
    /// The conclusion about a chunk and the preceding undecided ones.
    enum Decision: Equatable {
        /// Nothing is missing before the chunk or the undecided ones.
        case intact
        /// The chunk is late or follows a loss. It must be held.
        case undecided
        /// Audio of this length is missing before the first undecided chunk.
        case lost(nanoseconds: Int64)
    }

    private enum State: Equatable {
        /// The usual lag is unknown.
        case learning
        /// The usual lag is known, and chunks arrive with it.
        case monitoring
        /// Chunks have been late since this host time, in nanoseconds.
        case deciding(since: Int64)
    }

    /// The slot duration, in nanoseconds.
    ///
    /// A minimum lag is valid when two consecutive slots agree on it. PipeWire delivers 2048 frames in fragments of 480, retains the rest,
    /// and delivers the last frame of a period without delay only in one of fifteen periods, every 0.64 s.
    private static let slotLength: Int64 = 750_000_000
    /// The number of slots that must agree on a minimum lag.
    private static let slotCount = 2
    /// The maximum difference between agreeing lags, in nanoseconds.
    ///
    /// Clocks that differ by 300 ppm change the lag by 0.23 ms.
    private static let tolerance: Int64 = 2_000_000
    /// The minimum loss, in nanoseconds.
    ///
    /// It is also at least one and a half buffers. PipeWire loses whole periods, usually 1024 or 2048 frames at 48 kHz.
    private static let minimumLossDuration: Int64 = 15_000_000
    /// The maximum pause between steady arrivals, in nanoseconds.
    ///
    /// After a longer pause the machine was suspended. PipeWire's longest period is 171 ms.
    private static let maximumPause: Int64 = 200_000_000
    /// The maximum time without a decision, in nanoseconds.
    ///
    /// Then the audio counts as intact.
    private static let maximumDecisionTime: Int64 = 3_000_000_000
    /// The validity of a reference, in nanoseconds.
    ///
    /// In that time clocks that differ by 300 ppm change the lag by 3 ms.
    private static let validity: Int64 = 10_000_000_000
    /// The decrease of the lag that indicates a latency change of the server, possibly temporary, in nanoseconds.
    private static let latencyChange: Int64 = 5_000_000

    /// The minimum lags of consecutive slots.
    private struct LagSlots {
        var number: Int64?
        var least = Int64.max
        var isSteady = true
        /// The minimum lags of the latest complete slots, oldest first.
        var complete: [Int64] = []

        /// Records a lag at a time, both in nanoseconds.
        ///
        /// Returns whether the time starts a new slot.
        mutating func record(_ lag: Int64, at time: Int64, isSteady: Bool) -> Bool {
            let new = time / UnreportedLossDetector.slotLength
            let hasEnded = number.map { $0 != new } ?? false
            if hasEnded {
                if self.isSteady { complete.append(least) } else { complete.removeAll() }
                if complete.count > UnreportedLossDetector.slotCount { complete.removeFirst() }
                least = .max
                self.isSteady = true
            }
            number = new
            least = min(least, lag)
            self.isSteady = self.isSteady && isSteady
            return hasEnded
        }

        /// The minimum lag if the latest slots agree on it.
        var common: Int64? {
            guard complete.count == UnreportedLossDetector.slotCount, let least = complete.min(), let most = complete.max(),
                most - least <= UnreportedLossDetector.tolerance
            else { return nil }
            return least
        }
    }

    private let threshold: Int64
    private var state = State.learning
    private var slots = LagSlots()
    /// The slots since chunks became late.
    private var lateSlots = LagSlots()
    /// The usual lag and the host time of its last confirmation.
    ///
    /// Kept in the state ``State/learning``.
    private var reference: (lag: Int64, time: Int64)?
    private var latestArrival: Int64?
    /// The total decrease of the lag by server latency changes that have not been reversed, in nanoseconds.
    private var latencyDecrease: Int64 = 0

    /// Creates a detector for chunks of `bufferDuration` seconds.
    init(bufferDuration: Double) { threshold = max(Self.minimumLossDuration, Int64(bufferDuration * 1.5e9)) }

    /// Evaluates a chunk.
    ///
    /// - Parameters:
    ///   - lag: The time between the chunk's end on the timeline and its arrival, assuming no loss, in nanoseconds.
    ///   - arrival: The host time of the arrival, in nanoseconds.
    mutating func evaluate(lag: Int64, at arrival: Int64) -> Decision {
        let isSteady = latestArrival.map { arrival - $0 <= Self.maximumPause } ?? true
        latestArrival = arrival
        if state == .monitoring, let reference, arrival - reference.time > Self.validity { state = .learning }
        guard state != .learning, let reference, lag >= reference.lag + threshold else {
            if case .deciding = state { state = .monitoring }
            if slots.record(lag, at: arrival, isSteady: isSteady), let common = slots.common { confirm(common, at: arrival) }
            return .intact
        }
        guard case .deciding(let start) = state else {
            state = .deciding(since: arrival)
            lateSlots = LagSlots()
            _ = lateSlots.record(lag, at: 0, isSteady: true)
            return .undecided
        }
        guard lateSlots.record(lag, at: arrival - start, isSteady: isSteady) else { return .undecided }
        if let common = lateSlots.common { return decide(common, reference: reference.lag, at: arrival) }
        guard arrival - start >= Self.maximumDecisionTime else { return .undecided }
        restart()
        return .intact
    }

    /// Discards the usual lag, because time passed without audio.
    mutating func restart() {
        state = .learning
        slots = LagSlots()
        latestArrival = nil
    }

    /// Makes the agreed lag of two slots the reference.
    private mutating func confirm(_ lag: Int64, at arrival: Int64) {
        if let reference, reference.lag - lag > Self.latencyChange { latencyDecrease += reference.lag - lag }
        reference = (lag, arrival)
        state = .monitoring
    }

    /// Decides whether the agreed lag of two late slots means a loss, or the end of an earlier latency decrease of the server.
    private mutating func decide(_ common: Int64, reference known: Int64, at arrival: Int64) -> Decision {
        state = .monitoring
        slots = LagSlots()
        let missing = common - known - latencyDecrease
        guard missing >= threshold else {
            // The server has returned to its previous latency without a loss.
            latencyDecrease = max(0, latencyDecrease - (common - known))
            reference = (common, arrival)
            return .intact
        }
        latencyDecrease = 0
        reference = (common - missing, arrival)
        return .lost(nanoseconds: missing)
    }
}
