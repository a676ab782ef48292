// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioFiles

/// The options for the tags of a file.
enum TagOptions {
    /// All of them, for outputs of any format.
    static let names = [
        CommandOption.title,
        CommandOption("artist", value: "TEXT", "performer or speaker"),
        CommandOption("album", value: "TEXT", "album or collection"),
        CommandOption("date", value: "DATE", "year or date such as 2026-11-20"),
        CommandOption("cover", value: "FILE", "cover picture, JPEG or PNG"),
    ]

    /// All of them, for containers of coded audio.
    static let options = names.map { $0.with($0.name == "cover" ? ", in M4A and Opus" : ", in M4A, CAF and Opus") }

    /// Returns the tags that the options give; reads the cover.
    static func tags(_ arguments: ParsedArguments) throws(CommandFailure) -> AudioTags {
        var tags = AudioTags()
        tags.title = arguments.text("title")
        tags.artist = arguments.text("artist")
        tags.album = arguments.text("album")
        tags.date = arguments.text("date")
        if let path = arguments.text("cover") {
            do throws(AudioFileError) { tags.cover = try AudioTags.Picture(path: path) } catch { throw CommandFailure(error) }
        }
        return tags
    }
}
