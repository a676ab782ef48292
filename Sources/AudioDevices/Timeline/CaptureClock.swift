// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Turns counted frames into host time.
///
/// Frames are counted, not measured: that never jitters. Each measured time pulls the estimate a little, so that it follows the device's
/// clock against the system's; the result never steps back.
struct CaptureClock {
    /// How much of the distance to a measured time is gone at once; at 20 ms a run, 1/64 follows in about 1.3 s.
    private static let pull = 1.0 / 64

    private var next = 0.0
    private var latest: Int64 = 0
    private var isAnchored = false

    /// When the frame after the last one is heard, in nanoseconds; nil before the first.
    var end: Int64? { isAnchored ? Int64(next) : nil }

    /// The time of the first of `frames` frames, measured as `measured` if that isn't 0; `now` anchors a source without timing.
    mutating func advance(frames: Int, sampleRate: Int, measured: Int64, now: Int64) -> Int64 {
        let length = Double(frames) * 1e9 / Double(sampleRate)
        if !isAnchored {
            isAnchored = true
            next = measured != 0 ? Double(measured) : Double(now) - length
        } else if measured != 0 {
            next += (Double(measured) - next) * Self.pull
        }
        latest = max(latest, Int64(next))
        next += length
        return latest
    }

    /// Sets the time of the next frame anew, after a gap.
    mutating func anchor(at time: Int64) {
        isAnchored = true
        next = max(Double(time), Double(latest))
    }
}
