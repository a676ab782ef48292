// SPDX-License-Identifier: Apache-2.0

public import AudioDevices
public import AudioMetadata
public import AudioPrimitives

/// The current or final state of a recording.
public struct RecordingSummary: Sendable {
    /// The number of recorded sample frames, at ``sampleRate``.
    public var frameCount = 0
    /// The recording's sample rate, in hertz.
    public var sampleRate = 0
    /// The number of sample frames per access unit; 0 before the encoder exists.
    package var framesPerAccessUnit = 0
    /// Whether nothing is recorded yet, because the audio has not exceeded ``RecorderConfiguration/startLevel``.
    package var isWaitingForLevel = false
    /// The AAC profile; `nil` for other codecs, and before the encoder exists.
    public var profile: AACProfile?
    /// The number of encoded access units.
    public var accessUnitCount = 0
    /// The total payload size, in bytes.
    public var byteCount = 0
    /// The priming and padding; known at the end if anything was encoded.
    public var gaplessInfo: GaplessInfo?
    /// The number of clipped samples per channel, counted as in ``AudioLevels/clippedSampleCounts``.
    public var clippedSampleCounts: [Int] = []
    /// The number of runs of clipped samples in all channels.
    package var clippedPlaceCount = 0
    /// The marks in order, with starts in sample frames of the recording.
    public var marks: [AudioTags.Chapter] = []
    /// The capture counts; of the first source if there are several.
    public var capture = CaptureStatistics()
    /// The sources, in order.
    public var sources: [SourceSummary] = []
    /// The errors of failed sinks, by name; the first error if several sinks have the same name.
    public var sinkFailures: [String: DeviceError] = [:]
    /// The device or encoder error that ended the recording, if any.
    public var failure: DeviceError?

    /// The duration of the recorded audio.
    public var duration: Duration { sampleRate > 0 ? .seconds(Double(frameCount) / Double(sampleRate)) : .zero }

    /// The average bit rate, in bits per second.
    public var bitRate: Double {
        guard accessUnitCount > 0, framesPerAccessUnit > 0 else { return 0 }
        return Double(byteCount) * 8 / Double(accessUnitCount * framesPerAccessUnit) * Double(sampleRate)
    }
}

/// The current or final state of one source of a recording.
public struct SourceSummary: Sendable {
    /// The source's name.
    public var name: String
    package var channelCount = 0
    /// The capture counts.
    public var capture = CaptureStatistics()
    /// The speed of the source's clock relative to the first source's, minus 1; measured during the last minute.
    public var drift = 0.0
    /// The error that ended the source, if any.
    public var failure: DeviceError?
}
