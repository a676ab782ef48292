// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioContainers
public import AudioConversion
public import AudioMetadata
public import AudioPrimitives
public import DABPlus
public import PCMFiles

/// The settings of a ``FileConverter``.
///
/// Unset values follow from the input.
public struct FileConverterConfiguration: Hashable, Sendable {
    /// The file format, or `nil` to choose it by the output's extension.
    public var format: AudioFileFormat?
    /// The codec, or `nil` for the file format's default.
    public var codec: OutputCodec?
    /// AAC settings.
    ///
    /// Other codecs ignore them, except that Opus uses ``/AACCodec/AACEncoderSettings/invalidSamples``.
    ///
    /// They are also properties of the configuration: `configuration.effort` is `configuration.settings.effort`. If rate control or profile
    /// are `nil`, the preset's are used. HE-AAC v2 requires two channels; one channel is encoded as HE-AAC, with a note in the summary.
    /// ADTS supports only implicit signaling; otherwise ``/PCMFiles/AudioFileError/Code/unsupportedSignaling(_:)`` is thrown.
    public var settings = AACEncoderSettings()
    /// Opus parameters.
    ///
    /// Other codecs ignore them.
    public var opus = OpusParameters()
    /// The bit rate, in bits per second, or `nil` for the codec's default.
    ///
    /// A rate in ``settings`` (AAC) or ``opus`` takes precedence.
    public var bitRate: Int?
    /// Whether the bit rate is meant for two channels and scaled for other channel counts.
    ///
    /// Mono gets half of it and 5.1 five halves, within the codec's limits. LFE channels are not counted.
    package var scalesBitRate = false
    /// Named settings to start from.
    ///
    /// Rate control and profile in ``settings``, and ``sampleRate``, override them.
    public var preset: AudioPreset?

    /// The encoding of lossless samples, or `nil` for one that keeps the input's full resolution.
    ///
    /// The file format determines the byte order and the sign of 8-bit samples. For lossy inputs, the default is 32-bit floating point, or
    /// 16 bits in FLAC and Apple Lossless.
    public var encoding: SampleEncoding?
    /// The sample rate, in hertz, or `nil` for the preset's, otherwise the input's or the next higher one that the codec supports, with a
    /// note.
    public var sampleRate: Int?
    /// The quality of sample rate conversion.
    public var rateQuality = SampleRateConverterQuality.high
    /// The channel count, or `nil` for the input's or as ``channels`` determines.
    public var channelCount: Int?
    /// Whether inputs with fewer channels than ``channelCount`` are upmixed.
    ///
    /// If false, only inputs with more channels are mixed.
    package var addsChannels = true
    /// The mapping of input channels to output channels.
    public var channels = ChannelMapping.automatic
    /// The dither when reducing the resolution, or `nil` for triangular dither at 16 bits or fewer.
    public var dither: Dither?

    /// The loudness of the output, or `nil` to keep the input's.
    ///
    /// The input is read several times, so it must not be a pipe. Samples are processed as 32-bit floating point.
    public var loudnessTarget: LoudnessTarget?
    /// The gain, in decibels, or `nil` for none.
    ///
    /// Samples are processed as 32-bit floating point. A loudness target takes precedence.
    package var gain: Double?
    /// The loudness of the album to which the output belongs, or `nil` for none.
    ///
    /// The target loudness is the album's, and ``storesLoudness`` also stores it.
    package var album: AlbumLoudness?
    /// Whether to measure the loudness and store it for players: as ReplayGain in M4A and FLAC, as `R128_TRACK_GAIN` in Opus.
    ///
    /// Other formats throw ``/PCMFiles/AudioFileError/Code/unsupportedTags(_:)``.
    public var storesLoudness = false

    /// The time range of the input to convert, or `nil` for all.
    ///
    /// The range is exact to the sample frame. `.seconds(60) ..< .seconds(.max)` starts at 60 s.
    public var range: Range<Duration>?

    /// The decoding of an encoded input.
    ///
    /// To select a part of the input, set ``range``, not the decoder's.
    ///
    /// Encoding is single-threaded with values other than the default, except for the audio track, and for joined inputs.
    public var decoding = FileDecoderConfiguration()

