// SPDX-License-Identifier: Apache-2.0

/// A point in time or a time span as a whole number of ticks, exact for any sample rate.
///
/// Comparisons are exact across timescales: 1/2 s equals 24000/48000 s.
public struct MediaTime: Sendable {
    /// The number of ticks.
    public var value: Int64

    /// The number of ticks per second, at least 1.
    public var timescale: Int32 {
        didSet { precondition(timescale > 0, "timescale must be positive") }
    }

    /// Creates a time of `value` ticks of 1/`timescale` s.
    public init(value: Int64, timescale: Int32) {
        precondition(timescale > 0, "timescale must be positive")
        self.value = value
        self.timescale = timescale
    }

    /// The time as a duration, rounded to the precision of a Double.
    public var duration: Duration { .seconds(seconds) }

    package var seconds: Double { Double(value) / Double(timescale) }

    /// Returns the time `frames` sample frames later, if the timescale is the sample rate.
    public func advanced(byFrames frames: Int) -> MediaTime {
        MediaTime(value: value + Int64(frames), timescale: timescale)
    }
}

extension MediaTime: Comparable, Hashable {
    /// Returns whether two times are equal, whatever their timescales.
    public static func == (left: MediaTime, right: MediaTime) -> Bool { crossProducts(left, right, ==) }

    /// Returns whether a time precedes another time, whatever their timescales.
    public static func < (left: MediaTime, right: MediaTime) -> Bool { crossProducts(left, right, <) }

    /// Hashes the reduced fraction, which equal times share.
    public func hash(into hasher: inout Hasher) {
        var (divisor, remainder) = (UInt64(timescale), value.magnitude)
        while remainder != 0 { (divisor, remainder) = (remainder, divisor % remainder) }
        hasher.combine(value / Int64(divisor))
        hasher.combine(Int64(timescale) / Int64(divisor))
    }

    /// Compares two times on the product of their timescales.
    private static func crossProducts(_ left: MediaTime, _ right: MediaTime, _ isOrdered: ((Int64, UInt64), (Int64, UInt64)) -> Bool)
        -> Bool
    {
        let a = left.value.multipliedFullWidth(by: Int64(right.timescale))
        let b = right.value.multipliedFullWidth(by: Int64(left.timescale))
        return isOrdered((a.high, a.low), (b.high, b.low))
    }
}
