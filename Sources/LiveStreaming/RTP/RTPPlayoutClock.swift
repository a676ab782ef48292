// SPDX-License-Identifier: Apache-2.0

/// The times at which the audio of a stream is due, by the arrival of its packets.
///
/// A packet that travels as fast as any is due ``latency`` after it arrives. The fastest of each ``windowLength`` packets moves the times, so that
/// they follow the sender's clock, by at most 1 ms a time.
package struct RTPPlayoutClock: Sendable {
    /// The packets of which the fastest decides.
    private static let windowLength = 128
    /// The largest change of the times for each window.
    private static let largestChange = Duration.milliseconds(1)
    /// The difference between the time stamps and the arrival of packets from which on the stream counts as started anew.
    private static let largestDifference = Duration.seconds(1)

    /// The time from the arrival of a fast packet to its playback.
    package let latency: Duration
    private let clockRate: Int
    /// The time at which a time stamp is due.
    private var anchor: (time: Int64, due: Duration)?
    private var slacks: [Duration] = []

    /// Creates a clock.
    package init(latency: Duration, clockRate: Int) {
        self.latency = latency
        self.clockRate = clockRate
    }

    /// Takes a packet that has arrived.
    ///
    /// - Parameters:
    ///   - time: Its time stamp, counted without wrapping.
    ///   - arrival: The time of its arrival.
    /// - Returns: Whether the times started anew, because the time stamp does not go with the ones before.
    package mutating func take(_ time: Int64, arrival: Duration) -> Bool {
        if let slack = due(time).map({ $0 - arrival }), slack <= latency + Self.largestDifference, slack >= .zero - Self.largestDifference {
            slacks.append(slack)
            if slacks.count == Self.windowLength { follow() }
            return false
        }
        anchor = (time, arrival + latency)
        slacks = []
        return true
    }

    /// Returns the time at which a time stamp is due; nil before the first packet.
    package func due(_ time: Int64) -> Duration? {
        anchor.map { $0.due + .seconds(Double(time - $0.time) / Double(clockRate)) }
    }

    /// Moves the times towards those of the fastest packet.
    private mutating func follow() {
        defer { slacks = [] }
        guard let fastest = slacks.max(), let anchor else { return }
        let change = min(max(latency - fastest, .zero - Self.largestChange), Self.largestChange)
        self.anchor = (anchor.time, anchor.due + change)
    }
}
