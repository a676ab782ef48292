// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioPrimitives
import JSONText
import PCMFiles
import Synchronization
import SystemFiles

/// `linnet gain`: changes the level of AAC files without encoding.
enum GainCommand: Subcommand {
    static let name = "gain"
    static let summary = "change the level of AAC files without encoding, and undo it"
    static let usage = "IN... --gain DB, or --normalize LUFS, or --undo [OPTIONS]"
    static let options = [
        CommandOption.gain.with(", in steps of 1.505 dB, or 3.01 dB with coarse SBR envelopes"),
        LoudnessOptions.normalize.with(", as close as the steps permit"),
        CommandOption("undo", "restore the exact bytes from before all gains"),
        LoudnessOptions.album.with(""),
        CommandOption("approximate", "let envelopes of the high band deviate where they cannot be quieter or louder, and count them"),
        .output.with(": a changed copy, or a folder for several inputs (default: replace the input)"),
        .force,
        .jobs,
        .json,
        .quiet,
    ]
    static let details = """
        IN is AAC-LC, HE-AAC, HE-AAC v2, AAC-LD, AAC-ELD or xHE-AAC in M4A, MP4, 3GP, QuickTime, CAF, ADTS or LOAS. The gain fields of the
        access units change; nothing is encoded again, and all sizes stay. A record in the file undoes all gains; LOAS has no place for one.
        Loudness tags are adjusted. Without -o, the file is replaced when the new one is complete. Streams with other tools (LPD, PVC, Main,
        LTP), levels out of range and gains that clip are refused. Silence does not change.
        """
    static let examples = [
        (command: "linnet gain song.m4a --gain -3", meaning: "3.01 dB quieter"),
        (command: "linnet gain album/*.m4a --normalize -18LUFS --album-gain", meaning: "an album, with its differences in level"),
        (command: "linnet gain talk.aac -o quiet.aac --normalize -23LUFS", meaning: "a changed copy"),
        (command: "linnet gain song.m4a --undo", meaning: "the original file"),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else { throw arguments.failure("missing input file") }
        guard !arguments.operands.contains("-") else { throw arguments.failure("gain reads files, not standard input") }
        let gain = try change(arguments)
        let targets = try targets(arguments)
        let album = gain.isAlbum ? AlbumRun(gain, targets) : nil
        let jobs = targets.indices.map { index in
            let target = targets[index]
            return FileJob(input: target.input, output: target.output) { monitor in
                let progress = { (time: MediaTime) in
                    monitor.progress(JobProgress(seconds: time.seconds))
                    return true
                }
                let result = try album?.result(index, progress) ?? gain.run([target], progress)[0]
                return try self.result(result, of: target, gain)
            }
        }
        let jobCount = min(try arguments.integer("jobs", in: 1...1024) ?? WorkerThreads.processorCount, jobs.count)
        return try FileJobRunner(jobs, arguments, verb: "changed").run(threadCount: album == nil ? jobCount : 1)
    }

    /// Runs the whole album with its first job.
    private final class AlbumRun: Sendable {
        private let gain: LosslessGain
        private let targets: [LosslessGain.Target]
        private let results = Mutex<Result<[LosslessGain.Result], AudioFileError>?>(nil)

        init(_ gain: LosslessGain, _ targets: [LosslessGain.Target]) { (self.gain, self.targets) = (gain, targets) }

        func result(_ index: Int, _ progress: (MediaTime) -> Bool) throws -> LosslessGain.Result {
            try results.withLock { results in
                let run = results ?? Result { () throws(AudioFileError) in try gain.run(targets, progress) }
                results = run
                return try run.get()[index]
            }
        }
    }

    /// Returns the change of a command line.
    private static func change(_ arguments: ParsedArguments) throws(CommandFailure) -> LosslessGain {
        let given = ["gain", "normalize", "undo"].filter(arguments.has)
        guard given.count == 1 else { throw arguments.failure("gain needs one of --gain, --normalize and --undo") }
        if arguments.has("undo"), arguments.has("album-gain") { throw arguments.failure("--undo and --album-gain exclude each other") }
        var result = LosslessGain.undo
        if let decibels = try arguments.number("gain", in: -200...200) { result = LosslessGain(decibels: decibels) }
        if let loudness = try LoudnessOptions.integrated(arguments) { result = LosslessGain(loudness: loudness) }
        result.isAlbum = arguments.has("album-gain")
        result.isApproximate = arguments.has("approximate")
        return result
    }

