// SPDX-License-Identifier: Apache-2.0

/// The state of a capture.
public enum CaptureState: Hashable, Sendable {
    /// Never started.
    case idle
    /// The device is being opened for the first time.
    case starting
    /// Audio arrives.
    case running
    /// The device delivers no audio.
    case interrupted(InterruptionReason)
    /// The device is being reopened.
    case reconfiguring
    /// Stopped, with all captured audio delivered.
    case stopped
    /// Stopped by an error.
    case failed(DeviceError)
}
