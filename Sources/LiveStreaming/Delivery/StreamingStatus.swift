// SPDX-License-Identifier: Apache-2.0

/// The state of a destination.
public enum StreamingState: Hashable, Sendable {
    /// ``StreamingSink/begin(_:)`` has not been called.
    case idle
    /// A connection is being opened.
    case connecting
    /// Connected; access units are sent as they arrive.
    case streaming
    /// Waiting for the next attempt after a failed connection.
    case waiting
    /// The stream has ended.
    case finished
    /// The destination has failed permanently.
    case failed(StreamingError)
}

/// An event of a destination.
public enum StreamingEvent: Hashable, Sendable {
    /// The stream has started or resumed, on connection `number` (from 1).
    case connected(number: Int)
    /// The connection failed or could not be opened. The next attempt follows after `retry`.
    case disconnected(StreamingError, retry: Duration)
    /// Access units were discarded because the queue was full or the stream ended before they were sent.
    case lost(unitCount: Int)
    /// The destination has failed permanently: the first connection failed with a permanent error, the stream ended before any connection
    /// was established, or a folder does not have all access units at the end.
    case failed(StreamingError)
    /// The stream has ended.
    case finished
}

/// The counts of a destination since its start.
public struct StreamingStatistics: Hashable, Sendable {
    /// The number of sent access units, excluding those to be sent again.
    public var sentUnitCount = 0
    /// The payload bytes of these access units, without protocol overhead.
    public var sentByteCount = 0
    /// The number of discarded access units.
    public var lostUnitCount = 0
    /// The number of connections opened so far.
    public var connectionCount = 0
    /// The duration of audio that is queued or not confirmed as delivered.
    public var queuedDuration = Duration.zero
    /// The payload bytes of this audio.
    public var queuedByteCount = 0

    package init() {}
}
