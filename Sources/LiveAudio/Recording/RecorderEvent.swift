// SPDX-License-Identifier: Apache-2.0

public import AudioDevices

/// An event of a recording other than audio.
public enum RecorderEvent: Sendable {
    /// An event of the device.
    case capture(CaptureEvent)
    /// The sink with this name has failed and receives nothing more; the others continue.
    case sinkFailed(name: String, DeviceError)
    /// Audio is left out until ``resumed``.
    case paused
    /// Audio is recorded again.
    case resumed
    /// The target bit rate has changed, to this number of bits per second.
    case bitRateChanged(Int)
    /// All sinks are complete. The last event.
    case finished(RecordingSummary)
}
