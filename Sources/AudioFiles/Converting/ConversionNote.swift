// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
public import AudioPrimitives
internal import MPEG4Audio
public import PCMFiles

/// A remark about a conversion: something was left out or changed that was not asked for.
public enum ConversionNote: Hashable, Sendable {
    /// Tags and other parts of the input, by their names, are left out: the file format can't hold them, or they are not read.
    case tagsLeftOut([String], format: AudioFileFormat)
    /// The file format can't hold all bits of the input's samples.
    case samplesRounded(from: SampleEncoding, to: SampleEncoding)
    /// The profile needs two channels, and there is one: another profile was used.
    case profileReplaced(requested: AACProfile, used: AACProfile)
    /// The codec does not support the input's sample rate in hertz: it was converted to the next higher supported rate, or the highest.
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
}

extension ConversionNote {
    /// Returns remarks about an input of which parts are left out, or read otherwise than it says.
    package static func notes(
        tracks: [AudioTrack], _ configuration: CodecConfiguration?, hasFalsePositions: Bool
    ) -> [ConversionNote] {
        let config = configuration?.audioSpecificConfig
        return (tracks.count > 1 ? [.otherTracksLeftOut(tracks)] : []) + (config?.leavesOutSurround == true ? [.surroundLeftOut] : [])
            + (hasFalsePositions ? [.falsePositions] : []) + (config?.hasAmbiguousLayout == true ? [.ambiguousLayout] : [])
    }
}

/// The former name of ``ConversionNote``.
@available(*, deprecated, renamed: "ConversionNote")
public typealias EncodingNote = ConversionNote

extension ConversionNote: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .tagsLeftOut(let names, let format): OutputTags.note(names, formatName: format.name)
        case .samplesRounded(let from, let to):
            "samples are rounded from \(from.rawValue) to \(to.rawValue), the most that the format holds"
        case .profileReplaced(let requested, let used): "\(requested) needs two channels; encoded as \(used)"
        case .sampleRateConverted(let from, let to, let codec): "\(codec.name) does not support \(from) Hz; converted to \(to) Hz"
        case .channelsMixed(let from, let to, let codec): "\(codec.name) does not support \(from) channels; mixed to \(to)"
        case .channelsAveraged(let from, let to):
            "\(from) channels without speakers have no usual layout; " + (to == 1 ? "the output" : "each of the \(to) outputs")
                + " is the mean of all"
        case .speakersMixed(let from, let to, let codec):
            "\(codec.name) does not support the speakers \(from.names); mixed to \(to.names)"
        case .remuxingCopies(let codec): "\(codec.name) was decoded and encoded again; remux copies it without loss"
        case .otherTracksLeftOut(let tracks): AudioTrack.note(tracks) ?? ""
        case .surroundLeftOut:
            "MPEG Surround of this kind (shaping in time, an arbitrary downmix, another tree or rate) is not supported; "
                + "the core of AAC-ELD v2 is decoded alone"
        case .falsePositions: "the positions in the file are too early for its audio; all of it was read"
        case .ambiguousLayout:
            "channel configuration 7 is read as 7.1 with side and back channels, as encoders in use write it; "
                + "by the standard it has four front channels beside the centre"
        case .silence: "the audio is silent; it has no loudness"
        case .loudnessNotReached(let requested, let used):
            "a loudness of \(Self.tenths(requested)) LUFS needs peaks above the limit; encoded with \(Self.tenths(used)) LUFS"
        }
    }

    /// Returns a number with one decimal place.
    private static func tenths(_ value: Double) -> String {
        let rounded = Int((abs(value) * 10).rounded())
        return (value < 0 ? "-" : "") + "\(rounded / 10).\(rounded % 10)"
    }
}
