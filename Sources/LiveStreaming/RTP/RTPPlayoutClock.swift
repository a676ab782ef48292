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
    /// The deviation between timestamps and arrival beyond which the stream counts as restarted.
    private static let maximumDifference = Duration.seconds(1)

    /// The time from the arrival of a fast packet to its playout.
    package let latency: Duration
    private let clockRate: Int
    /// A timestamp and its playout time.
    private var anchor: (time: Int64, due: Duration)?
    private var margins: [Duration] = []

    package init(latency: Duration, clockRate: Int) {
        self.latency = latency
        self.clockRate = clockRate
    }

    /// Updates the clock with the arrival of a packet.
    ///
    /// - Parameters:
    ///   - time: The RTP timestamp, without wraparound.
    ///   - arrival: The arrival time.
    /// - Returns: Whether the clock restarted, because the timestamp does not continue the previous ones.
    package mutating func take(_ time: Int64, arrival: Duration) -> Bool {
        if let margin = due(time).map({ $0 - arrival }), margin <= latency + Self.maximumDifference,
            margin >= .zero - Self.maximumDifference
        {
            margins.append(margin)
            if margins.count == Self.windowLength { follow() }
            return false
        }
        anchor = (time, arrival + latency)
        margins = []
        return true
    }

    /// Returns the playout time of a timestamp; `nil` before the first packet.
    package func due(_ time: Int64) -> Duration? {
        anchor.map { $0.due + .seconds(Double(time - $0.time) / Double(clockRate)) }
    }

    /// Shifts the playout times towards the fastest packet.
    private mutating func follow() {
        defer { margins = [] }
        guard let fastest = margins.max(), let anchor else { return }
        let change = min(max(latency - fastest, .zero - Self.maximumChange), Self.maximumChange)
        self.anchor = (anchor.time, anchor.due + change)
    }
}
