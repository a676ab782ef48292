// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMetadata
import AudioPrimitives
import PCMFiles
import SystemFiles

// Joining files with a chapter each, and splitting a file by chapters.
extension ConvertCommand {
    /// Returns the job that joins all inputs, or failing jobs for unreadable ones.
    static func joiningJobs(_ arguments: ParsedArguments, _ configuration: FileConverterConfiguration) throws -> [FileJob] {
        guard let output = arguments.text("output"), !output.hasSuffix("/"), !Folder.exists(output) else {
            throw arguments.failure("--join writes one file; use -o FILE, such as -o book.m4b")
        }
        guard configuration.format != nil || AudioFileFormat(path: output) != nil else {
            throw arguments.failure("unknown output format of \(output); use -o FILE.m4b, or --format")
        }
        if output == "-" { try ConvertOptions.checkPipe(arguments, configuration) }
        let inputs = try InputFiles(arguments)
        let paths = inputs.files.map { $0.path }
        guard !paths.contains("-") else { throw arguments.failure("--join needs files instead of standard input") }
        guard !paths.contains(output) else { throw arguments.failure("\(output) is both an input and the output of --join") }
        guard inputs.errors.isEmpty, let first = paths.first else {
            return inputs.errors.map { error in FileJob(input: error.path, output: nil) { _ in throw error } }
        }
        let name = paths.count == 1 ? PathName.inputName(first) : "\(paths.count) files"
        let others = Self.outsideOfUnits + TagOptions.options.map(\.name)
        let settings = arguments.words(of: options.map(\.name).filter { !others.contains($0) })
        return [
            FileJob(input: name, output: output) { monitor in
                var converter = FileConverter(joining: paths, output: output, configuration: configuration)
                converter.unfinished = UnfinishedJoin(output: output, settings: settings) { monitor.note(text($0, output)) }
                return withoutCopying(ConversionText(input: name, summary: try monitor.run(converter)), isFirst: true)
            }
        ]
    }

    /// Returns the result of a join or a part, without the advice to copy access units.
    ///
    /// - Parameter isFirst: Whether to note that the audio was encoded again: once for all parts.
    private static func withoutCopying(_ text: ConversionText, isFirst: Bool) -> FileResult {
        let codec = text.summary.codec
        var result = text.converted
        result.notes.removeAll { $0 == "\(text.input): \(ConversionNote.remuxingCopies(codec))" }
        // Container names of encoded audio end with the codec.
        if isFirst, codec != .pcm, text.summary.input.containerName.hasSuffix("(\(codec.name))") {
            result.notes.append("\(text.input): \(codec.name) was decoded and re-encoded")
        }
        return result
    }

    /// The options that do not change access units.
    ///
    /// All others must match to resume a previous run.
    private static let outsideOfUnits = ["output", "force", "recursive", "jobs", "json", "quiet"]

    /// Returns a line about the saved state of a previous run.
    private static func text(_ note: UnfinishedJoin.Note, _ output: String) -> String {
        let path = UnfinishedJoin.path(output: output)
        return switch note {
        case .continues(let seconds): "\(output) resumes at \(Format.clock(seconds)) from \(path) of a previous run"
        case .differs: "\(path) has other inputs, settings or versions, or is damaged; \(output) starts from scratch"
        case .inUse: "\(path) is in use by another run; this join will not be resumable"
        case .foreign: "cannot use the join state in \(path); this join will not be resumable"
        case .kept: "\(path) keeps the finished work, which the same command resumes"
        case .notWritten: "cannot write \(path); the rest of this join will not be resumable"
        }
    }

    /// Returns the jobs that write each part of the input to a folder.
    static func splittingJobs(_ rule: SplitRule, _ arguments: ParsedArguments, _ configuration: FileConverterConfiguration) throws
        -> [FileJob]
    {
        try arguments.exclude("split", "range")
        guard arguments.operands.count == 1, let input = arguments.operands.first, input != "-" else {
            throw arguments.failure("--split needs one input file")
        }
        guard let folder = arguments.text("output"), folder != "-" else {
            throw arguments.failure("--split writes several files; use -o FOLDER")
        }
        guard configuration.format != nil || AudioFileFormat(path: input) != nil,
            let type = configuration.format?.fileExtension ?? PathName.fileExtension(input)
        else { throw arguments.failure("no format for the outputs: use --format") }
        let split: ChapterSplit
        let (raw, track) = (configuration.raw, configuration.decoding.audioTrack)
        switch rule {
        case .chapters: split = try ChapterSplit(path: input, raw: raw, audioTrack: track, chapters: configuration.tags.chapters)
        case .interval(let seconds): split = try ChapterSplit(path: input, raw: raw, audioTrack: track, interval: .seconds(seconds))
        case .byteCount, .silence:
            throw arguments.failure("--split by size or silence applies to linnet record; use a time or chapters")
        }
        guard !split.parts.isEmpty else {
            let isTimed = rule != .chapters
            throw arguments.failure(
                isTimed ? "the length of \(input) is unknown; convert it to WAV first" : "no chapters in \(input); use --chapters FILE")
        }
        try OutputPlan.make(folder: folder)
        let digits = max(2, String(split.parts.count).utf8.count)
        return split.parts.enumerated().map { index, part in
            let number = String(index + 1)
            let name = String(repeating: "0", count: digits - number.utf8.count) + number + fileName(part.tags.title ?? "")
            let output = PathName.folder(folder) + name + "." + type
            return FileJob(input: input, output: output) { monitor in
                let converter = FileConverter(input: input, output: output, configuration: configuration.converting(part))
                return withoutCopying(ConversionText(input: input, summary: try monitor.run(converter)), isFirst: index == 0)
            }
        }
    }

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
