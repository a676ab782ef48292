// SPDX-License-Identifier: Apache-2.0

/// The state of a destination.
public enum StreamingState: Hashable, Sendable {
    /// Before the start.
    case idle
    /// A connection is being opened.
    case connecting
    /// Access units are sent as they come.
    case streaming
    /// The connection failed; the next attempt follows.
    case waiting
    /// The stream has ended.
    case finished
    /// The destination was given up.
    case failed(StreamingError)
}

/// An event of a destination.
public enum StreamingEvent: Hashable, Sendable {
    /// The stream has started, or continues after a failure, with the `number`-th connection.
    case connected(number: Int)
    /// The connection failed or could not be opened; the next attempt follows after `retry`.
    case disconnected(StreamingError, retry: Duration)
    /// Access units were discarded: the queue was full, or the stream ended before they could be sent.
    case lost(unitCount: Int)
    /// The destination was given up: its first connection failed for a reason that another attempt would meet again, or the stream ended
    /// before there was a connection.
    case failed(StreamingError)
    /// The stream has ended.
    case finished
}

/// Counts of a destination since its start.
public struct StreamingStatistics: Hashable, Sendable {
    /// The access units that were sent, without those that have to be sent again.
    public var sentUnitCount = 0
    /// The bytes of these access units, without what the protocol adds.
    public var sentByteCount = 0
    /// The access units that were discarded.
    public var lostUnitCount = 0
    /// The connections that were opened.
    public var connectionCount = 0
    /// The audio that waits to be sent, or of which the arrival is not confirmed.
    public var queuedDuration = Duration.zero
    /// The bytes of this audio.
    public var queuedByteCount = 0

    /// Creates counts of nothing.
    package init() {}
}
