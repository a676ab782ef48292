// SPDX-License-Identifier: Apache-2.0

/// An event of a capture other than audio.
public enum CaptureEvent: Hashable, Sendable {
    /// The originator of a mute.
    public enum MuteSource: Hashable, Sendable {
        /// The program, with ``AudioCapture/isMuted``.
        case program
        /// The system, at the device or the stream.
        case system
    }

    /// Audio is about to arrive, in this format.
    case started(CaptureFormat)
    /// The device captured from changed, or the devices that could be.
    case routeChanged(RouteChange)
    /// The device delivers nothing until ``resumed``.
    case interrupted(InterruptionReason)
    /// The system has ended an interruption, and advises to resume or not to.
    ///
    /// With ``CaptureConfiguration/RecoveryPolicy/automatic`` capture resumes in both cases. iOS does not report the end of every
    /// interruption.
    case interruptionEnded(shouldResume: Bool)
    /// Audio arrives again after an interruption.
    case resumed
    /// The device delivers another format from now on.
    case formatChanged(old: CaptureFormat, new: CaptureFormat)
    /// This number of frames is missing: filled with silence or left out, as ``CaptureConfiguration/gapPolicy`` says.
    case discontinuity(frames: Int)
    /// This number of frames was lost because the receiver was too slow; they are treated like any other gap.
    case overrun(frames: Int)
    /// The audio was muted or unmuted.
    case muted(Bool, by: MuteSource)
    /// The device with this identifier is gone.
    case deviceLost(device: String)
    /// The device has delivered nothing for this time, without a notice.
    case stalled(for: Duration)
    /// The device has delivered only zeros for this time since it was opened: it is muted, or the system denies access without an error.
    case silent(for: Duration)
    /// Capture goes on without the echo cancellation that was asked for, because of this error.
    case echoCancellationUnavailable(DeviceError)
    /// The sound server is gone.
    case serverLost
    /// The sound server is back.
    case serverRestored
    /// Capture has ended, and all captured audio has been delivered. The last event of a capture, unless it failed.
    case stopped
    /// Capture has ended with an error. The last event of a capture that failed.
    case failed(DeviceError)
}
