// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioDevices

/// Something that happened to a recording besides sound.
public enum RecorderEvent: Sendable {
    /// Something at the device.
    case capture(CaptureEvent)
    /// A sink gets no more; the others go on.
    case sinkFailed(name: String, SinkFailure)
    /// Nothing is taken until ``resumed``.
    case paused
    /// Sound is taken again.
    case resumed
    /// Everything is written and closed.
    case finished(RecordingSummary)
}
