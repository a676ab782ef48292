// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
public import AudioMetadata
public import AudioPrimitives

/// The output of a ``FileRemuxer``; what is not set follows from the input.
public struct FileRemuxerConfiguration: Hashable, Sendable {
    /// The container; nil for the one of the output's extension, or ADTS without an extension and for pipes.
    public var container: AudioFileFormat?
    /// Whether an existing output is replaced.
    public var overwrites = false
    /// The time range to copy; nil for everything.
    ///
    /// The output begins and ends with whole access units, among them those before the range that a decoder needs to start. M4A and CAF store the
    /// exact range (edit list, packet table), so that players trim the rest; ADTS and LOAS can't, and play up to two access units more.
    public var range: Range<Duration>?

    /// Tags that replace those of the input; an empty value removes the name.
    public var tags = AudioTags()
    /// Whether the output has the tags of the input, as far as its container can hold them.
    public var inheritsTags = true

    /// Creates a configuration that copies the whole file.
    public init() {}
}

/// The result of a ``FileRemuxer``.
public struct RemuxingSummary: Hashable, Sendable {
    /// The container that was written.
    public let container: AudioFileFormat
    /// The number of access units copied.
    public internal(set) var unitCount = 0
    /// The sample frames that they decode to.
    public internal(set) var frameCount = 0
    /// The sample rate of ``frameCount``, in hertz.
    package internal(set) var timescale = 0
    /// The size of the output in bytes.
    public internal(set) var byteCount = 0
    /// Bytes of the input that should have held an access unit and did not.
    public internal(set) var lostByteCount = 0
    /// Access units of the input that begin after its end, by its index: it was cut off.
    package internal(set) var missingUnitCount = 0
    /// Whether the input has tags that the output can't hold.
    package var losesTags: Bool { !namesOfLostTags.isEmpty }
    /// The names of tags of the input that the output can't hold.
    public internal(set) var namesOfLostTags: [String] = []
    /// The audio tracks of the input, one of which is copied; empty for containers with one.
    public internal(set) var audioTracks: [AudioTrack] = []
    /// Sample frames that an edit list of the input leaves out, or that lie between chained streams, and that the output plays.
    package internal(set) var restoredFrameCount = 0
    /// Whether an edit list of the input plays parts in another order or more than once, which the output does not.
    package internal(set) var losesOrder = false
    /// The priming, valid and remainder frames of the output; nil if unknown.
    public internal(set) var gapless: GaplessInfo?

    /// Creates a summary with nothing copied.
    init(container: AudioFileFormat) { self.container = container }
}
