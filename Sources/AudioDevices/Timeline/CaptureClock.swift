// SPDX-License-Identifier: Apache-2.0

/// Assigns host times to counted frames.
///
/// Counted frames never jitter. Each measured time moves the estimate by a fraction of the difference, so that it follows the drift of the
/// device's clock against the host's clock. The result never steps back.
struct CaptureClock {
    /// The fraction of the difference to a measured time that is corrected at once; with chunks of 20 ms, 1/64 has a time constant of 1.3 s.
    private static let correction = 1.0 / 64

    private var next = 0.0
    private var latest: Int64 = 0
    private var isAnchored = false

    /// The host time of the frame after the last one, in nanoseconds; nil before the first.
    var end: Int64? { isAnchored ? Int64(next) : nil }

    /// Advances by a run of frames.
    ///
    /// - Parameters:
    ///   - frames: The number of frames.
    ///   - sampleRate: The sample rate in hertz.
    ///   - measured: The measured host time of the first frame in nanoseconds; 0 if unknown.
    ///   - now: The current host time in nanoseconds; the end of the first run of a source without timing information.
    /// - Returns: The host time of the first frame in nanoseconds.
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

    /// Sets the host time of the next frame after a gap, in nanoseconds.
    mutating func anchor(at time: Int64) {
        isAnchored = true
        next = max(Double(time), Double(latest))
    }
}
