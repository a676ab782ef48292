// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioFiles

/// Options that say what a file tells people about its sound.
enum TagOptions {
    static let options = [
        CommandOption("title", value: "TEXT", help: "name of the piece, in M4A and CAF"),
        CommandOption("artist", value: "TEXT", help: "who plays or speaks, in M4A and CAF"),
        CommandOption("album", value: "TEXT", help: "the collection it belongs to, in M4A and CAF"),
        CommandOption("date", value: "DATE", help: "a year or a date like 2026-11-20, in M4A and CAF"),
        CommandOption("cover", value: "FILE", help: "a picture, JPEG or PNG, in M4A"),
    ]

    static func tags(_ arguments: ParsedArguments) throws -> AudioTags {
        var tags = AudioTags()
        tags.title = arguments.text("title")
        tags.artist = arguments.text("artist")
        tags.album = arguments.text("album")
        tags.date = arguments.text("date")
        if let path = arguments.text("cover") {
            do {
                tags.cover = try AudioTags.Picture(path: path)
            } catch let error as CoverError {
                throw CommandFailure(.unsuitableInput, error.description)
            }
        }
        return tags
    }
}
