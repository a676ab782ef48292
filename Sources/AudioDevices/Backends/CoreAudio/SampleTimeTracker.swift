// SPDX-License-Identifier: Apache-2.0

/// Finds the frames that are missing between two calls of an audio unit, from their sample times and host times.
///
/// The sample time continues over cycles that were lost, so that a jump is a loss. Some units count frames of the hardware instead of those
/// that they deliver, and the count starts anew when a machine wakes: a jump is believed only if the host time has jumped as far.
package struct SampleTimeTracker {
    /// The frames that are missing before a call.
    package enum Loss: Equatable {
        case none
        case frames(Int)
        /// An unknown number, possibly none.
        case unknown
    }

    /// The largest difference of two jumps that count as the same, in seconds: the inaccuracy of host times.
    private static let tolerance = 0.02
    /// The longest jump that is a loss, in seconds; a longer one is a new count.
    private static let longestLoss = 10.0

    private let sampleRate: Double
    private var expectedSample: Double?
    private var expectedHost: Int64 = 0
    /// The number of calls in a row whose sample time jumped while the host time did not.
    private var mismatches = 0

    /// Creates a tracker for a unit that delivers `sampleRate` frames per second.
    package init(sampleRate: Double) { self.sampleRate = sampleRate }

    /// Whether the unit counts other frames than those that it delivers.
    private var countsOtherFrames: Bool { mismatches >= 2 }

    /// Accepts a call, and returns the frames that are missing before it.
    ///
    /// Real-time safe.
    ///
    /// - Parameters:
    ///   - sampleTime: The number of the first frame.
    ///   - hostTime: The time of the first frame in nanoseconds.
    ///   - frames: The number of frames.
    package mutating func accept(sampleTime: Double, hostTime: Int64, frames: Int) -> Loss {
        let sampleJump = sampleTime - (expectedSample ?? sampleTime)
        let hostJump = expectedSample == nil ? 0 : Double(hostTime - expectedHost) * 1e-9
        expectedSample = sampleTime + Double(frames)
        expectedHost = hostTime + Int64((Double(frames) * 1e9 / sampleRate).rounded())
        let hasJumped = hostJump.magnitude > Self.tolerance
        if countsOtherFrames { return hasJumped ? .unknown : .none }
        guard sampleJump.magnitude >= 1 else {
            mismatches = 0
            return .none
        }
        let seconds = sampleJump / sampleRate
        guard seconds > 0, seconds < Self.longestLoss else { return .unknown }
        if hostJump >= seconds / 2, (hostJump - seconds).magnitude <= Self.tolerance { return .frames(Int(sampleJump.rounded())) }
        if hasJumped { return .unknown }
        mismatches += 1
        return .none
    }
}
