// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMetadata
import AudioPrimitives
import PCMFiles
import SystemFiles

/// The parts that `--split` makes of a file, with their output paths.
struct SplitParts {
    let input: String
    /// Each part with its path: a number and the title of a chapter, in the folder of `--output`.
    let outputs: [(part: ChapterSplit.Part, path: String)]

    /// The option of `convert` and `remux` for pauses.
    static let silenceLevel = CommandOption(
        "silence-level", value: "DB", "RMS level below which --split silence hears silence (default: -50)")

    /// Returns the rule of `convert` and `remux`, if any.
    static func rule(_ arguments: ParsedArguments) throws(CommandFailure) -> SplitRule? {
        let rule = try SplitRule.rule(arguments)
        if arguments.has("silence-level"), rule != .silence { throw arguments.failure("--silence-level needs --split silence") }
        return rule
    }

    /// Divides the input of a command line.
    ///
    /// - Parameters:
    ///   - format: The format of the outputs, or `nil` for the input's.
    ///   - chapters: Replacements for the input's chapters, if not empty.
    ///   - raw: The format of headerless PCM, or `nil` to detect the format.
    ///   - container: The container to which access units are copied, or `nil` to decode.
    init(
        _ rule: SplitRule, _ arguments: ParsedArguments, format: AudioFileFormat?, chapters: [AudioTags.Chapter], raw: AudioFormat? = nil,
        copies container: AudioFileFormat? = nil, bySize divide: (_ input: String, _ byteCount: Int) throws -> ChapterSplit
    ) throws {
        try arguments.exclude("split", "range")
        guard arguments.operands.count == 1, let input = arguments.operands.first, input != "-" else {
            throw arguments.failure("--split needs one input file")
        }
        guard let folder = arguments.text("output"), folder != "-" else {
            throw arguments.failure("--split writes several files; use -o FOLDER")
        }
        if AudioFileFormat(path: folder) != nil, !folder.hasSuffix("/"), !Folder.exists(folder) {
            throw arguments.failure("--split needs an output folder; \(folder) is a file name, \(folder)/ a folder")
        }
        guard let type = format?.fileExtension ?? PathName.fileExtension(input) else {
            throw arguments.failure("no format for the outputs: use --format")
        }
        let track = try AudioTrackOption.choice(arguments)
        let split =
            switch rule {
            case .chapters: try ChapterSplit(path: input, raw: raw, audioTrack: track, chapters: chapters)
            case .interval(let seconds):
                try ChapterSplit(path: input, raw: raw, audioTrack: track, interval: .seconds(seconds), container: container)
            case .silence:
                try ChapterSplit(
                    path: input, raw: raw, audioTrack: track,
                    silenceLevel: try arguments.number("silence-level", in: -120...0) ?? Self.usualSilenceLevel)
            case .byteCount(let count): try divide(input, count)
            }
        guard !split.parts.isEmpty else {
            if rule == .chapters, let file = arguments.text("chapters") {
                throw arguments.failure("all chapters of \(file) start after the end of \(input)")
            }
            if rule == .chapters { throw arguments.failure("no chapters in \(input); use --chapters FILE") }
            throw arguments.failure("no space for audio in files of \(arguments.text("split") ?? ""); use a larger size, or --no-tags")
        }
        try OutputPlan.make(folder: folder)
        let digits = max(2, String(split.parts.count).utf8.count)
        self.input = input
        outputs = split.parts.enumerated().map { index, part in
            let number = String(index + 1)
            let name = String(repeating: "0", count: digits - number.utf8.count) + number + Self.fileName(part.tags.title ?? "")
            return (part, PathName.folder(folder) + name + "." + type)
        }
        // Some new parts among old ones would be a mixture.
        if !arguments.has("force"), let old = outputs.first(where: { (try? FileStatus(of: $0.path)) != nil }) {
            throw AudioFileError(.outputExists, path: old.path)
        }
    }

    private static let usualSilenceLevel = -50.0

    /// The maximum size of a title in a file name, in bytes.
    ///
    /// Most file systems allow 255 for the name.
    private static let maximumTitleLength = 120

    /// Returns a title after a space, without characters that file systems reject; empty for an empty title.
    private static func fileName(_ title: String) -> String {
        var name = ""
        for character in title {
            let isRefused = character.unicodeScalars.contains { $0.value < 32 || $0.value == 127 } || "/\\:*?\"<>|".contains(character)
            let written = isRefused ? "_" : character
            guard name.utf8.count + written.utf8.count <= maximumTitleLength else { break }
            name.append(written)
        }
        while let last = name.last, last == " " || last == "." { name.removeLast() }
        return name.isEmpty ? "" : " " + name
    }
}
