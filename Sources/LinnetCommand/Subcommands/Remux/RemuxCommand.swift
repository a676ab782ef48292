// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioMetadata
import AudioPrimitives
import JSONText
import SystemFiles

/// `linnet remux`: copies access units to another container.
enum RemuxCommand: Subcommand {
    static let name = "remux"
    static let summary = "copy encoded audio to another container without decoding"
    static let usage = "IN OUT, or IN... -o OUT [OPTIONS]"
    static let options =
        [
            CommandOption.output.with(": a file, a folder for several inputs (with --format), or - for standard output"),
            .format.with(": \(ContainerOption.names)"),
            .force,
            .range.with(
                ", such as 10-12.5, 1:30-2:00, 60- or -5; lengths are exact in CAF and M4A (HE-AAC in M4A: to two frames), and to the access "
                    + "unit elsewhere; samples are exact, except with SBR and noise substitution, whose noise differs inaudibly"
            ),
            AudioTrackOption.option,
            .jobs,
            .json,
            .quiet,
        ] + TagOptions.options
    static let details = """
        IN is ADTS, LOAS, MP4, M4A, 3GP, QuickTime, CAF, MPEG-TS, DAB+, Ogg Opus or iLBC; OUT is .aac, .m4a, .caf, .loas, .ts, .dabp, .opus or
        .lbc, if it supports the codec; - is standard input or output. Access units are copied unchanged, with encoder delay, padding, tags
        and pictures; a note lists those that OUT cannot store. With --force, OUT can be IN: the file is replaced when the new one is
        complete.
        """
    static let examples = [
        (command: "linnet remux song.aac song.m4a", meaning: "for players that need M4A"),
        (command: "linnet remux *.aac -o album/ --format m4a", meaning: "several files to a folder"),
        (command: "linnet remux talk.m4a part.m4a --range 1:30-2:00", meaning: "a part, without loss"),
        (command: "linnet remux song.m4a song.m4a --force --genre Jazz --track 3/12", meaning: "other tags, same audio"),
        (command: "linnet remux film.mp4 sound.m4a --audio-track deu", meaning: "the German sound of a film, without loss"),
        (command: "linnet remux film.mp4 - --format adts | ffplay -", meaning: "the AAC track as a stream"),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        var arguments = arguments
        if arguments.text("output") == nil {
            guard arguments.operands.count == 2 else { throw arguments.failure("remux needs an input and an output, or inputs and -o OUT") }
            arguments.append(arguments.operands.removeLast(), for: "output")
        }
        guard !arguments.operands.isEmpty else { throw arguments.failure("missing input file") }
        let named = try ContainerOption.named(arguments)
        let plan = OutputPlan(arguments: arguments, fileExtension: named?.fileExtension) {
            [arguments] path throws(CommandFailure) in
            if named == nil { _ = try ContainerOption.container(of: path, arguments) }
        }
        let outputs = try plan.outputs(for: arguments.operands.map { InputFile(path: $0) })
        let overwrites = arguments.has("force")
        let range = try arguments.durationRange()
        let audioTrack = try AudioTrackOption.choice(arguments)
        let tags = try TagOptions(arguments)
        let jobs = try zip(arguments.operands, outputs).map { input, output in
            let container = try named ?? ContainerOption.container(of: output, arguments)
            return FileJob(input: input, output: output) { monitor in
                var configuration = FileRemuxerConfiguration()
                configuration.container = container
                configuration.overwrites = overwrites
                configuration.range = range
                configuration.audioTrack = audioTrack
                (configuration.tags, configuration.inheritsTags) = (tags.tags, tags.inheritsTags)
                return try remux(
                    FileRemuxer(input: input, output: output, configuration: configuration), input, output, container, monitor)
            }
        }
        let jobCount = min(try arguments.integer("jobs", in: 1...1024) ?? WorkerThreads.processorCount, jobs.count)
        return try FileJobRunner(jobs, arguments, verb: "copied").run(threadCount: jobCount)
    }

    private static func remux(
        _ remuxer: FileRemuxer, _ input: String, _ output: String, _ container: AudioFileFormat, _ monitor: FileJobMonitor
    ) throws -> FileResult {
        let summary = try remuxer.run()
        let (input, output) = (PathName.inputName(input), PathName.outputName(output))
        let frameCount = summary.gapless?.validFrames ?? summary.frameCount
        monitor.noteLateChapters(remuxer.configuration.tags, after: Double(frameCount) / Double(max(1, summary.timescale)), of: output)
        var result = FileResult(
            text: "\(input) -> \(output): \(summary.accessUnitCount) access units, \(summary.byteCount) bytes",
            members: [
                ("container", .string(container.name)), ("accessUnits", .integer(summary.accessUnitCount)),
                ("frames", .integer(summary.frameCount)), ("bytes", .integer(summary.byteCount)),
                ("lostBytes", .integer(summary.lostByteCount)), ("missingUnits", .integer(summary.missingUnitCount)),
                ("losesTags", .bool(summary.losesTags)), ("tagsLeftOut", .array(summary.namesOfLostTags.map { .string($0) })),
                ("restoredFrames", .integer(summary.restoredFrameCount)), ("losesOrder", .bool(summary.losesOrder)),
            ])
        result.notes = notes(summary, input, output)
        if remuxer.configuration.audioTrack == nil, let note = AudioTrackOption.note(summary.audioTracks) {
            result.notes.append("\(input): \(note)")
        }
        result.warnings = warnings(summary, input)
        if !result.warnings.isEmpty { result.exitCode = .damagedInput }
        return result
    }

    /// Returns notes about parts of an intact input that the output lacks.
    private static func notes(_ summary: RemuxingSummary, _ input: String, _ output: String) -> [String] {
        var notes: [String] = []
        if summary.losesTags {
            notes.append("\(input): \(OutputTags.note(summary.namesOfLostTags, formatName: summary.container.name))")
        }
        if summary.restoredFrameCount > 0 {
            notes.append("\(output) plays \(summary.restoredFrameCount) sample frames that \(input) skips")
        }
        if summary.losesOrder { notes.append("\(input) plays parts repeatedly or in another order, and \(output) does not") }
        return notes
    }

    /// Returns messages about damage.
    private static func warnings(_ summary: RemuxingSummary, _ input: String) -> [String] {
        var warnings: [String] = []
        if summary.lostByteCount > 0 { warnings.append("skipped \(summary.lostByteCount) damaged bytes of \(input)") }
        if summary.missingUnitCount > 0 {
            warnings.append(DecodingStatistics.warning(missingUnitCount: summary.missingUnitCount, of: input))
        }
        return warnings
    }
}
