// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives

/// The option `--audio-track`, for inputs with several audio tracks.
enum AudioTrackOption {
    static let option = CommandOption(
        "audio-track", value: "N|LANGUAGE",
        "audio track to read: its number in linnet probe, or a language such as deu or de (default: the first that players choose)")

    /// The end of a note about ignored tracks.
    static let advice = "; --audio-track chooses another"

    static func choice(_ arguments: ParsedArguments) throws(CommandFailure) -> AudioTrackChoice? {
        guard let text = arguments.text(option.name) else { return nil }
        let choice = AudioTrackChoice(text)
        guard choice.isValid else {
            throw arguments.failure("invalid --audio-track value '\(text)'; use a number from 1, or a language such as deu or de")
        }
        return choice
    }

    /// Returns an input that is read beside another one, with the choice only if it has several audio tracks.
    static func input(_ path: String, besides other: String, _ choice: AudioTrackChoice?) -> AudioFileInput {
        let hasSeveral = choice != nil && path != "-" && AudioFileInput.file(path).hasSeveralAudioTracks
        let isNeeded = hasSeveral || (other != "-" && !AudioFileInput.file(other).hasSeveralAudioTracks)
        return .file(path, audioTrack: isNeeded ? choice : nil)
    }

    /// Returns a line about ignored tracks, or `nil` without any.
    static func note(_ tracks: [AudioTrack]) -> String? { AudioTrack.note(tracks).map { $0 + advice } }
}
