// SPDX-License-Identifier: Apache-2.0

/// The playout times of a stream, derived from packet arrival.
///
/// A packet with the minimum network delay is due ``latency`` after its arrival. To follow the sender's clock, the fastest packet in each
/// window of ``windowLength`` packets shifts the playout times by at most 1 ms.
package struct RTPPlayoutClock: Sendable {
    /// The number of packets from which the fastest one is chosen.
    private static let windowLength = 128
    /// The maximum shift per window.
    private static let maximumChange = Duration.milliseconds(1)
    /// The jump of timestamps, backwards or in excess of the elapsed time, after which the stream counts as restarted.
    private static let maximumJump = Duration.seconds(1)
    /// The duration of a run of late packets after which the network delay counts as changed.
    private static let maximumLateness = Duration.milliseconds(250)
    /// The decrease in lateness that shows that packets catch up, as in the burst after a stall.
    private static let catchUp = Duration.milliseconds(100)

    /// The time from the arrival of a fast packet to its playout.
    package let latency: Duration
    private let clockRate: Int
    /// A timestamp and its playout time.
    private var anchor: (time: Int64, due: Duration)?
    /// The latest timestamp since the start and its arrival.
    private var latest: (time: Int64, arrival: Duration)?
    private var margins: [Duration] = []
    /// The first packet of a run that is late and does not catch up.
    private var firstLate: (time: Int64, margin: Duration)?

    package init(latency: Duration, clockRate: Int) {
        self.latency = latency
        self.clockRate = clockRate
    }

    /// Extends a timestamp to 64 bits.
    package func extended(_ timestamp: UInt32) -> Int64 {
        guard let latest else { return Int64(timestamp) }
        return latest.time + Int64(Int32(bitPattern: timestamp &- UInt32(truncatingIfNeeded: latest.time)))
    }

    /// Returns whether a timestamp continues the previous ones.
    ///
    /// A delayed packet continues the stream, however late it is.
    package func continues(_ time: Int64, arrival: Duration) -> Bool {
        guard let latest, let due = due(time) else { return false }
        let jump = duration(time - latest.time)
        let isAhead = jump > arrival - latest.arrival + Self.maximumJump && due > arrival + latency + Self.maximumJump
        return jump >= .zero - Self.maximumJump && !isAhead
    }

    package mutating func start(_ time: Int64, arrival: Duration) {
        anchor = (time, arrival + latency)
        latest = (time, arrival)
        margins = []
        firstLate = nil
    }

    /// Updates the clock with the arrival of a packet that continues the stream.
    ///
    /// - Parameter time: The RTP timestamp, without wraparound.
    /// - Returns: Whether the clock started again, because all recent packets were late.
    package mutating func take(_ time: Int64, arrival: Duration) -> Bool {
        guard let latest, let margin = due(time).map({ $0 - arrival }) else { return false }
        if time > latest.time { self.latest = (time, arrival) }
        margins.append(margin)
        if margins.count == Self.windowLength { follow() }
        guard margin < .zero else {
            firstLate = nil
            return false
        }
        guard let firstLate, margin <= firstLate.margin + Self.catchUp else {
            firstLate = (time, margin)
            return false
        }
        guard duration(time - firstLate.time) > Self.maximumLateness else { return false }
        start(time, arrival: arrival)
        return true
    }

    /// Returns the playout time of a timestamp; `nil` before the first packet.
    package func due(_ time: Int64) -> Duration? {
        anchor.map { $0.due + duration(time - $0.time) }
    }

    private func duration(_ ticks: Int64) -> Duration { .seconds(Double(ticks) / Double(clockRate)) }

    /// Shifts the playout times towards the fastest packet.
    private mutating func follow() {
        defer { margins = [] }
        guard let fastest = margins.max(), let anchor else { return }
        let change = min(max(latency - fastest, .zero - Self.maximumChange), Self.maximumChange)
        self.anchor = (anchor.time, anchor.due + change)
    }
}
