// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Something that happened to a recording besides sound.
public enum CaptureEvent: Hashable, Sendable {
    /// Who muted.
    public enum MuteSource: Hashable, Sendable {
        /// This program, with ``AudioCapture/isMuted``.
        case program
        /// The system, at the device or at the stream.
        case system
    }

    /// Sound is about to arrive, in this format.
    case started(CaptureFormat)
    /// Sound comes another way, or could.
    case routeChanged(RouteChange)
    /// The device gives nothing for the moment.
    case interrupted(InterruptionReason)
    /// An interruption is over.
    case resumed
    /// The device gives another format from now on.
    case formatChanged(old: CaptureFormat, new: CaptureFormat)
    /// So many frames of time have no sound: filled with silence or left out, by ``CaptureConfiguration/gapPolicy``.
    case discontinuity(frames: Int)
    /// So many frames were lost because the receiver was too slow; their time is treated as any other gap.
    case overrun(frames: Int)
    /// Sound was muted or is heard again.
    case muted(Bool, by: MuteSource)
    /// The device is gone.
    case deviceLost(device: String)
    /// The device has given nothing for so many seconds, without saying why.
    case stalled(seconds: Double)
    /// The sound server is gone.
    case serverLost
    /// The sound server is back.
    case serverRestored
    /// Capture came to its end, and everything recorded has been delivered.
    case stopped
    /// Capture came to its end by an error.
    case failed(DeviceError)
}
