// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Chooses the bit rate of a live stream from the queues of its destinations: down at once when a link can't carry it, up slowly.
///
/// A queue that grows beyond a limit shows that the rate exceeds the link's, which is then measured by the bytes that arrive. The rate falls
/// to a part of it, so that the queue empties. When all queues are short again it rises step by step: soon up to the measured rate of the
/// link, and beyond it after a pause that doubles each time that the link turns out to be no faster.
///
///     rate ─┐  queue above the limit                    ┌─ tries more: the pause doubles if the queue grows
///           │                 ┌─ up to the link's rate ─┘
///           └─ queue empties ─┘
///
/// It reads no clock, so that simulations can run it.
package struct AdaptiveBitRate {
    /// The rates.
    let ladder: BitRateLadder
    /// The index of the current rate.
    private var index: Int
    /// The monitors of the destinations, in the order of the samples.
    private var links: [LinkMonitor]
    /// The rate of the slowest link when the rate was last lowered, in bits per second; nil if faster rates than it have worked since.
    private var measuredRate: Double?
    /// The time from which on all queues have been short; nil while one isn't.
    private var clearTime: Double?
    /// The time of the last change.
    private var changeTime = -Double.infinity
    /// The time when the rate was last lowered.
    private var lowerTime = -Double.infinity
    /// The pause after ``lowerTime`` before a rate beyond the measured one, in seconds.
    private var trialPause = Self.shortestTrialPause

    /// Creates a controller.
    ///
    /// - Parameters:
    ///   - range: The lowest and the highest rate, in bits per second.
    ///   - bitRate: The rate of the stream at the start.
    ///   - linkCount: The number of destinations.
    package init(_ range: ClosedRange<Int>, bitRate: Int, linkCount: Int) {
        ladder = BitRateLadder(range)
        index = ladder.index(notAbove: Double(bitRate))
        links = [LinkMonitor](repeating: LinkMonitor(), count: linkCount)
    }

    /// The current rate, in bits per second.
    package var bitRate: Int { ladder.rates[index] }

    /// Takes a sample of all destinations and returns the rate from now on.
    ///
    /// Destinations that are not streaming don't count.
    ///
    /// - Parameters:
    ///   - samples: The counts of each destination; nil for one that is not streaming.
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

    /// Lowers the rate below that of the slowest link.
    private mutating func lower(_ throughput: Double, at time: Double) {
        let isKnown = measuredRate.map { ($0 / Self.sameRate...$0 * Self.sameRate).contains(throughput) } ?? false
        trialPause = isKnown ? min(2 * trialPause, Self.longestTrialPause) : Self.shortestTrialPause
        measuredRate = throughput
        lowerTime = time
        let share = isKnown ? Self.safeShare : Self.loweredShare
        move(to: max(0, min(index - 1, ladder.index(notAbove: throughput * share))), at: time)
    }

    /// Raises the rate by a step if it has been stable long enough.
    private mutating func considerRise(stableSeconds: Double, at time: Double) {
        if let measuredRate, Double(bitRate) > measuredRate * Self.sameRate, stableSeconds >= Self.provenSeconds {
            self.measuredRate = nil
            trialPause = Self.shortestTrialPause
        }
        guard index + 1 < ladder.rates.count else { return }
        let isSafe = measuredRate.map { Double(ladder.rates[index + 1]) <= $0 * Self.safeShare } ?? false
        guard isSafe || time - lowerTime >= trialPause else { return }
        if stableSeconds >= (isSafe ? Self.stepPause : Self.provenSeconds) { move(to: index + 1, at: time) }
    }

    /// Changes the rate; what was measured before no longer counts.
    private mutating func move(to newIndex: Int, at time: Double) {
        guard newIndex != index else { return }
        index = newIndex
        changeTime = time
        for link in links.indices { links[link].restart() }
    }

    // The constants are set by simulation (AdaptiveBitRateTests): links of constant capacity, 35 to 95 % of the highest rate, for 20 minutes; falls of
    // 10 s to 10 minutes to 30 to 80 %; and capacities that jump at random. With these values 91 % of a constant capacity are used at the
    // mean and 87 % at least, with 26 changes in 18 minutes; the highest rate returns after at most 137 s.

    /// The queue below which the rate may rise, in seconds: with 0.3 s it returns after 156 s, with 1.2 s there are up to 64 changes, not 33.
    private static let shortQueue = 0.75

    /// The part of the link's rate that the rate falls to: with 0.95 it returns after 157 s, and queues on random links are 0.4 s longer; with
    /// 0.7 there are 66 changes in ten minutes on these, not 58.
    private static let loweredShare = 0.85

    /// The part of the link's rate up to which the rate rises soon, and to which it falls after a trial: with 0.9 only 82 % of some links
    /// are used.
    ///
    /// The throughput is not known better than to 4 % (``LinkMonitor/window``).
    private static let safeShare = 0.95

    /// The ratio up to which two measurements are the same rate of a link: less than a step of the ladder.
    ///
    /// With 1.3 random links are used to 59 % at least, not 62 %.
    private static let sameRate = 1.15

    /// The pause before a step up to the link's rate, in seconds: with 5 s there are up to 39 changes, not 33, because some steps follow others.
    private static let stepPause = 2.0

    /// The time for which a rate above the measured one has to be stable to prove that the link has become faster, and before a higher one, in
    /// seconds: with 5 s there are up to 58 changes, not 33; with 12 s the highest rate returns after 171 s.
    private static let provenSeconds = 8.0

    /// The shortest pause before a rate beyond the link's, in seconds: with 30 s random links are used to 69 % at the mean, not 75 %.
    private static let shortestTrialPause = 10.0

    /// The longest pause before a rate beyond the link's, in seconds: with 30 s there are up to 97 changes, not 33; with 300 s the highest rate
    /// returns after 195 s.
    private static let longestTrialPause = 120.0
}

extension LinkMonitor {
    /// The queue above which a link is congested unless it is shrinking, in seconds: with 1 s there are 65 changes in ten minutes on random
    /// links, not 58.
    private static let longQueue = 1.5

    /// The part of the throughput by which a queue has to shrink: with 0.15 the rate falls further than it has to, and returns after 179 s even
    /// from a fall of 10 s.
    private static let leastShrinking = 0.05

    /// Whether the queue is long and doesn't shrink.
    var isCongested: Bool {
        guard isReliable, let queuedSeconds, queuedSeconds > Self.longQueue else { return false }
        return queueGrowth > -Self.leastShrinking * throughput
    }
}
