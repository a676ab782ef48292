// SPDX-License-Identifier: Apache-2.0

/// Detects frames lost between two calls of an audio unit, from sample times and host times.
///
/// Sample times include lost cycles, so a jump means a loss. However, some units count hardware frames instead of delivered frames, and the
/// count restarts when the machine wakes. A jump therefore counts only if the host time has jumped equally.
package struct SampleTimeTracker {
    /// The frames lost before a call.
    package enum Loss: Equatable {
        case none
        case frames(Int)
        /// An unknown number, possibly zero.
        case unknown
    }

    /// The maximum difference between two equal jumps, in seconds: the inaccuracy of host times.
    private static let tolerance = 0.02
    /// The maximum jump that counts as a loss, in seconds.
    ///
    /// A longer jump is a restarted count.
    private static let maximumLossDuration = 10.0

    private let sampleRate: Double
    private var expectedSample: Double?
    private var expectedHost: Int64 = 0
    /// The number of consecutive calls whose sample time jumped without the host time.
    private var mismatches = 0

    /// Creates a tracker for a unit that delivers `sampleRate` frames per second.
    package init(sampleRate: Double) { self.sampleRate = sampleRate }

    /// Whether the unit's count differs from the delivered frames.
    private var countsOtherFrames: Bool { mismatches >= 2 }

    /// Returns the frames lost before a call.
    ///
    /// Real-time safe.
    ///
    /// - Parameters:
    ///   - sampleTime: The first frame's number.
    ///   - hostTime: The first frame's time, in nanoseconds.
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
        guard seconds > 0, seconds < Self.maximumLossDuration else { return .unknown }
        if hostJump >= seconds / 2, (hostJump - seconds).magnitude <= Self.tolerance { return .frames(Int(sampleJump.rounded())) }
        if hasJumped { return .unknown }
        mismatches += 1
        return .none
    }
}
