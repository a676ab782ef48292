// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Where capture stands.
///
/// There is one such value, and it never lies.
public enum CaptureState: Hashable, Sendable {
    /// Never started.
    case idle
    /// The device is being opened for the first time.
    case starting
    /// Sound arrives.
    case running
    /// The device gives nothing for the moment.
    case interrupted(InterruptionReason)
    /// The device is being opened anew.
    case reconfiguring
    /// Stopped; everything recorded has been delivered.
    case stopped
    /// Stopped by an error.
    case failed(DeviceError)
}

/// Why a running device gives nothing.
public enum InterruptionReason: Hashable, Sendable {
    /// The system suspended the device.
    case deviceSuspended
    /// The system asked for the device on behalf of another program.
    case requestedByOther
    /// The device is gone.
    case deviceLost
    /// The sound server is gone.
    case serverLost
    /// The device gave nothing for too long, without saying why.
    case stalled
}
