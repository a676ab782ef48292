// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Chooses the bit rate of a live stream from the queues of its destinations.
///
/// Lowers it at once when a link is too slow, raises it slowly. A queue longer than a limit shows that the rate exceeds the link's
/// capacity, which is then measured from the delivered bytes. The rate drops to a fraction of the measured throughput so that the queue
/// drains. When all queues are short again, the rate rises step by step: soon up to the measured throughput, and beyond it after a pause.
/// The pause doubles each time the link turns out to be no faster.
///
///     rate ─┐  queue above the limit                   ┌─ trial: the pause doubles if the queue grows
///           │               ┌─ up to the link's rate ──┘
///           └─ queue drains ┘
///
/// Takes the time as an argument, so that simulations can run it.
package struct AdaptiveBitRate {
    let ladder: BitRateLadder
    private var index: Int
    /// One monitor per destination, in the order of the samples.
    private var links: [LinkMonitor]
    /// The slowest link's throughput when the rate was last lowered, in bits per second; `nil` after a higher rate has worked.
    private var measuredRate: Double?
    /// The time since which all queues have been short; `nil` while one is not.
    private var clearTime: Double?
    private var changeTime = -Double.infinity
    private var lowerTime = -Double.infinity
    /// The pause between ``lowerTime`` and a rate above the measured one, in seconds.
    private var trialPause = Self.minimumTrialPause

    /// Creates a controller.
    ///
    /// - Parameters:
    ///   - range: The lowest and the highest rate, in bits per second.
    ///   - bitRate: The stream's initial rate.
    package init(_ range: ClosedRange<Int>, bitRate: Int, linkCount: Int) {
        ladder = BitRateLadder(range)
        index = ladder.index(notAbove: Double(bitRate))
        links = [LinkMonitor](repeating: LinkMonitor(), count: linkCount)
    }

    /// The current rate, in bits per second.
    package var bitRate: Int { ladder.rates[index] }

    /// Adds a sample of all destinations and returns the new rate.
    ///
    /// Ignores destinations that are not streaming.
    ///
    /// - Parameters:
    ///   - samples: Each destination's counts; `nil` if it is not streaming.
    ///   - time: The time in seconds, from any origin.
    package mutating func update(_ samples: [StreamingStatistics?], at time: Double) -> Int {
        for (index, sample) in samples.enumerated() { links[index].add(sample, at: time) }
        let queues = links.compactMap(\.queuedSeconds)
        let isClear = !queues.isEmpty && queues.allSatisfy { $0 < Self.shortQueue }
        if !isClear { clearTime = nil } else if clearTime == nil { clearTime = time }
        if let throughput = links.filter(\.isCongested).map(\.throughput).min() {
            lower(throughput, at: time)
        } else if let clearTime {
            considerRise(stableSeconds: time - max(clearTime, changeTime), at: time)
        }
        return bitRate
    }

    /// Lowers the rate below the slowest link's throughput.
    private mutating func lower(_ throughput: Double, at time: Double) {
        let isKnown = measuredRate.map { ($0 / Self.sameRate...$0 * Self.sameRate).contains(throughput) } ?? false
        trialPause = isKnown ? min(2 * trialPause, Self.maximumTrialPause) : Self.minimumTrialPause
        measuredRate = throughput
        lowerTime = time
        let share = isKnown ? Self.safeFraction : Self.loweredFraction
        move(to: max(0, min(index - 1, ladder.index(notAbove: throughput * share))), at: time)
    }

    /// Raises the rate by a step if it has been stable long enough.
    private mutating func considerRise(stableSeconds: Double, at time: Double) {
        if let measuredRate, Double(bitRate) > measuredRate * Self.sameRate, stableSeconds >= Self.provenSeconds {
            self.measuredRate = nil
            trialPause = Self.minimumTrialPause
        }
        guard index + 1 < ladder.rates.count else { return }
        let isSafe = measuredRate.map { Double(ladder.rates[index + 1]) <= $0 * Self.safeFraction } ?? false
        guard isSafe || time - lowerTime >= trialPause else { return }
        if stableSeconds >= (isSafe ? Self.stepPause : Self.provenSeconds) { move(to: index + 1, at: time) }
    }

    /// Changes the rate and discards earlier measurements.
    private mutating func move(to newIndex: Int, at time: Double) {
        guard newIndex != index else { return }
        index = newIndex
        changeTime = time
        for link in links.indices { links[link].restart() }
    }

    // The constants were tuned by simulation (AdaptiveBitRateTests) of 20 minutes on links with a constant capacity of 35 to 95 % of the
    // highest rate, drops to 30 to 80 % for 10 s to 10 minutes, and capacities that jump at random. With these values the stream uses 91 %
    // of a constant capacity on average and at least 87 %, with 26 changes in 18 minutes. The highest rate returns after at most 137 s.

    /// The queue below which the rate may rise, in seconds.
    ///
    /// With 0.3 s the highest rate returns after 156 s; with 1.2 s there are up to 64 changes instead of 33.
    private static let shortQueue = 0.75

    /// The fraction of the throughput to which the rate drops.
    ///
    /// With 0.95 the highest rate returns after 157 s and queues on random links are 0.4 s longer. With 0.7 random links see 66 changes in
    /// ten minutes instead of 58.
    private static let loweredFraction = 0.85

    /// The fraction of the throughput up to which the rate rises soon, and to which it drops after a trial.
    ///
    /// With 0.9 some links are used to only 82 %. The throughput is accurate only to 4 % (``LinkMonitor/window``).
    private static let safeFraction = 0.95

    /// The ratio within which two measurements count as the same throughput: less than a step of the ladder.
    ///
    /// With 1.3 random links are used to at least 59 % instead of 62 %.
    private static let sameRate = 1.15

    /// The pause before a step up to the throughput, in seconds.
    ///
    /// With 5 s there are up to 39 changes instead of 33, because some steps follow others.
    private static let stepPause = 2.0

    /// The time that a rate above the measured one must be stable before the link counts as faster and the rate may rise again, in seconds.
    ///
    /// With 5 s there are up to 58 changes instead of 33; with 12 s the highest rate returns after 171 s.
    private static let provenSeconds = 8.0

    /// The shortest pause before a rate above the throughput, in seconds.
    ///
    /// With 30 s random links are used to 69 % on average instead of 75 %.
    private static let minimumTrialPause = 10.0

    /// The longest pause before a rate above the throughput, in seconds.
    ///
    /// With 30 s there are up to 97 changes instead of 33; with 300 s the highest rate returns after 195 s.
    private static let maximumTrialPause = 120.0
}

extension LinkMonitor {
    /// The queue above which a link is congested unless the queue is shrinking, in seconds.
    ///
    /// With 1 s random links see 65 changes in ten minutes instead of 58.
    private static let longQueue = 1.5

    /// The fraction of the throughput that a queue must shrink by.
    ///
    /// With 0.15 the rate drops further than necessary, and the highest rate returns after 179 s even after a drop of 10 s.
    private static let minimumShrinking = 0.05

    /// Whether the queue is long and is not shrinking.
    var isCongested: Bool {
        guard isReliable, let queuedSeconds, queuedSeconds > Self.longQueue else { return false }
        return queueGrowth > -Self.minimumShrinking * throughput
    }
}
