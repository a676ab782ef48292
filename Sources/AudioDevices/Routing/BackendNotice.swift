// SPDX-License-Identifier: Apache-2.0

/// The reason that a running device delivers no audio.
public enum InterruptionReason: Hashable, Sendable {
    /// The system suspended the device.
    case deviceSuspended
    /// The system requested the device for another program.
    case requestedByOther
    /// The device is gone.
    case deviceLost
    /// The sound server is gone.
    case serverLost
    /// The device delivered nothing for ``CaptureConfiguration/stallTimeout``, without a notice.
    case stalled
    /// The device has another format now, and is reopened.
    case formatChanged
}

/// A message of a backend other than audio.
public enum BackendNotice: Hashable, Sendable {
    /// The device delivers nothing until ``resumed``, which a call of ``CaptureInput/writeBreak()`` precedes.
    case suspended(InterruptionReason)
    /// The device delivers audio again.
    case resumed
    /// The stream was moved to another device.
    case moved(id: String, name: String)
    /// The route changed for a reason that the system reported; the stream now comes from this device, possibly the same as before.
    ///
    /// The samples' format stays. The device's own sample rate in hertz and its buffer in frames are nil if they are unknown, or the same as
    /// before; after a change of the rate, capture reopens the device if nothing arrives any more.
    case routeChanged(RouteChangeReason, id: String, name: String, nativeSampleRate: Int? = nil, bufferFrames: Int? = nil)
    /// Another device is the system's default input now.
    case defaultChanged(id: String)
    /// Another device is the system's default output now; reported when a monitor is captured.
    case defaultOutputChanged(id: String)
    /// A device was added.
    case deviceAdded(id: String)
    /// A device was removed.
    case deviceRemoved(id: String)
    /// The system muted or unmuted the device or the stream.
    case muted(Bool)
    /// The stream has ended because the system took the device; capture tries to open it again.
    case interrupted(InterruptionReason)
    /// An interruption is over; the system advises to resume or not to.
    case interruptionEnded(shouldResume: Bool)
    /// A device that could not be opened may be available now: capture tries at once.
    case available
    /// The stream has ended because its device has another format now.
    case formatInvalid
    /// The stream has started without the echo cancellation that was asked for.
    case echoCancellationUnavailable(DeviceError)
    /// The stream has ended because its device is gone.
    case deviceLost
    /// The stream has ended because the sound server is gone.
    case serverLost
    /// The source has reached its end: nothing more will be written.
    case ended
    /// The stream has ended with an error.
    case failed(DeviceError)
}
