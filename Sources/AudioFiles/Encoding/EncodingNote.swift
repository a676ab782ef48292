// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioContainers
public import AudioPrimitives

/// A difference between what was requested and what was encoded.
public enum EncodingNote: Hashable, Sendable {
    /// The profile needs two channels, and the input has one: another profile was used.
    case profileReplaced(requested: AACProfile, used: AACProfile)
    /// AAC does not support the input's sample rate in hertz: the input was converted to the next higher supported rate, or the highest.
    case sampleRateConverted(from: Int, to: Int)
    /// The input has so many channels that it has no usual layout, and names no speakers: each channel of the output is the mean of all.
    case channelsAveraged(from: Int, to: Int)
    /// Tags and other parts of the input, by their names, are left out: the container can't hold them, or they are not read.
    case tagsLeftOut([String], container: ContainerFormat)
    /// The input has several audio tracks, of which one is read.
    case otherTracksLeftOut([AudioTrack])
    /// Low delay MPEG Surround of the input is of a kind that is not supported: its core is encoded without it.
    case surroundLeftOut
    /// Positions in the input are earlier than its audio reaches: all of it was read.
    case falsePositions
    /// The input has channel configuration 7, read as 7.1 with side and back channels.
    case ambiguousLayout
    /// The signal is silent, so that it has no loudness.
    case silence
    /// The limiter would take so much of the signal away that another loudness was used, in LUFS.
    case loudnessNotReached(requested: Double, used: Double)
}

extension EncodingNote: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .profileReplaced(let requested, let used): "\(requested) needs two channels; encoded as \(used)"
        case .sampleRateConverted(let from, let to): "AAC does not support \(from) Hz; converted to \(to) Hz"
        case .channelsAveraged(let from, let to):
            "\(from) channels without speakers have no usual layout; " + (to == 1 ? "the output" : "each of the \(to) outputs")
                + " is the mean of all"
        case .tagsLeftOut(let names, let container): OutputTags.note(names, formatName: container.name)
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
