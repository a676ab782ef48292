// SPDX-License-Identifier: Apache-2.0

/// The reason why a running device delivers no audio.
public enum InterruptionReason: Hashable, Sendable {
    /// The system suspended the device.
    case deviceSuspended
    /// The system needs the device for another program.
    case requestedByOther
    /// The device was lost.
    case deviceLost
    /// The connection to the sound server was lost.
    case serverLost
    /// The device delivered nothing for ``CaptureConfiguration/stallTimeout``, without a notice.
    case stalled
    /// The device has changed its format and is reopened.
    case formatChanged
    /// The captured program does not run, or plays nothing. The capture waits, whatever its recovery policy.
    case programNotPlaying
}

/// A message of a backend other than audio.
public enum BackendNotice: Hashable, Sendable {
    /// The device delivers nothing until ``resumed``. The backend calls ``CaptureInput/writeBreak()`` before that notice.
    case suspended(InterruptionReason)
    /// The device delivers audio again.
    case resumed
    /// The stream was moved to another device.
    case moved(id: String, name: String)
    /// The route changed for a reason given by the system. The stream now comes from this device, which may be the same as before.
    ///
    /// The sample format is unchanged. The native sample rate in hertz and the buffer size in frames are `nil` if unknown or unchanged.
    /// After a rate change without audio, the capture reopens the device.
    case routeChanged(RouteChangeReason, id: String, name: String, nativeSampleRate: Int? = nil, bufferFrames: Int? = nil)
    /// The system's default input has changed.
    case defaultChanged(id: String)
    /// The system's default output has changed; reported while a monitor is captured.
    case defaultOutputChanged(id: String)
    /// A device was added.
    case deviceAdded(id: String)
    /// A device was removed.
    case deviceRemoved(id: String)
    /// The system muted or unmuted the device or the stream.
    case muted(Bool)
    /// The stream has ended because the system took the device. The capture tries to reopen it.
    case interrupted(InterruptionReason)
    /// An interruption has ended; `shouldResume` is the system's recommendation.
    case interruptionEnded(shouldResume: Bool)
    /// A previously unavailable device may be available. The capture tries to open it at once.
    case available
    /// The stream has ended because its device has changed its format.
    case formatInvalid
    /// The stream has started without the requested echo cancellation.
    case echoCancellationUnavailable(DeviceError)
    /// The stream has ended because its device is gone.
    case deviceLost
    /// The stream has ended because the sound server is gone.
    case serverLost
    /// The source has ended. No more audio follows.
    case ended
    /// The stream has ended with an error.
    case failed(DeviceError)
}
