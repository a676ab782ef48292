// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Notices sound that a server lost without a word, by when the sound behind it arrives.
///
/// Sound never arrives early, and even on a busy machine some of it arrives at once. Where the least lag is larger from some moment on, by
/// the same amount for as long as it takes to be sure, and arrivals are steady meanwhile, frames are missing: so many as that amount. Sound that
/// is late only, however late, brings the old lag back as soon as the machine has caught up.
struct UnreportedLossDetector {
    /// What a run says, together with those before it.
    enum Verdict: Equatable {
        /// It joins on to what came before it, and so do the runs that were put aside.
        case whole
        /// It is late, or behind a loss: to be put aside.
        case undecided
        /// So many nanoseconds are missing before the first run that was put aside.
        case lost(nanoseconds: Int64)
    }

    /// A least lag counts when it is that of two slots in a row.
    ///
    /// PipeWire gives 2048 frames in runs of 480, keeps the rest, and gives the last frame of a period at once in one period of fifteen
    /// only: every 0.64 s.
    private static let slotLength: Int64 = 750_000_000
    private static let slotCount = 2
    /// How far the least lags of two slots may differ, in nanoseconds: clocks 300 ppm apart make 0.23 ms of it.
    private static let agreement: Int64 = 2_000_000
    /// The least that is called a loss, in nanoseconds; it has to be one and a half runs, too.
    ///
    /// PipeWire loses periods, as a rule 1024 or 2048 frames at 48 kHz.
    private static let least: Int64 = 15_000_000
    /// Arrivals further apart than that, in nanoseconds, say nothing: the machine still stands.
    ///
    /// PipeWire's longest period is 171 ms.
    private static let longestPause: Int64 = 200_000_000
    /// After so long without a verdict, in nanoseconds, sound counts as whole.
    private static let patience: Int64 = 3_000_000_000
    /// For how long a least lag counts, in nanoseconds: clocks 300 ppm apart make 3 ms of it.
    private static let validity: Int64 = 10_000_000_000
    /// Where sound comes so much earlier than before, in nanoseconds, the server has changed its ways, and may change them back.
    private static let advance: Int64 = 5_000_000

    /// The least lags of slots, the latest last.
    private struct Slots {
        var number: Int64?
        var least = Int64.max
        var isCalm = true
        var complete: [Int64] = []

        /// Takes a lag; returns whether a slot has come to its end before it.
        mutating func note(_ lag: Int64, at time: Int64, isCalm: Bool) -> Bool {
            let new = time / UnreportedLossDetector.slotLength
            let hasEnded = number.map { $0 != new } ?? false
            if hasEnded {
                if self.isCalm { complete.append(least) } else { complete.removeAll() }
                if complete.count > UnreportedLossDetector.slotCount { complete.removeFirst() }
                least = .max
                self.isCalm = true
            }
            number = new
            least = min(least, lag)
            self.isCalm = self.isCalm && isCalm
            return hasEnded
        }

        /// The lag that the latest slots have in common.
        var common: Int64? {
            guard complete.count == UnreportedLossDetector.slotCount, let least = complete.min(), let most = complete.max(),
                most - least <= UnreportedLossDetector.agreement
            else { return nil }
            return least
        }
    }

    private let threshold: Int64
    private var slots = Slots()
    /// Those since runs are put aside.
    private var slotsAside = Slots()
    /// The least lag, and when it was seen last; good for a verdict while it is known.
    private var usual: (lag: Int64, time: Int64)?
    private var isKnown = false
    private var latestArrival: Int64?
    private var firstAside: Int64?
    /// How much earlier than once sound has come since, in nanoseconds.
    private var credit: Int64 = 0

    /// `bufferDuration` is that of a run, in seconds.
    init(bufferDuration: Double) { threshold = max(Self.least, Int64(bufferDuration * 1.5e9)) }

    /// Takes a run that arrived `lag` nanoseconds behind its place, supposed that nothing is missing.
    mutating func judge(lag: Int64, at arrival: Int64) -> Verdict {
        let isCalm = latestArrival.map { arrival - $0 <= Self.longestPause } ?? true
        latestArrival = arrival
        if let usual, arrival - usual.time > Self.validity, firstAside == nil { isKnown = false }
        guard isKnown, let usual, lag >= usual.lag + threshold else {
            firstAside = nil
            if slots.note(lag, at: arrival, isCalm: isCalm), let common = slots.common { settle(on: common, at: arrival) }
            return .whole
        }
        guard let firstAside else {
            firstAside = arrival
            slotsAside = Slots()
            _ = slotsAside.note(lag, at: 0, isCalm: true)
            return .undecided
        }
        guard slotsAside.note(lag, at: arrival - firstAside, isCalm: isCalm) else { return .undecided }
        if let common = slotsAside.common { return decide(on: common, usual: usual.lag, at: arrival) }
        guard arrival - firstAside >= Self.patience else { return .undecided }
        restart()
        return .whole
    }

    /// Has to learn anew how late sound usually is: time passed otherwise.
    mutating func restart() {
        firstAside = nil
        slots = Slots()
        isKnown = false
        latestArrival = nil
    }

    private mutating func settle(on lag: Int64, at arrival: Int64) {
        if let usual, usual.lag - lag > Self.advance { credit += usual.lag - lag }
        usual = (lag, arrival)
        isKnown = true
    }

    private mutating func decide(on common: Int64, usual known: Int64, at arrival: Int64) -> Verdict {
        firstAside = nil
        slots = Slots()
        let missing = common - known - credit
        guard missing >= threshold else {
            // The server is back at its old ways, and nothing was lost.
            credit = max(0, credit - (common - known))
            usual = (common, arrival)
            return .whole
        }
        credit = 0
        usual = (common - missing, arrival)
        return .lost(nanoseconds: missing)
    }
}
