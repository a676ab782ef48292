// SPDX-License-Identifier: Apache-2.0

public import AudioDevices
public import AudioPrimitives

/// The current or final state of a recording.
public struct RecordingSummary: Sendable {
    /// The number of sample frames recorded, at ``sampleRate``.
    public var frameCount = 0
    /// The sample rate of the recording in hertz.
    public var sampleRate = 0
    /// The number of sample frames in an access unit; 0 before the encoder exists.
    package var framesPerAccessUnit = 0
    /// The profile of the access units of AAC; nil for other codecs, and before the encoder exists.
    public var profile: AACProfile?
    /// The number of access units.
    public var accessUnitCount = 0
    /// The number of bytes in the access units.
    public var byteCount = 0
    /// The priming and padding of the access units; known at the end, if anything was encoded.
    public var gaplessInfo: GaplessInfo?
    /// The counts of the capture.
    public var capture = CaptureStatistics()
    /// The errors of failed sinks, by name; the first one of several with the same name.
    public var sinkFailures: [String: DeviceError] = [:]
    /// The error of the device or the encoder that ended the recording; nil if none did.
    public var failure: DeviceError?

    /// The length of the recording.
    public var duration: Duration { sampleRate > 0 ? .seconds(Double(frameCount) / Double(sampleRate)) : .zero }

    /// The average bit rate of the access units, in bits per second.
    public var bitRate: Double {
        guard accessUnitCount > 0, framesPerAccessUnit > 0 else { return 0 }
        return Double(byteCount) * 8 / Double(accessUnitCount * framesPerAccessUnit) * Double(sampleRate)
    }
}
