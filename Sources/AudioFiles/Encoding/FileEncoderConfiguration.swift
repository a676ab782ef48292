// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioContainers
public import AudioMetadata
public import AudioPrimitives

/// The output of a ``FileEncoder``; what is not set follows from the input.
@dynamicMemberLookup
public struct FileEncoderConfiguration: Hashable, Sendable {
    /// The codec and, for Opus, its parameters; nil for Opus in Ogg and AAC in all other containers.
    public var codec: FileCodec?
    /// The settings of AAC; they do not apply to Opus, except for the treatment of invalid samples.
    ///
    /// They are properties of the configuration too: `configuration.effort` is `configuration.settings.effort`. Rate control and profile
    /// are the preset's where they are nil. HE-AAC v2 needs two channels: one channel is encoded as HE-AAC, with a note in the summary.
    /// ADTS supports implicit signalling only; others throw ``AudioFileError/Code/unsupportedSignaling(_:)``.
    public var settings = AACEncoderSettings()
    /// Named settings, which the rate control and the profile of ``settings``, and ``sampleRate``, override.
    public var preset: AudioPreset?
    /// Whether all channels are mixed to one.
    public var mixesToMono = false
    /// Whether more than two channels are mixed to two; fewer stay as they are.
    public var mixesToStereo = false
    /// Whether a bit rate is that of two channels, of which files with others get their share.
    ///
    /// One channel gets half of it, 5.1 five halves, as far as the codec supports that. Low-frequency channels don't count.
    public var scalesBitRate = false
    /// The sample rate of the output in hertz; nil for the preset's or the input's.
    ///
    /// If AAC does not support the input's rate, the next higher supported rate, or the highest, is used, with a note in the summary.
    public var sampleRate: Int?
    /// The time range of the input to encode; nil for all of it.
    ///
    /// It is exact to the sample frame. `.seconds(60) ..< .seconds(.max)` encodes all from 60 s on.
    public var range: Range<Duration>?
    /// The loudness to give the signal; nil to leave it as it is.
    ///
    /// The input is read several times, so that it can't be a pipe; libebur128 is needed.
    public var loudnessTarget: LoudnessTarget?
    /// Whether the loudness of the signal is measured and stored, where players read it: in M4A as ReplayGain, in Opus as `R128_TRACK_GAIN`.
    ///
    /// Other containers throw ``AudioFileError/Code/unsupportedTags(_:)``.
    public var storesLoudness = false
    /// The container; nil for the one of the output's extension, or ADTS without an extension and for pipes.
    public var container: ContainerFormat?
    /// Whether the access units of AAC before the first sample of the input are left out, for containers that can't tell the delay, such as ADTS,
    /// LOAS and MPEG-TS.
    ///
    /// The first frame that a decoder gives is then the first of the input. The first access unit has nothing to overlap with: what begins within it
    /// is faded in and distorted (Documentation/Guides/Command.md).
    public var omitsDelay = false
    /// MPEG version and checksums of ADTS.
    public var adts = ADTSWriterOptions()
    /// The labels that receivers of DAB+ show, in the order of their times; they need a sub-channel with programme-associated data.
    public var dabLabels: [TimedLabel] = []
    /// Title, artist and other metadata, for M4A, CAF and Opus, which replace those of the input; the encoder's name is added.
    ///
    /// An empty value removes the name. Other containers throw ``AudioFileError/Code/unsupportedTags(_:)``.
    public var tags = AudioTags()
    /// Whether the output has the tags of the input, as far as its container can hold them; a note in the summary names the others.
    public var inheritsTags = true
    /// The format of an input without a header; nil to detect the format.
    public var raw: AudioFormat?
    /// Whether an existing output is replaced.
    public var overwrites = false
    /// The number of threads, where the input can be read at several positions at once; nil for all processors.
    ///
    /// The output is the same for any number.
    public var threadCount: Int?

    /// Creates a configuration with the defaults.
    public init() {}

    /// Accesses a property of ``settings``.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<AACEncoderSettings, Value>) -> Value {
        get { settings[keyPath: setting] }
        set { settings[keyPath: setting] = newValue }
    }
}
