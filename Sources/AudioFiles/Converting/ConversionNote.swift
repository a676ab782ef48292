// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
public import AudioPrimitives
internal import MPEG4Audio
public import PCMFiles

/// A difference between a conversion's request and its result.
public enum ConversionNote: Hashable, Sendable {
    /// Tags and other parts of the input were omitted, because the file format does not support them or they cannot be read.
    case tagsLeftOut([String], format: AudioFileFormat)
    /// The output has a lower sample resolution than the input.
    case samplesRounded(from: SampleEncoding, to: SampleEncoding)
    /// The profile requires two channels, but there is one; another profile was used.
    case profileReplaced(requested: AACProfile, used: AACProfile)
    /// The codec does not support the input sample rate, in hertz. The next higher supported rate was used, or the highest.
    case sampleRateConverted(from: Int, to: Int, codec: OutputCodec)
    /// The codec does not support the input channel count.
    case channelsMixed(from: Int, to: Int, codec: OutputCodec)
    /// The input has fewer channels than requested, and encoding and decoding add none.
    case channelsKept(Int, requested: Int)
    /// The input has no channel layout, and its channel count has no default one. Each output channel is the mean of all input channels.
    case channelsAveraged(from: Int, to: Int)
    /// The codec does not support the input's channel layout.
    case speakersMixed(from: ChannelLayout, to: ChannelLayout, codec: OutputCodec)
    /// Input and output have the same lossy codec, and nothing else was to change. Remuxing would be lossless.
    case remuxingCopies(OutputCodec)
    /// The input has several audio tracks, and only one was read.
    case otherTracksLeftOut([AudioTrack])
    /// The input has an unsupported kind of low delay MPEG Surround. The core was decoded without it.
    case surroundLeftOut
    /// The input's granule positions or fragment times are too early for its audio. All of it was read, with any repeated parts.
    case falsePositions
    /// The last page of the input, an Ogg file, is not marked as the last.
    case unfinished
    /// The input has AAC channel configuration 7, which was read as 7.1 with side and back channels.
    case ambiguousLayout
    /// The input has dynamic range control of xHE-AAC (uniDRC), which was not applied.
    case dynamicRangeControlLeftOut
    /// The signal is silent and has no loudness.
    case silence
    /// The signal is shorter than one 400 ms block of ITU-R BS.1770 and has no loudness.
    case tooShort
    /// The requested loudness, in LUFS, would require too much limiting. A lower one was used.
    case loudnessNotReached(requested: Double, used: Double)
}

extension ConversionNote {
    /// Returns notes on parts of an input that are ignored or reinterpreted.
    package static func notes(
        tracks: [AudioTrack], _ configuration: CodecConfiguration?, _ metadata: ContainerMetadata?
    ) -> [ConversionNote] {
        let config = configuration?.audioSpecificConfig
        return (tracks.count > 1 ? [.otherTracksLeftOut(tracks)] : [])
            + (config?.usac?.hasDynamicRangeControl == true ? [.dynamicRangeControlLeftOut] : [])
            + (config?.leavesOutSurround == true ? [.surroundLeftOut] : [])
            + (metadata?.hasFalsePositions == true ? [.falsePositions] : []) + (metadata?.isUnfinished == true ? [.unfinished] : [])
            + (config?.hasAmbiguousLayout == true ? [.ambiguousLayout] : [])
    }
}

/// The former name of ``ConversionNote``.
@available(*, deprecated, renamed: "ConversionNote")
public typealias EncodingNote = ConversionNote

extension ConversionNote: CustomStringConvertible {
    /// One line of English text.
    public var description: String {
        switch self {
        case .tagsLeftOut(let names, let format): OutputTags.note(names, formatName: format.name)
        case .samplesRounded(let from, let to):
            "samples are rounded from \(from.rawValue) to \(to.rawValue)"
        case .profileReplaced(let requested, let used): "\(requested) needs two channels; encoded as \(used)"
        case .sampleRateConverted(let from, let to, let codec):
            "\(codec == .aac ? "the AAC profile" : codec.name) does not support \(from) Hz; converted to \(to) Hz"
        case .channelsMixed(let from, let to, let codec): "\(codec.name) does not support \(from) channels; mixed to \(to)"
        case .channelsKept(let count, let requested):
            "\(count) channel\(count == 1 ? "" : "s") instead of the requested \(requested), as in the input"
        case .channelsAveraged(let from, let to):
            "\(from) channels without a layout have no default one; " + (to == 1 ? "the output" : "each of the \(to) outputs")
                + " is the mean of all"
        case .speakersMixed(let from, let to, let codec):
            "\(codec.name) does not support the channel layout \(from.names); mixed to \(to.names)"
        case .remuxingCopies(let codec): "\(codec.name) was decoded and re-encoded; remux copies it without loss"
        case .otherTracksLeftOut(let tracks): AudioTrack.note(tracks) ?? ""
        case .surroundLeftOut:
            "unsupported MPEG Surround (temporal shaping, arbitrary downmix, or another tree or rate); "
                + "only the AAC-ELD v2 core is decoded"
        case .falsePositions: "the times in the file are too early for its audio; all of it was read, with any repeated parts"
        case .unfinished: "the last page of the file is not marked as the last; it may be cut off"
        case .ambiguousLayout:
            "channel configuration 7 is read as 7.1 with side and back channels, as common encoders use it; "
                + "in the standard it has four front channels next to the centre"
        case .dynamicRangeControlLeftOut: "dynamic range control of xHE-AAC (uniDRC) is not applied"
        case .silence: "the audio is silent; it has no loudness"
        case .tooShort: "the audio is shorter than 400 ms, a block of ITU-R BS.1770; it has no loudness"
        case .loudnessNotReached(let requested, let used):
            "cannot reach \(Self.tenths(requested)) LUFS within the peak limit; encoded at \(Self.tenths(used)) LUFS"
        }
    }

    /// Formats a number with one decimal place.
    private static func tenths(_ value: Double) -> String {
        let rounded = Int((abs(value) * 10).rounded())
        return (value < 0 ? "-" : "") + "\(rounded / 10).\(rounded % 10)"
    }
}
