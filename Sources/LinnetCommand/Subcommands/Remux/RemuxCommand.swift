// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioMetadata
import AudioPrimitives
import JSONText
import PCMFiles
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
            .profile.with(": xhe recodes AAC-LC or HE-AAC as xHE-AAC with the same quantized values, mostly up to 10 % smaller"),
            CommandOption.join.with(", without gaps in M4A and Ogg Opus; a note counts what remains elsewhere"),
            SplitRule.option.with(", in the folder OUT; M4A, CAF and Opus are cut exactly, others after the access unit"),
            SplitParts.silenceLevel,
            .jobs,
            .json,
            .quiet,
            XHEAACOptions.statedLoudness,
            XHEAACOptions.accessPoints,
        ] + TagOptions.options
    static let details = """
        IN is ADTS, LOAS, MP4, M4A, 3GP, QuickTime, Matroska, WebM, CAF, MPEG-TS, DAB+, Ogg Opus or iLBC; OUT is .aac, .m4a, .caf, .loas,
        .ts, .dabp, .opus or .lbc, if it supports the codec; - is standard input or output. Access units are copied unchanged, with encoder
        delay, padding, tags and pictures; a note lists those that OUT cannot store. With --force, OUT can be IN: the file is replaced when
        the new one is complete.

        --profile xhe keeps the quantized spectra and the SBR data of AAC-LC and HE-AAC, and writes M4A, CAF, LOAS or MPEG-TS. The samples of
        AAC-LC are identical; the noise of SBR has other phases. Inputs with perceptual noise substitution, intensity stereo or parametric
        stereo are refused, because xHE-AAC lacks these tools. IN is decoded once to measure the loudness that xHE-AAC states; for a pipe,
        state it. ADTS and DAB+ do not support xHE-AAC.

        --join needs inputs with the same codec configuration. Players omit the priming and padding between them in M4A by the edit list; those
        without edit lists play it. Parts of --split start with the access units that a decoder needs, which players omit likewise.
        """
    static let examples = [
        (command: "linnet remux song.aac song.m4a", meaning: "for players that need M4A"),
        (command: "linnet remux *.aac -o album/ --format m4a", meaning: "several files to a folder"),
        (command: "linnet remux talk.m4a part.m4a --range 1:30-2:00", meaning: "a part, without loss"),
        (command: "linnet remux song.m4a song.m4a --force --genre Jazz --track 3/12", meaning: "other tags, same audio"),
        (command: "linnet remux film.mp4 sound.m4a --audio-track deu", meaning: "the German sound of a film, without loss"),
        (command: "linnet remux part*.m4a --join -o book.m4b", meaning: "a book with a chapter per file, without loss"),
        (command: "linnet remux book.m4b -o chapters/ --split chapters", meaning: "a file per chapter, without loss"),
        (command: "linnet remux song.m4a small.m4a --profile xhe", meaning: "AAC-LC as xHE-AAC, smaller, same samples"),
        (command: "linnet remux film.mp4 - --format adts | ffplay -", meaning: "the AAC track as a stream"),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        var arguments = arguments
        try arguments.exclude("join", "split")
        try arguments.exclude("join", "profile")
        let rule = try SplitParts.rule(arguments)
        if arguments.has("join") || rule != nil { return try runBook(rule, arguments) }
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
        let shared = try configuration(arguments)
        let jobs = try zip(arguments.operands, outputs).map { input, output in
            var configuration = shared
            configuration.container = try named ?? ContainerOption.container(of: output, arguments)
            return FileJob(input: input, output: output) { [configuration] monitor in
                try remux(FileRemuxer(input: input, output: output, configuration: configuration), PathName.inputName(input), monitor)
            }
        }
        return try run(jobs, arguments)
    }

    /// Joins the inputs, or splits one.
    private static func runBook(_ rule: SplitRule?, _ arguments: ParsedArguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else { throw arguments.failure("missing input file") }
        let shared = try configuration(arguments)
        return try run(rule.map { try splittingJobs($0, arguments, shared) } ?? joiningJobs(arguments, shared), arguments)
    }

    private static func run(_ jobs: [FileJob], _ arguments: ParsedArguments) throws -> ExitCode {
        let jobCount = min(try arguments.integer("jobs", in: 1...1024) ?? WorkerThreads.processorCount, jobs.count)
        return try FileJobRunner(jobs, arguments, verb: "copied").run(threadCount: jobCount)
    }

    /// Returns the settings that all inputs share.
    private static func configuration(_ arguments: ParsedArguments) throws -> FileRemuxerConfiguration {
        var configuration = FileRemuxerConfiguration()
        let tags = try TagOptions(arguments)
        configuration.container = try ContainerOption.named(arguments)
        configuration.overwrites = arguments.has("force")
        configuration.range = try arguments.durationRange()
        configuration.audioTrack = try AudioTrackOption.choice(arguments)
        let profiles = [(name: "xhe", value: true)]
        configuration.recodesToXHEAAC = try arguments.choice("profile", profiles, aliases: ["xheaac": "xhe", "usac": "xhe"]) ?? false
        let values = try XHEAACOptions.values(arguments, isOutput: configuration.recodesToXHEAAC)
        configuration.statedLoudness = values.loudness
        if let interval = values.accessPointInterval { configuration.accessPointInterval = .seconds(interval) }
        (configuration.tags, configuration.discTags, configuration.inheritsTags) = (tags.tags, tags.discTags, tags.inheritsTags)
        return configuration
    }

    /// Copies the access units of one or more files.
    ///
    /// - Parameter input: The name of the input in messages.
    static func remux(_ remuxer: FileRemuxer, _ input: String, _ monitor: FileJobMonitor) throws -> FileResult {
        let output = PathName.outputName(remuxer.output)
        let summary: RemuxingSummary
        do {
            summary = try remuxer.run()
        } catch {
            guard error.code == .outputIsInput, remuxer.configuration.range == nil else { throw error }
            throw CommandFailure(.unwritableOutput, "\(output) is the input; --force replaces it")
        }
        monitor.noteLateChapters(remuxer.configuration.tags, after: summary.seconds, of: output)
        var result = FileResult(
            text: "\(input) -> \(output): \(summary.accessUnitCount) access units, \(summary.byteCount) bytes",
            members: [
                ("container", .string(remuxer.configuration.container?.name ?? summary.container.name)),
                ("accessUnits", .integer(summary.accessUnitCount)),
                ("frames", .integer(summary.frameCount)), ("bytes", .integer(summary.byteCount)),
                ("lostBytes", .integer(summary.lostByteCount)), ("missingUnits", .integer(summary.missingUnitCount + summary.gapUnitCount)),
                ("losesTags", .bool(summary.losesTags)), ("tagsLeftOut", .array(summary.namesOfLostTags.map { .string($0) })),
                ("unitsWithoutMetadata", .integer(summary.droppedMetadataUnitCount)),
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
        if summary.hasFalsePositions { notes.append("\(input): \(ConversionNote.falsePositions)") }
        if summary.isUnfinished { notes.append("\(input): \(ConversionNote.unfinished)") }
        if summary.restoredFrameCount > 0 {
            notes.append("\(output) plays \(summary.restoredFrameCount) sample frames that \(input) skips")
        }
        if summary.droppedMetadataUnitCount > 0 {
            notes.append(
                "\(output) lacks the data stream elements and dynamic range control of "
                    + "\(Format.count(summary.droppedMetadataUnitCount, "access unit"))")
        }
        if let distance = summary.accessPointDistance {
            let seconds = Format.fixed(Double(distance) / Double(max(1, summary.timescale)), digits: 0)
            notes.append("\(output): players cannot start for \(seconds) s, because two of its access units exceed 6144 bits per channel")
        }
        if summary.losesOrder { notes.append("\(input) plays parts repeatedly or in another order, and \(output) does not") }
        return notes + joinNotes(summary, output)
    }

    /// Returns messages about damage.
    private static func warnings(_ summary: RemuxingSummary, _ input: String) -> [String] {
        var warnings: [String] = []
        if summary.lostByteCount > 0 { warnings.append("skipped \(summary.lostByteCount) damaged bytes of \(input)") }
        if summary.gapUnitCount > 0 {
            let count = Format.count(summary.gapUnitCount, "access unit")
            warnings.append("\(count) missing inside \(input); the following ones are early in the output")
        }
        if summary.missingUnitCount > 0 {
            warnings.append(DecodingStatistics.warning(missingUnitCount: summary.missingUnitCount, of: input))
        }
        return warnings
    }
}
