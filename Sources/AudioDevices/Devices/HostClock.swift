// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Dispatch

/// The system's monotonic clock, which all host times are measured with.
package enum HostClock {
    /// The current time in nanoseconds since an unspecified moment; `CLOCK_MONOTONIC` on Linux.
    package static var now: Int64 { Int64(truncatingIfNeeded: DispatchTime.now().uptimeNanoseconds) }

    /// Returns the time in nanoseconds after a duration; the last one that can be told if it is later.
    package static func time(after duration: Duration) -> Int64 {
        let (time, isLater) = now.addingReportingOverflow(duration.inNanoseconds)
        return isLater ? .max : time
    }

    /// Returns the length of `frames` sample frames at `sampleRate` hertz in nanoseconds, rounded to nearest.
    static func nanoseconds(ofFrames frames: Int, sampleRate: Int) -> Int64 {
        Int64((Double(frames) * 1e9 / Double(sampleRate)).rounded())
    }

    /// Returns the number of sample frames at `sampleRate` hertz that last `nanoseconds`, rounded to nearest.
    static func frames(inNanoseconds nanoseconds: Int64, sampleRate: Int) -> Int {
        Int((Double(nanoseconds) * Double(sampleRate) / 1e9).rounded())
    }
}
