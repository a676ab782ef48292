// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec
public import AudioDevices
public import AudioPrimitives

/// How a recording stands, or ended.
public struct RecordingSummary: Sendable {
    /// Sample frames of the recording's rate so far.
    public var frameCount = 0
    /// The recording's rate in hertz.
    public var sampleRate = 0
    /// Sample frames of an access unit.
    public var framesPerAccessUnit = 1024
    /// The profile that is encoded.
    public var profile = AACProfile.lowComplexity
    /// Access units so far.
    public var accessUnitCount = 0
    /// Bytes in them.
    public var byteCount = 0
    /// Which frames are sound; known at the end, if anything was encoded.
    public var gaplessInfo: GaplessInfo?
    /// What capture counted.
    public var capture = CaptureStatistics()
    /// Why sinks ended early, by name.
    public var sinkFailures: [String: SinkFailure] = [:]
    /// Why capture ended by itself, if an error ended it.
    public var captureFailure: DeviceError?

    /// Seconds of sound so far.
    public var seconds: Double { sampleRate > 0 ? Double(frameCount) / Double(sampleRate) : 0 }

    /// Bits a second so far.
    public var bitRate: Double {
        guard accessUnitCount > 0 else { return 0 }
        return Double(byteCount) * 8 / Double(accessUnitCount * framesPerAccessUnit) * Double(sampleRate)
    }
}
