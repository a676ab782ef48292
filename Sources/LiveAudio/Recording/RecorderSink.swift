// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// What a recording gives out, the same from its first frame to its last.
public struct RecordingFormat: Hashable, Sendable {
    /// Sample rate in hertz.
    public var sampleRate: Int
    /// The number of channels.
    public var channelCount: Int
    /// What a decoder has to know of the access units.
    public var audioSpecificConfig: AudioSpecificConfig
    /// Frames of the output's rate that come out of a decoder before the first one recorded.
    public var primingFrames: Int
    /// The bit rate held, in bits a second; nil for a variable one.
    public var bitRate: Int?
}

/// Sound on its way to a sink.
public enum RecordedItem: Sendable {
    /// Samples as they go into the encoder.
    case samples(PCMBuffer)
    /// What comes out of the encoder.
    case accessUnit(AccessUnit)
}

/// A place that a recording goes to, such as a file.
///
/// Each sink has a thread of its own that calls all three methods, in order. An error ends this sink and no other.
public protocol RecorderSink: AnyObject, Sendable {
    /// What messages call it.
    var name: String { get }
    /// Whether it takes access units; else it takes samples.
    var takesAccessUnits: Bool { get }
    /// Opens it.
    func begin(_ format: RecordingFormat) throws
    /// Takes what comes.
    func append(_ item: RecordedItem) throws
    /// Completes it; `gaplessInfo` counts frames of all access units, or is nil where nothing was encoded.
    func finish(_ gaplessInfo: GaplessInfo?) throws
}
