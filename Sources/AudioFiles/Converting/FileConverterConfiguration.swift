// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioContainers
public import AudioConversion
public import AudioMetadata
public import AudioPrimitives
public import DABPlus
public import PCMFiles

/// The output of a ``FileConverter``; what is not set follows from the input.
public struct FileConverterConfiguration: Hashable, Sendable {
    /// The file format; nil for the one of the output's extension.
    public var format: AudioFileFormat?
    /// The codec; nil for that of the file format.
    public var codec: OutputCodec?
    /// The settings of AAC; they do not apply to other codecs, except that Opus treats invalid samples as they say.
    ///
    /// They are properties of the configuration too: `configuration.effort` is `configuration.settings.effort`. Rate control and profile
    /// are the preset's where they are nil. HE-AAC v2 needs two channels: one channel is encoded as HE-AAC, with a note in the summary.
    /// ADTS supports implicit signalling only; others throw ``/PCMFiles/AudioFileError/Code/unsupportedSignaling(_:)``.
    public var settings = AACEncoderSettings()
    /// The parameters of Opus; they do not apply to other codecs.
    public var opus = OpusParameters()
    /// The bit rate of a codec in bits per second; nil for its default, and for that of ``settings`` in AAC and of ``opus`` in Opus.
    public var bitRate: Int?
    /// Whether the bit rate is for two channels, and is scaled for files with more or fewer.
    ///
    /// One channel gets half of it, 5.1 five halves, as far as the codec supports that. Low-frequency channels don't count.
    package var scalesBitRate = false
    /// Named settings, which the rate control and the profile of ``settings``, and ``sampleRate``, override.
    public var preset: AudioPreset?

    /// The encoding of PCM samples; nil for the one that keeps all bits of the input.
    ///
    /// Byte order and the sign of 8 bits are those of the file format. Where the input is coded with loss, the default is 32-bit floating
    /// point, and 16 bits in FLAC.
    public var encoding: SampleEncoding?
    /// The sample rate in hertz; nil for that of the preset or the input, or the next higher one that the codec supports, with a note.
    public var sampleRate: Int?
    /// The quality of the conversion of sample rates.
    public var rateQuality = SampleRateConverterQuality.high
    /// The number of channels; nil for that of the input, or of ``channels``.
    public var channelCount: Int?
    /// Whether an input with fewer channels than ``channelCount`` gets more; if false, only inputs with more channels are mixed.
    package var addsChannels = true
    /// The way from the channels of the input to those of the output.
    public var channels = ChannelMapping.automatic
    /// The noise that is added where bits are lost; nil for triangular noise where that leaves 16 bits or fewer.
    public var dither: Dither?

    /// The loudness to give the signal; nil to leave it as it is.
    ///
    /// The input is read several times, so that it can't be a pipe. The samples pass through 32-bit floating point.
    public var loudnessTarget: LoudnessTarget?
    /// Whether the loudness of the signal is measured and stored, where players read it: in M4A as ReplayGain, in Opus as `R128_TRACK_GAIN`.
    ///
    /// Other formats throw ``/PCMFiles/AudioFileError/Code/unsupportedTags(_:)``.
    public var storesLoudness = false

    /// The time range of the input to convert; nil for all of it.
    ///
    /// It is exact to the sample frame. `.seconds(60) ..< .seconds(.max)` converts all from 60 s on.
    public var range: Range<Duration>?

    /// The decoding of an input that is coded; its range and whether it keeps the format are those of the conversion.
    ///
    /// With other values than the usual ones, or an input that is joined, one thread encodes.
    public var decoding = FileDecoderConfiguration()

    /// Whether the access units of AAC before the first sample of the input are left out, for containers that can't tell the delay, such as ADTS,
    /// LOAS and MPEG-TS.
    ///
    /// The first frame that a decoder gives is then the first of the input. The first access unit has nothing to overlap with: what begins within it
    /// is faded in and distorted (Documentation/Guides/Command.md).
    public var omitsDelay = false
    /// MPEG version and checksums of ADTS.
    public var adts = ADTSWriterOptions()
    /// The sub-channel of DAB+, and the labels that receivers show; nil for other uses.
    ///
    /// Setting it sets the rate group of ``settings``, also where the container is not DAB+.
    public var dab: DABWriterOptions? { didSet { settings.rateGroup = dab?.subchannel.rateGroup } }

    /// Tags that replace those of the input; an empty value removes the name, and the encoder's name is added.
    ///
    /// Formats that can't hold them throw ``/PCMFiles/AudioFileError/Code/tagsNotStorable(_:_:)``.
    public var tags = AudioTags()
    /// Whether the output has the tags of the input, as far as its format can hold them; a note in the summary names the others.
    public var inheritsTags = true
    /// Tags of a chapter that is converted, before those of the input, whose chapters are left out; nil for everything.
    private var chapterTags: AudioTags?

    /// The format of an input without a header; nil to detect the format.
    public var raw: AudioFormat?
    /// Whether an existing output is replaced.
    public var overwrites = false
    /// The number of threads of the AAC encoder, where the input can be read at several positions; nil for all processors.
    ///
    /// The output is the same for any number.
    public var threadCount: Int?
    /// The use of a converter.
    enum Verb {
        case convert
        /// The output is always coded, as by a ``FileEncoder``: AAC in CAF, and ADTS if there is no extension. Speakers that the codec does not
        /// support are an error.
        case encode
        /// The input is always coded, and the output is PCM, of integers if no encoding is asked for.
        case decode
    }

    /// The use of a converter.
    var verb = Verb.convert

    /// Creates a configuration that keeps everything but the file format.
    public init() {}

    /// Whether all channels are mixed to one.
    @available(*, deprecated, message: "set channelCount to 1")
    public var mixesToMono: Bool {
        get { channelCount == 1 }
        set { if newValue { channelCount = 1 } }
    }

    /// Whether more than two channels are mixed to two.
    @available(*, deprecated, message: "set channelCount to 2 and addsChannels to false")
    public var mixesToStereo: Bool {
        get { channelCount == 2 && !addsChannels }
        set { if newValue { (channelCount, addsChannels) = (2, false) } }
    }

    /// Whether the signal has the loudness of the input.
    var keepsLoudness: Bool { loudnessTarget == nil && decoding.loudness == nil }

    /// Returns the configuration for a part of the input, which has the tags of that and no chapters.
    package func converting(_ part: ChapterSplit.Part) -> FileConverterConfiguration {
        var result = self
        result.range = part.range
        result.chapterTags = part.tags
        result.tags.chapters = []
        return result
    }

    /// Returns what the output may have of the tags of the input.
    func inputTags(_ tags: AudioTags) -> AudioTags? {
        guard inheritsTags else { return nil }
        guard let chapterTags else { return tags }
        var result = chapterTags.inheriting(tags)
        result.chapters = []
        return result
    }

    /// Returns the number of channels that those of an input become, without a map or matrix.
    func channelCount(from count: Int) -> Int {
        if let channelCount, addsChannels { return channelCount }
        return min(channelCount ?? preset?.channelCount ?? count, count)
    }

    /// Returns a bit rate for a number of channels, in bits per second: the share of that for two, if it is scaled.
    ///
    /// - Parameters:
    ///   - bitRate: The rate that was asked for.
    ///   - channelCount: The number of channels that are encoded.
    ///   - range: The rates that the codec supports for them.
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
