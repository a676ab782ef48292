// SPDX-License-Identifier: Apache-2.0

/// Detects audio that a sound server lost without a report, by the arrival times of the audio after the loss.
///
/// Audio never arrives early, and even on a busy machine some chunks arrive without delay. When the least arrival lag increases at some moment
/// and stays larger by a constant amount while arrivals are steady, that amount of audio is missing. When audio is merely late, however much,
/// the former lag returns as soon as the machine has caught up.
///
///     ┌──────────┐   two slots have a common least lag   ┌────────────┐
///     │ learning │ ────────────────────────────────────► │ monitoring │
///     │          │ ◄──────────────────────────────────── │            │
///     └──────────┘        not confirmed for 10 s         └────────────┘
///           ▲                                              │        ▲
///           │                            lag ≥ reference   │        │  lag < reference + threshold: intact
///           │                                + threshold   ▼        │  two late slots have a common least lag: intact or lost
///           │        3 s without a decision: intact      ┌────────────┐
///           └─────────────────────────────────────────── │  deciding  │
///                                                        └────────────┘
///
/// ``restart()`` returns to *learning* from every state. Chunks are *undecided* in the state *deciding* only.
struct UnreportedLossDetector {
    /// The conclusion about a chunk and the undecided ones before it.
    enum Verdict: Equatable {
        /// Nothing is missing before the chunk or the undecided ones.
        case intact
        /// The chunk is late, or follows a loss: its delivery has to wait.
        case undecided
        /// Audio of this length is missing before the first undecided chunk.
        case lost(nanoseconds: Int64)
    }

    /// The states of the detector.
    private enum State: Equatable {
        /// The usual lag isn't known.
        case learning
        /// The usual lag is known, and chunks arrive with it.
        case monitoring
        /// Chunks have been late since the host time in nanoseconds.
        case deciding(since: Int64)
    }

    /// The length of a slot in nanoseconds; a least lag counts when it is common to two consecutive slots.
    ///
    /// PipeWire delivers 2048 frames in fragments of 480, keeps the rest, and delivers the last frame of a period without delay in one of
    /// fifteen periods only: every 0.64 s.
    private static let slotLength: Int64 = 750_000_000
    /// The number of slots that a common least lag takes.
    private static let slotCount = 2
    /// The largest difference of a common least lag, in nanoseconds: clocks that differ by 300 ppm change it by 0.23 ms.
    private static let tolerance: Int64 = 2_000_000
    /// The shortest loss, in nanoseconds; it is at least one and a half buffers, too.
    ///
    /// PipeWire loses whole periods, usually 1024 or 2048 frames at 48 kHz.
    private static let shortestLoss: Int64 = 15_000_000
    /// The longest pause between steady arrivals, in nanoseconds: after a longer one the machine was stopped.
    ///
    /// PipeWire's longest period is 171 ms.
    private static let longestPause: Int64 = 200_000_000
    /// The longest time without a decision, in nanoseconds, after which audio counts as intact.
    private static let longestDecision: Int64 = 3_000_000_000
    /// The time for which a reference is valid, in nanoseconds: clocks that differ by 300 ppm change the lag by 3 ms in that time.
    private static let validity: Int64 = 10_000_000_000
    /// The decrease of the lag, in nanoseconds, from which on the server is taken to have changed its latency, possibly for a limited time.
    private static let latencyChange: Int64 = 5_000_000

    /// The least lags of consecutive slots of time.
    private struct Slots {
        var number: Int64?
        var least = Int64.max
        var isSteady = true
        /// The least lags of the latest complete slots, the latest last.
        var complete: [Int64] = []

        /// Records a lag at a time, both in nanoseconds; returns whether the time begins a new slot.
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

        /// The least lag if the latest slots agree on it.
        var common: Int64? {
            guard complete.count == UnreportedLossDetector.slotCount, let least = complete.min(), let most = complete.max(),
                most - least <= UnreportedLossDetector.tolerance
            else { return nil }
            return least
        }
    }

    private let threshold: Int64
    private var state = State.learning
    private var slots = Slots()
    /// The slots since chunks are late.
    private var lateSlots = Slots()
    /// The usual lag and the host time of its last confirmation; it outlives the state ``State/learning``.
    private var reference: (lag: Int64, time: Int64)?
    private var latestArrival: Int64?
    /// The total decrease of the lag by changes of the server's latency that haven't been reversed, in nanoseconds.
    private var latencyDecrease: Int64 = 0

    /// Creates a detector for chunks of `bufferDuration` seconds.
    init(bufferDuration: Double) { threshold = max(Self.shortestLoss, Int64(bufferDuration * 1.5e9)) }

    /// Evaluates a chunk.
    ///
    /// - Parameters:
    ///   - lag: The time from the end of the chunk on the timeline to its arrival in nanoseconds, assuming that nothing is missing.
    ///   - arrival: The host time of the arrival in nanoseconds.
    mutating func evaluate(lag: Int64, at arrival: Int64) -> Verdict {
        let isSteady = latestArrival.map { arrival - $0 <= Self.longestPause } ?? true
        latestArrival = arrival
        if state == .monitoring, let reference, arrival - reference.time > Self.validity { state = .learning }
        guard state != .learning, let reference, lag >= reference.lag + threshold else {
            if case .deciding = state { state = .monitoring }
            if slots.record(lag, at: arrival, isSteady: isSteady), let common = slots.common { confirm(common, at: arrival) }
            return .intact
        }
        guard case .deciding(let start) = state else {
            state = .deciding(since: arrival)
            lateSlots = Slots()
            _ = lateSlots.record(lag, at: 0, isSteady: true)
            return .undecided
        }
        guard lateSlots.record(lag, at: arrival - start, isSteady: isSteady) else { return .undecided }
        if let common = lateSlots.common { return decide(common, reference: reference.lag, at: arrival) }
        guard arrival - start >= Self.longestDecision else { return .undecided }
        restart()
        return .intact
    }

    /// Discards the usual lag, because time passed otherwise than by audio.
    mutating func restart() {
        state = .learning
        slots = Slots()
        latestArrival = nil
    }

    /// Makes the common lag of two slots the reference.
    private mutating func confirm(_ lag: Int64, at arrival: Int64) {
        if let reference, reference.lag - lag > Self.latencyChange { latencyDecrease += reference.lag - lag }
        reference = (lag, arrival)
        state = .monitoring
    }

    /// Decides whether the common lag of two late slots means a loss, or the end of an earlier decrease of the server's latency.
    private mutating func decide(_ common: Int64, reference known: Int64, at arrival: Int64) -> Verdict {
        state = .monitoring
        slots = Slots()
        let missing = common - known - latencyDecrease
        guard missing >= threshold else {
            // The server has its former latency again, and nothing was lost.
            latencyDecrease = max(0, latencyDecrease - (common - known))
            reference = (common, arrival)
            return .intact
        }
        latencyDecrease = 0
        reference = (common - missing, arrival)
        return .lost(nanoseconds: missing)
    }
}
