// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMetadata
import SystemFiles

/// The tags of recorded files, from the options and the file of `--tags-from`.
struct RecordTags {
    private let requested: AudioTags
    private let others: AudioTags?

    /// Reads the options and their files.
    init(_ arguments: ParsedArguments) throws {
        // `linnet stream` has no tags for its files.
        guard arguments.offers("tags-from") else {
            (requested, others) = (AudioTags(), nil)
            return
        }
        requested = try TagOptions(arguments).tags
        others = try arguments.text("tags-from").map { try AudioTags(contentsOf: $0) }
    }

    /// Returns the tags of an output, and prints a note about tags that it cannot store.
    func tags(of path: String, _ storage: TagStorage) -> AudioTags {
        let tags = OutputTags(requested, input: others, storage: storage)
        if !tags.namesLost.isEmpty {
            StandardError.note("\(PathName.outputName(path)) cannot store the \(tags.namesLost.joined(separator: ", ")); omitted")
        }
        return tags.tags
    }
}
