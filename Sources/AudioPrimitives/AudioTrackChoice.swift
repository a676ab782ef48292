// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
/// The audio track to read from a file with several, by number or language.
///
/// ```swift
/// configuration.audioTrack = AudioTrackChoice("deu")
/// ```
public struct AudioTrackChoice: Hashable, Sendable {
    private enum Value: Hashable {
        case number(Int)
        case language(String)
    }

    private let value: Value

    /// Creates a choice from a number or a language.
    ///
    /// - Parameter text: The number of the track among the audio tracks, from 1, or an ISO 639 code or BCP 47 tag: `ger`, `deu`, `de` and
    ///   `de-DE` choose a track in `deu`; `und` chooses one without a language. Of several tracks in a language, the default one is read,
    ///   or else the first. Tracks with unsupported codecs come last.
    public init(_ text: String) { value = Int(text).map { .number($0) } ?? .language(text) }

    /// Whether the choice is a positive number or has the form of a language tag.
    package var isValid: Bool {
        switch value {
        case .number(let number): number > 0
        case .language(let text): LanguageTag.isValid(text)
        }
    }

    /// Returns the chosen track of a list, if any.
    package func track(in tracks: [AudioTrack]) -> AudioTrack? {
        switch value {
        case .number(let number): return tracks.first { $0.number == number }
        case .language(let text):
            let wanted = LanguageTag(text)
            let found = tracks.filter { LanguageTag($0.language ?? LanguageTag.undetermined).matches(wanted) }
            let supported = found.filter(\.isSupported)
            return supported.first { $0.isDefault == true } ?? supported.first ?? found.first
        }
    }

    /// Whether the choice is the only track of a container without a list of tracks.
    package var isFirst: Bool { value == .number(1) }
}

extension AudioTrackChoice: CustomStringConvertible {
    /// The number or language.
    public var description: String {
        switch value {
        case .number(let number): "\(number)"
        case .language(let text): text
        }
    }
}
#endif
