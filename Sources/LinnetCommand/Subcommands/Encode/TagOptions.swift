// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioFiles

/// The options for the tags of a file.
enum TagOptions {
    /// All of them.
    static let options = [
        CommandOption.title.with(", in M4A, CAF and Opus"),
        CommandOption("artist", value: "TEXT", "performer or speaker, in M4A, CAF and Opus"),
        CommandOption("album", value: "TEXT", "album or collection, in M4A, CAF and Opus"),
        CommandOption("date", value: "DATE", "year or date such as 2026-11-20, in M4A, CAF and Opus"),
        CommandOption("cover", value: "FILE", "cover picture, JPEG or PNG, in M4A and Opus"),
    ]

    /// Returns the tags that the options give; reads the cover.
    static func tags(_ arguments: ParsedArguments) throws -> AudioTags {
        var tags = AudioTags()
        tags.title = arguments.text("title")
        tags.artist = arguments.text("artist")
        tags.album = arguments.text("album")
        tags.date = arguments.text("date")
        if let path = arguments.text("cover") {
            tags.cover = try AudioTags.Picture(path: path)
        }
        return tags
    }
}
