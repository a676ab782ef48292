// SPDX-License-Identifier: Apache-2.0

public import AudioDevices
public import AudioMetadata

/// A recording event other than audio.
public enum RecorderEvent: Sendable {
    /// An event of the device.
    case capture(CaptureEvent)
    /// An event of one of several sources.
    case source(name: String, CaptureEvent)
    /// The named sink has failed and receives nothing more. Other sinks continue.
    case sinkFailed(name: String, DeviceError)
    /// Audio is skipped until ``resumed``.
    case paused
    /// Recording continues after a pause.
    case resumed
    /// The new target bit rate, in bits per second.
    case bitRateChanged(Int)
    /// ``Recorder/addMark(_:)`` has added a mark.
    case marked(AudioTags.Chapter)
    /// All sinks are complete. The last event.
    case finished(RecordingSummary)
}
