// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import Dispatch

/// The system's monotonic clock, which every host time is read from.
public enum HostClock {
    /// Nanoseconds since some moment in the past; `CLOCK_MONOTONIC` on Linux.
    public static var now: Int64 { Int64(truncatingIfNeeded: DispatchTime.now().uptimeNanoseconds) }

    /// The length of `frames` at `sampleRate` in nanoseconds, rounded to nearest.
    static func nanoseconds(ofFrames frames: Int, sampleRate: Int) -> Int64 {
        Int64((Double(frames) * 1e9 / Double(sampleRate)).rounded())
    }

    /// How many frames at `sampleRate` last `nanoseconds`, rounded to nearest.
    static func frames(inNanoseconds nanoseconds: Int64, sampleRate: Int) -> Int {
        Int((Double(nanoseconds) * Double(sampleRate) / 1e9).rounded())
    }
}
