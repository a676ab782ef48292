// SPDX-License-Identifier: Apache-2.0

/// The time limits of a destination.
public struct StreamingLimits: Hashable, Sendable {
    /// The audio that may wait for the network; beyond it, the oldest access units are discarded.
    public var queueDuration = Duration.seconds(10)
    /// The time for each step: connecting, each answer of the server, and each sending.
    public var step = Duration.seconds(10)
    /// The time for the end: what is queued is sent within it.
    ///
    /// Below ``/LiveAudio/RecorderConfiguration/sinkTimeout``.
    public var closing = Duration.seconds(4)
    /// The time until the second attempt to connect.
    public var shortestRetry = Duration.seconds(1)
    /// The longest time between attempts.
    public var longestRetry = Duration.seconds(30)

    /// Creates limits with default values.
    public init() {}
}
