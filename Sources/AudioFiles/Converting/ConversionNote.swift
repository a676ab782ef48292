// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// A remark about a conversion: something was left out or changed that was not asked for.
public enum ConversionNote: Hashable, Sendable {
    /// Tags and other parts of the input, by their names, are left out: the file format can't hold them, or they are not read.
    case tagsLeftOut([String], format: OutputFileFormat)
    /// The file format can't hold all bits of the input's samples.
    case samplesRounded(from: SampleEncoding, to: SampleEncoding)
    /// The codec does not support the input's sample rate in hertz.
    case sampleRateConverted(from: Int, to: Int, codec: OutputCodec)
    /// The codec does not support the input's number of channels.
    case channelsMixed(from: Int, to: Int, codec: OutputCodec)
    /// The input has so many channels that it has no usual layout, and names no speakers: each channel of the output is the mean of all.
    case channelsAveraged(from: Int, to: Int)
    /// The codec does not support the input's speakers.
    case speakersMixed(from: ChannelLayout, to: ChannelLayout, codec: OutputCodec)
    /// Input and output are of the same lossy codec, and nothing else was to be changed: copying loses nothing.
    case remuxingCopies(OutputCodec)
    /// The input has several audio tracks, of which one is read.
    case otherTracksLeftOut([AudioTrack])
    /// Low delay MPEG Surround of the input is of a kind that is not supported: the core is decoded without it.
    case surroundLeftOut
    /// Positions in the input are earlier than its audio reaches: all of it was read.
    case falsePositions
    /// The input has channel configuration 7 of AAC, read as 7.1 with side and back channels.
    case ambiguousLayout
    /// The signal is silent, so that it has no loudness.
    case silence
    /// The limiter would take so much of the signal away that another loudness was used, in LUFS.
    case loudnessNotReached(requested: Double, used: Double)

    /// Creates the remark for a note of the encoder about loudness; nil for others, which the plan of the conversion makes.
    init?(_ note: EncodingNote) {
        switch note {
        case .silence: self = .silence
        case .loudnessNotReached(let requested, let used): self = .loudnessNotReached(requested: requested, used: used)
        case .profileReplaced, .sampleRateConverted, .tagsLeftOut, .otherTracksLeftOut, .surroundLeftOut, .falsePositions,
            .ambiguousLayout, .channelsAveraged:
            return nil
        }
    }
}

extension ConversionNote: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .tagsLeftOut(let names, let format): OutputTags.note(names, formatName: format.name)
        case .samplesRounded(let from, let to):
            "samples are rounded from \(from.rawValue) to \(to.rawValue), the most that the format holds"
        case .sampleRateConverted(let from, let to, let codec): "\(codec.name) does not support \(from) Hz; converted to \(to) Hz"
        case .channelsMixed(let from, let to, let codec): "\(codec.name) does not support \(from) channels; mixed to \(to)"
        case .channelsAveraged(let from, let to): EncodingNote.channelsAveraged(from: from, to: to).description
        case .speakersMixed(let from, let to, let codec):
            "\(codec.name) does not support the speakers \(from.names); mixed to \(to.names)"
        case .remuxingCopies(let codec): "\(codec.name) was decoded and encoded again; remux copies it without loss"
        case .otherTracksLeftOut(let tracks): EncodingNote.otherTracksLeftOut(tracks).description
        case .surroundLeftOut: EncodingNote.surroundLeftOut.description
        case .falsePositions: EncodingNote.falsePositions.description
        case .ambiguousLayout: EncodingNote.ambiguousLayout.description
        case .silence: EncodingNote.silence.description
        case .loudnessNotReached(let requested, let used): EncodingNote.loudnessNotReached(requested: requested, used: used).description
        }
    }
}

extension OutputCodec {
    /// The usual name of the codec.
    public var name: String {
        switch self {
        case .pcm: "PCM"
        case .aac: "AAC"
        case .opus: "Opus"
        case .ilbc: "iLBC"
        }
    }
}