    /// Whether to omit the AAC access units before the first input sample.
    ///
    /// For containers that cannot signal encoder delay, such as ADTS, LOAS and MPEG-TS.
    ///
    /// The first decoded frame is then the first input frame. The first access unit has no predecessor to overlap with, so its signal is
    /// faded in and distorted (Documentation/Guides/Command.md).
    public var omitsDelay = false
    /// The MPEG version and checksums of ADTS.
    public var adts = ADTSWriterOptions()
    /// The DAB+ sub-channel and the labels that receivers display, or `nil` for other uses.
    ///
    /// Setting it sets the rate group of ``settings``, even if the container is not DAB+.
    public var dab: DABWriterOptions? { didSet { settings.rateGroup = dab?.subchannel.rateGroup } }

    /// Tags that replace the input's.
    ///
    /// An empty value removes a tag. The encoder's name is always added.
    ///
    /// Formats that do not support them throw ``/PCMFiles/AudioFileError/Code/tagsNotStorable(_:_:)``.
    public var tags = AudioTags()
    /// Whether to copy the input's tags to the output.
    ///
    /// A note in the summary lists the tags that the format does not support.
    public var inheritsTags = true
    /// The tags of a disc for all parts of a split file, which replace the input's.
    package var discTags = AudioTags()
    /// The part of a split file to convert, or `nil` for others.
    private var part: ChapterSplit.Part?

    /// The format of headerless input, or `nil` to detect the format.
    public var raw: AudioFormat?
    /// Whether to replace an existing output.
    public var overwrites = false
    /// The number of AAC encoder threads if the input is seekable, or `nil` for all processors.
    ///
    /// The output does not depend on it.
    public var threadCount: Int?
    enum Verb {
        case convert
        /// The output is always encoded, as by ``FileEncoder``: AAC in CAF, and ADTS without an extension. Channel layouts that the codec
        /// does not support throw.
        case encode
        /// The input is always encoded, and the output is PCM, as integers unless an encoding is requested.
        case decode
    }

    var verb = Verb.convert

    /// Creates a configuration that changes only the file format.
    public init() {}

    /// Whether to mix all channels to one.
    @available(*, deprecated, message: "set channelCount to 1")
    public var mixesToMono: Bool {
        get { channelCount == 1 }
        set { if newValue { channelCount = 1 } }
    }

    /// Whether to mix more than two channels to two.
    @available(*, deprecated, message: "set channelCount to 2 and addsChannels to false")
    public var mixesToStereo: Bool {
        get { channelCount == 2 && !addsChannels }
        set { if newValue { (channelCount, addsChannels) = (2, false) } }
    }

    /// Whether the output has the input's loudness.
    var keepsLoudness: Bool {
        loudnessTarget == nil && gain == nil && decoding.loudness == nil && decoding.decoder.dynamicRangeBoost == 0
            && decoding.decoder.dynamicRangeCut == 0
    }

    /// Returns the configuration for a part of a file, with its tags.
    package func converting(_ part: ChapterSplit.Part) -> FileConverterConfiguration {
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

    /// Returns the output channel count for an input without a channel map or matrix.
    func channelCount(from count: Int) -> Int {
        if let channelCount, addsChannels { return channelCount }
        return min(channelCount ?? preset?.channelCount ?? count, count)
    }

    /// Returns the bit rate for a channel count, in bits per second; scaled from two channels if requested.
    ///
    /// - Parameters:
    ///   - channelCount: The encoded channel count.
    ///   - range: The rates that the codec supports for `channelCount`.
    func scaled(_ bitRate: Int, to channelCount: Int, within range: ClosedRange<Int>) -> Int {
        guard scalesBitRate, channelCount != 2 else { return bitRate }
        let hasLowFrequency = ChannelLayout(usualChannelCount: channelCount)?.speakers.contains(.lowFrequency) ?? false
        let share = bitRate / 2 * (channelCount - (hasLowFrequency ? 1 : 0))
        return min(max(share, range.lowerBound), range.upperBound)
    }
}

/// The former name of ``FileConverterConfiguration``.
@available(*, deprecated, renamed: "FileConverterConfiguration")
public typealias FileEncoderConfiguration = FileConverterConfiguration
