// SPDX-License-Identifier: Apache-2.0

/// The time limits of a destination.
public struct StreamingLimits: Hashable, Sendable {
    /// The maximum duration of queued audio.
    ///
    /// Beyond it, the oldest access units are discarded.
    public var queueDuration = Duration.seconds(10)
    /// The timeout of each step: connecting, each server response and each send.
    public var step = Duration.seconds(10)
    /// The time for sending the remaining queue at the end of the stream.
    ///
    /// Keep it below ``/LiveAudio/RecorderConfiguration/sinkTimeout``.
    public var closing = Duration.seconds(4)
    /// The delay before the second connection attempt.
    public var shortestRetry = Duration.seconds(1)
    /// The longest delay between attempts.
    public var longestRetry = Duration.seconds(30)

    /// Creates limits with default values.
    public init() {}
}
