// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// A point or span of time as a whole number of ticks, exact for any sample rate.
public struct MediaTime: Hashable, Sendable {
    /// The number of ticks.
    public var value: Int64

    /// Ticks a second, at least 1.
    public var timescale: Int32

    /// Creates a time of `value` ticks of 1/`timescale` s.
    public init(value: Int64, timescale: Int32) {
        precondition(timescale > 0, "a timescale is positive")
        self.value = value
        self.timescale = timescale
    }

    /// The time as a duration, rounded to the precision of a Double.
    public var duration: Duration { .seconds(seconds) }

    /// The time in seconds, rounded to a Double.
    package var seconds: Double { Double(value) / Double(timescale) }

    /// The time `frames` sample frames later, for a rate that is the timescale.
    public func advanced(byFrames frames: Int) -> MediaTime {
        MediaTime(value: value + Int64(frames), timescale: timescale)
    }
}

extension MediaTime: Comparable {
    /// Compares exactly, whatever the timescales.
    public static func < (left: MediaTime, right: MediaTime) -> Bool {
        let a = left.value.multipliedFullWidth(by: Int64(right.timescale))
        let b = right.value.multipliedFullWidth(by: Int64(left.timescale))
        return (a.high, a.low) < (b.high, b.low)
    }
}
