// SPDX-License-Identifier: Apache-2.0

/// A capture event other than audio.
public enum CaptureEvent: Hashable, Sendable {
    /// The originator of a mute.
    public enum MuteSource: Hashable, Sendable {
        /// The program, through ``AudioCapture/isMuted``.
        case program
        /// The system, at the device or the stream.
        case system
    }

    /// The capture has started with this format.
    case started(CaptureFormat)
    /// The captured device, the default device or the available devices have changed.
    case routeChanged(RouteChange)
    /// The device delivers no audio until ``resumed``.
    case interrupted(InterruptionReason)
    /// The system has ended an interruption, and recommends whether to resume.
    ///
    /// With ``CaptureConfiguration/RecoveryPolicy/automatic`` the capture resumes in both cases. iOS does not report the end of every
    /// interruption.
    case interruptionEnded(shouldResume: Bool)
    /// Audio arrives again after an interruption.
    case resumed
    /// The device has switched to another format.
    case formatChanged(old: CaptureFormat, new: CaptureFormat)
    /// Frames are missing; ``CaptureConfiguration/gapPolicy`` decides whether silence fills the gap.
    case discontinuity(frames: Int)
    /// Frames were lost because the receiver was too slow. They are treated like any other gap.
    case overrun(frames: Int)
    /// The audio was muted or unmuted.
    case muted(Bool, by: MuteSource)
    /// The device with this identifier is gone.
    case deviceLost(device: String)
    /// The device has delivered nothing for this time, without a notice.
    case stalled(for: Duration)
    /// The device has delivered only zeros for this time since it was opened: it is muted, or the system denies access without an error.
    case silent(for: Duration)
    /// The capture continues without the requested echo cancellation because of this error.
    case echoCancellationUnavailable(DeviceError)
    /// The connection to the sound server was lost.
    case serverLost
    /// The connection to the sound server was restored.
    case serverRestored
    /// The capture has ended, and all captured audio has been delivered. The last event of a capture that did not fail.
    case stopped
    /// The capture has ended with an error. The last event of a failed capture.
    case failed(DeviceError)
}