    /// Returns the files to change: copies in a folder, one copy, or the inputs.
    private static func targets(_ arguments: ParsedArguments) throws(CommandFailure) -> [LosslessGain.Target] {
        let inputs = arguments.operands
        let files = inputs.compactMap { (try? FileStatus(of: $0))?.identity }
        guard Set(files).count == files.count else { throw arguments.failure("an input was given more than once") }
        guard let output = arguments.text("output") else {
            if arguments.has("force") { throw arguments.failure("--force needs -o OUT") }
            return inputs.map { LosslessGain.Target(input: $0, output: nil) }
        }
        if output == "-", inputs.count > 1 { throw arguments.failure("cannot write several outputs to standard output") }
        try OutputPlan.checkStandardOutput(output, arguments)
        let isFolder = inputs.count > 1 || output.hasSuffix("/") || Folder.exists(output)
        if isFolder {
            do {
                try OutputPlan.make(folder: output)
            } catch {
                throw CommandFailure(error)
            }
        } else if let named = AudioFileFormat(path: output), let format = AudioFileFormat(path: inputs[0]), named != format {
            throw arguments.failure("linnet gain keeps the format of \(inputs[0]); use -o FILE.\(format.fileExtension)")
        }
        let outputs = inputs.map { isFolder ? PathName.folder(output) + PathName.lastComponent($0) : output }
        guard Set(outputs).count == outputs.count else {
            throw arguments.failure("two inputs have the same name; use another folder for each")
        }
        return zip(inputs, outputs).map { LosslessGain.Target(input: $0, output: $1, overwrites: arguments.has("force")) }
    }

    private static func result(_ result: LosslessGain.Result, of target: LosslessGain.Target, _ gain: LosslessGain) throws -> FileResult {
        let name = PathName.lastComponent(target.input)
        let amount = decibels(result.gain)
        let target = target.output.map { "\(target.input) -> \($0)" } ?? target.input
        let isUndo = gain == .undo
        let loudness = LoudnessText.parts(result.loudness).map { ", was \($0)" }.joined()
        var file = FileResult(
            text: isUndo
                ? "\(target): restored, \(amount)"
                : "\(target): \(amount), in steps of \(Format.fixed(result.step, digits: 3)) dB\(loudness)",
            members: [
                ("gain", .rounded(result.gain, digits: 3)), ("step", .rounded(result.step, digits: 3)),
                ("total", result.total.map { .rounded($0, digits: 3) } ?? .null), ("accessUnits", .integer(result.accessUnitCount)),
                ("lostBytes", .integer(result.lostByteCount)), ("deviatingUnits", .integer(result.deviatingUnitCount)),
                ("deviation", .rounded(result.deviation, digits: 3)), ("loudness", result.loudness.map(LoudnessText.json) ?? .null),
            ])
        if result.total == nil, result.gain != 0 {
            file.notes.append("\(name) has no place for a record; --gain \(Format.fixed(-result.gain, digits: 2)) reverses the gain")
        }
        if result.deviatingUnitCount > 0 {
            let deviation = Format.fixed(result.deviation, digits: 2)
            file.notes.append(
                "the high band of \(result.deviatingUnitCount) of \(result.accessUnitCount) access units of \(name) deviates by up to "
                    + "\(deviation) dB")
        }
        if let note = AudioTrack.note(result.audioTracks) { file.notes.append("\(name): \(note)") }
        if result.lostByteCount > 0 {
            file.warnings.append("left \(result.lostByteCount) damaged bytes of \(name) as they are")
            file.exitCode = .damagedInput
        }
        return file
    }

    private static func decibels(_ gain: Double) -> String { (gain < 0 ? "" : "+") + Format.fixed(gain, digits: 2) + " dB" }
}
