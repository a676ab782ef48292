// SPDX-License-Identifier: Apache-2.0

/// Assigns host times to counted frames.
///
/// Counted frames never jitter. Each measured time corrects a fraction of the difference, so that the estimate follows the drift between
/// device clock and host clock. The result never steps back.
struct CaptureClock {
    /// The fraction of the difference that a measured time corrects.
    ///
    /// With chunks of 20 ms, 1/64 gives a time constant of 1.3 s.
    private static let correction = 1.0 / 64

    private var next = 0.0
    private var latest: Int64 = 0
    private var isAnchored = false

    /// The next frame's host time, in nanoseconds; `nil` before the first frame.
    var end: Int64? { isAnchored ? Int64(next) : nil }

    /// Advances by a run of frames.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - measured: The first frame's measured host time in nanoseconds; 0 if unknown.
    ///   - now: The current host time in nanoseconds. Without timing information it is the end of the first run.
    /// - Returns: The first frame's host time, in nanoseconds.
    mutating func advance(frames: Int, sampleRate: Int, measured: Int64, now: Int64) -> Int64 {
        let length = Double(frames) * 1e9 / Double(sampleRate)
        if !isAnchored {
            isAnchored = true
            next = measured != 0 ? Double(measured) : Double(now) - length
        } else if measured != 0 {
            next += (Double(measured) - next) * Self.correction
        }
        latest = max(latest, Int64(next))
        next += length
        return latest
    }

    /// Sets the next frame's host time after a gap, in nanoseconds.
    mutating func anchor(at time: Int64) {
        isAnchored = true
        next = max(Double(time), Double(latest))
    }
}
