// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
public import AudioMetadata
public import AudioPrimitives

/// The settings of a ``FileRemuxer``.
///
/// Unset values follow from the input.
public struct FileRemuxerConfiguration: Hashable, Sendable {
    /// The container, or `nil` to choose it by the output's extension (ADTS without one and for pipes).
    public var container: AudioFileFormat?
    /// The audio track to copy, or `nil` for the default one.
    ///
    /// One that is missing or unsupported throws ``/PCMFiles/AudioFileError/Code/unavailableTrack(_:_:)``.
    public var audioTrack: AudioTrackChoice?
    /// Whether to replace an existing output.
    public var overwrites = false
    /// The time range to copy, or `nil` for all.
    ///
    /// The output consists of whole access units, including those before the range that a decoder needs to start. M4A and CAF store the
    /// exact range (edit list, packet table), so players trim the excess. ADTS and LOAS cannot, and play up to two more access units.
    public var range: Range<Duration>?

    /// Tags that replace the input's.
    ///
    /// An empty value removes a tag.
    public var tags = AudioTags()
    /// Whether to copy the input's tags, if the container supports them.
    public var inheritsTags = true
    /// Whether to recode AAC-LC or HE-AAC as xHE-AAC (USAC), mostly up to 10 % smaller.
    ///
    /// The quantized spectra and SBR data are kept. The decoded samples of AAC-LC are identical; in HE-AAC the noise of SBR has other phases.
    /// Streams with tools that USAC lacks, such as PNS and intensity stereo, throw
    /// ``/PCMFiles/AudioFileError/Code/recodingNotPossible``, and so do joined inputs.
    public var recodesToXHEAAC = false
    /// The integrated loudness to state in xHE-AAC, in LUFS, or `nil` to measure it by decoding the input once more.
    ///
    /// Players change the level by it. A pipe cannot be measured.
    public var statedLoudness: Double?
    /// The maximum time between the access units of recoded xHE-AAC where players can start.
    public var accessPointInterval = Duration.seconds(2)
    /// The tags of a disc for all parts of a split file, which replace the input's.
    package var discTags = AudioTags()
    /// The part of a split file to copy, or `nil` for others.
    private(set) var part: ChapterSplit.Part?

    /// Returns the configuration for a part of a file, with its tags.
    ///
    /// Parts in containers that do not signal priming consist of consecutive access units.
    package func copying(_ part: ChapterSplit.Part) -> FileRemuxerConfiguration {
        var result = self
        result.part = part
        result.range = part.selection
        result.tags = part.requestedTags(tags)
        return result
    }

    /// Returns the input tags that the output may inherit.
    func inputTags(_ tags: AudioTags, storage: TagStorage) -> AudioTags? {
        inheritsTags ? part.map { discTags.inheriting($0.inheritedTags(tags, storage: storage)) } ?? tags : nil
    }

    /// Creates a configuration that copies the whole file.
    public init() {}
}

/// The result of a ``FileRemuxer``.
public struct RemuxingSummary: Hashable, Sendable {
    /// The output's container.
    public let container: AudioFileFormat
    /// The number of copied access units.
    public internal(set) var accessUnitCount = 0

    /// The former name of ``accessUnitCount``.
    @available(*, deprecated, renamed: "accessUnitCount")
    public var unitCount: Int { accessUnitCount }
    /// The number of sample frames that they decode to.
    public internal(set) var frameCount = 0
    /// The sample rate of ``frameCount``, in hertz.
    package internal(set) var timescale = 0
    /// The output sample rate, with SBR if present, of ``gapless``, in hertz.
    package internal(set) var sampleRate = 0
    /// The output size, in bytes.
    public internal(set) var byteCount = 0
    /// The number of input bytes that should have been access units.
    public internal(set) var lostByteCount = 0
    /// The number of access units that the input's index lists after its end, because the file is truncated.
    package internal(set) var missingUnitCount = 0
    /// The number of access units missing inside the input, so that the following ones are early in the output.
    package internal(set) var gapUnitCount = 0
    /// Whether the times in the input are too early for its audio.
    package internal(set) var hasFalsePositions = false
    /// Whether the last page of the input, an Ogg file, is not marked as the last.
    package internal(set) var isUnfinished = false
    /// Whether the input has tags that the output does not support.
    package var losesTags: Bool { !namesOfLostTags.isEmpty }
    /// The names of input tags that the output does not support.
    public internal(set) var namesOfLostTags: [String] = []
    /// The audio tracks of the input.
    ///
    /// One is copied. Empty for containers with one track.
    public internal(set) var audioTracks: [AudioTrack] = []
    /// The number of sample frames that the output plays although the input's edit list omits them or they separate chained streams.
    package internal(set) var restoredFrameCount = 0
    /// Whether the input's edit list plays parts out of order or repeatedly, which the output does not.
    package internal(set) var losesOrder = false
    /// The number of sample frames of priming and padding between joined inputs that the output plays.
    package internal(set) var gapFrameCount = 0
    /// The number of joined inputs with unknown priming and padding, which the output plays.
    package internal(set) var unstatedPartCount = 0
    /// The number of joined inputs whose first frames depend on the end of the previous input.
    package internal(set) var unsettledPartCount = 0
    /// The number of access units whose data stream elements or dynamic range control were left out in recoding.
    package internal(set) var droppedMetadataUnitCount = 0
    /// The largest number of sample frames between access units of recoded xHE-AAC where players can start, if it is large.
    package internal(set) var accessPointDistance: Int?
    /// The output's priming, valid and remainder frames, or `nil` if unknown.
    public internal(set) var gapless: GaplessInfo?

    init(container: AudioFileFormat) { self.container = container }

    /// The playing time, in seconds, with padding if it is unknown.
    package var seconds: Double {
        let (count, rate) = gapless.map { ($0.validFrames, sampleRate) } ?? (frameCount, timescale)
        return Double(count) / Double(max(1, rate))
    }
}
