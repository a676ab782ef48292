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
    /// Nothing is recorded until the audio exceeds ``RecorderConfiguration/startLevel``; false when it does.
    case waitingForLevel(Bool)
    /// A file was created whose name is chosen during the recording; `time` is the capture time of its first frame, since 1970.
    case fileStarted(path: String, time: Duration)
    /// Such a file is complete; `start` is its first frame's position in the recording.
    case fileFinished(path: String, start: Duration, duration: Duration)
    /// All sinks are complete. The last event.
    case finished(RecordingSummary)
}
