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
        try OutputPlan.checkStandardOutput(output, arguments)
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
                return notingOnce(try text(converter, name, monitor), isFirst: true)
            }
        ]
    }

    /// Returns the result of a join or a part, with one note that audio was encoded again for all parts.
    private static func notingOnce(_ text: ConversionText, isFirst: Bool) -> FileResult {
        let codec = text.summary.codec
        var result = text.converted
        let note = "\(text.input): \(ConversionNote.remuxingCopies(codec))"
        if !isFirst { result.notes.removeAll { $0 == note } }
        if isFirst, codec != .pcm, !result.notes.contains(note), text.summary.input.codec?.codecName == codec.name {
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
        guard configuration.format != nil || arguments.operands.first.flatMap({ AudioFileFormat(path: $0) }) != nil else {
            throw arguments.failure("no format for the outputs: use --format")
        }
        let parts = try SplitParts(
            rule, arguments, format: configuration.format, chapters: configuration.tags.chapters, raw: configuration.raw
        ) { input, byteCount in
            let type = configuration.format?.fileExtension ?? PathName.fileExtension(input) ?? ""
            let converter = FileConverter(input: input, output: "part." + type, configuration: configuration)
            guard let duration = try converter.duration(ofByteCount: byteCount) else {
                throw arguments.failure(
                    "--split by size applies to PCM and FLAC; convert to one file, then linnet remux FILE -o FOLDER --split "
                        + "\(arguments.text("split") ?? "")")
            }
            return duration > .zero
                ? try ChapterSplit(
                    path: input, raw: configuration.raw, audioTrack: configuration.decoding.audioTrack, interval: duration)
                : ChapterSplit()
        }
        return parts.outputs.enumerated().map { index, output in
            FileJob(input: parts.input, output: output.path) { monitor in
                let settings = configuration.converting(output.part)
                let converter = FileConverter(input: parts.input, output: output.path, configuration: settings)
                return notingOnce(try text(converter, parts.input, monitor), isFirst: index == 0)
            }
        }
    }
}
