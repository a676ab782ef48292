// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMetadata
import SystemFiles

/// The tags of recorded files: those of the options, and of the file that `--tags-from` names.
struct RecordTags {
    private let requested: AudioTags
    private let others: AudioTags?

    /// Reads the options, and the files that they name.
    init(_ arguments: ParsedArguments) throws {
        // `linnet stream` writes files only beside servers, and has no tags for them.
        guard arguments.offers("tags-from") else {
            (requested, others) = (AudioTags(), nil)
            return
        }
        requested = try TagOptions(arguments).tags
        others = try arguments.text("tags-from").map { try AudioTags(contentsOf: $0) }
    }

    /// Returns the tags of an output; prints a note about those that it can't hold.
    func tags(of path: String, _ storage: TagStorage) -> AudioTags {
        let tags = OutputTags(requested, input: others, storage: storage)
        if !tags.namesLost.isEmpty {
            StandardError.complain(
                "note: \(PathName.outputName(path)) can't hold the \(tags.namesLost.joined(separator: ", ")), left out", .information)
        }
        return tags.tags
    }
}
