// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioConversion
public import AudioMetadata
public import AudioPrimitives
public import PCMFiles

/// The output of a ``FileConverter``; what is not set follows from the input.
public struct FileConverterConfiguration: Hashable, Sendable {
    /// The file format; nil for the one of the output's extension.
    public var format: OutputFileFormat?
    /// The codec; nil for that of the file format (``OutputFileFormat/defaultCodec``).
    public var codec: OutputCodec?
    /// The encoding of PCM samples; nil for the one that keeps all bits of the input.
    ///
    /// Byte order and the sign of 8 bits are those of the file format. Where the input is coded with loss, the default is 32-bit floating
    /// point, and 16 bits in FLAC.
    public var encoding: SampleEncoding?
    /// The sample rate in hertz; nil for that of the input, or the nearest above that the codec supports.
    public var sampleRate: Int?
    /// The quality of the conversion of sample rates.
    public var rateQuality = SampleRateConverterQuality.high
    /// The number of channels; nil for that of the input, or of ``channels``.
    public var channelCount: Int?
    /// The way from the channels of the input to those of the output.
    public var channels = ChannelMapping.automatic
    /// The noise that is added where bits are lost; nil for triangular noise where that leaves 16 bits or fewer.
    public var dither: Dither?
    /// The bit rate of a codec in bits per second; nil for its default, and for that of ``settings`` in AAC.
    public var bitRate: Int?
    /// The settings of AAC; they do not apply to other codecs.
    public var settings = AACEncoderSettings()
    /// The loudness to give the signal; nil for that of the input.
    ///
    /// The input is read several times, which a pipe can't be. The samples pass through 32-bit floating point.
    public var loudnessTarget: LoudnessTarget?
    /// The time range of the input to convert; nil for all of it.
    ///
    /// It is exact to the sample frame. `.seconds(60) ..< .seconds(.max)` converts all from 60 s on.
    public var range: Range<Duration>?
    /// Tags that replace those of the input; an empty value removes the name.
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
    public var threadCount: Int?

    /// Creates a configuration that keeps everything but the file format.
    public init() {}

    /// Returns the configuration for a part of the input, which has the tags of that and no chapters.
    public func converting(_ part: ChapterSplit.Part) -> FileConverterConfiguration {
        var result = self
        result.range = part.range
        result.chapterTags = part.tags
        result.tags.chapters = []
        return result
    }

    /// Returns what the output may have of the tags of the input.
    func inputTags(_ tags: AudioTags) -> AudioTags {
        guard let chapterTags else { return tags }
        var result = chapterTags.inheriting(tags)
        result.chapters = []
        return result
    }
}
