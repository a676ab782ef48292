// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Dispatch

/// The system's monotonic clock, the base of all host times.
package enum HostClock {
    /// The current time in nanoseconds since an unspecified moment; `CLOCK_MONOTONIC` on Linux.
    package static var now: Int64 { Int64(truncatingIfNeeded: DispatchTime.now().uptimeNanoseconds) }

    /// Returns the time after a duration, in nanoseconds, clamped to `Int64.max`.
    package static func time(after duration: Duration) -> Int64 {
        let (time, isLater) = now.addingReportingOverflow(duration.inNanoseconds)
        return isLater ? .max : time
    }

    /// Returns the duration of `frames` at `sampleRate` hertz in nanoseconds, rounded to nearest.
    static func nanoseconds(ofFrames frames: Int, sampleRate: Int) -> Int64 {
        Int64((Double(frames) * 1e9 / Double(sampleRate)).rounded())
    }

    /// Returns the number of sample frames at `sampleRate` hertz in a duration, rounded to nearest.
    static func frames(inNanoseconds nanoseconds: Int64, sampleRate: Int) -> Int {
        Int((Double(nanoseconds) * Double(sampleRate) / 1e9).rounded())
    }
}
