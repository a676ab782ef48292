// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import BatchEncoding
import JSONText
import PCMFiles
import SystemFiles

/// `linnet batch`: encodes folders and lists of files, skipping finished files.
package enum BatchCommand: Subcommand {
    package static let name = "batch"
    package static let summary = "encode archives: folders and lists of files, skipping finished files"
    package static let usage = "SOURCE... -o FOLDER [OPTIONS]"
    package static let options =
        [
            CommandOption.output.with(": the output folder"),
            .format.with(": m4a (default), adts, caf, loas, ts, opus, dabp, flac, oga, wav or aiff"),
            .sampleFormat.with(": s16, s24, s32 or f32, for lossless formats (default: keeps all input bits)"),
            CommandOption("results", value: "FILE", "write a line of JSON for each finished file"),
            LoudnessOptions.album.with(
                "; an album is a folder of inputs, and without --normalize the gain is stored as for --loudness"),
            CommandOption("verify", "decode each output, and compare length and noise with the input"),
            CommandOption("noise-limit", value: "DB", "with --verify: maximum mean noise-to-mask ratio"),
            CommandOption("dry-run", "only list files to encode, with reasons"),
            CommandOption("prune", "remove outputs of a previous batch whose inputs are gone; with --dry-run list them"),
            CommandOption("checksum", "compare checksums even if sizes and times match"),
            CommandOption("any-version", "accept outputs of other versions of linnet"),
            CommandOption.jobs.with(" (default: the number of processors)"),
            CommandOption("memory", value: "BYTES", "memory for encoders, such as 512M; limits the number of threads"),
            CommandOption("open-files", value: "N", "maximum number of open files"),
            CommandOption("grace", value: "SECONDS", "time to finish current files after SIGTERM or Ctrl-C (default: 10)"),
            CommandOption("slurm", "write and submit job scripts for a Slurm cluster; with --dry-run only write them"),
            CommandOption("status", "show the progress of tasks on a Slurm cluster"),
            CommandOption("array", value: "N", "with --slurm: number of tasks (default: 8); --jobs sets the processors per task"),
            CommandOption("partition", value: "NAME", "with --slurm: cluster partition"),
            CommandOption("account", value: "NAME", "with --slurm: account to charge"),
            CommandOption("time", value: "LIMIT", "with --slurm: time limit per task, such as 2:00:00"),
            CommandOption("work", value: "FOLDER", "with --slurm: folder for lists, scripts and results (default: OUT/.linnet-slurm)"),
            CommandOption("parts", value: "FOLDER", "share segments of long files with other runs through this folder"),
            CommandOption("contribute", "only encode segments of long files to --parts"),
            CommandOption("merge", "only merge the results of Slurm tasks"),
            .force.with(" of other programs, and encode everything again"),
            .json,
            .quiet,
        ] + encoderOptions
    package static let details = """
        SOURCE is a folder, an audio file, a list, or - for a list on standard input. Lists are .csv with a header, .jsonl, or .txt and .m3u
        with one path per line. The columns or members are input, output (below -o; default: named after the input) and options of linnet
        encode for that file, such as bitrate.

        Files found in a folder keep their paths below it; named files keep their relative paths, as in OUT/music/a.m4a for music/a.wav.
        Each output has a record, OUT.linnet.json. A file that matches its record (settings, version, input, output) is skipped, also after
        an interruption. Outputs appear only when they are complete. A bad file does not stop the others: the exit status is 14 if some
        files failed, 15 if all did. A full disk stops the batch.
        """
    package static let examples = [
        (command: "linnet batch archive -o phone -b 96k", meaning: "a folder with its subfolders, on all processors"),
        (command: "linnet batch archive -o flac -f flac", meaning: "to FLAC, with tags and pictures"),
        (command: "linnet batch music -o phone -b 128k --album-gain", meaning: "with the gain of each folder stored for players"),
        (command: "linnet batch list.csv -o out --verify --results out.jsonl", meaning: "a list with settings for each file, verified"),
        (command: "linnet batch archive -o phone -b 96k --dry-run", meaning: "files that changed since then"),
        (command: "linnet batch archive -o phone -b 96k --slurm --array 20", meaning: "on a Slurm cluster, as 20 tasks"),
        (command: "linnet batch -o phone --status", meaning: "their progress"),
    ]

    /// The options of `linnet encode` that apply to files of a batch.
    static let encoderOptions = EncodeCommand.options.filter { option in
        !["output", "format", "force", "jobs", "threads", "json", "quiet", "verbose", "album-gain"].contains(option.name)
    }

    /// Encodes all files of the sources.
    package static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        try arguments.exclude("json", "quiet")
        guard arguments.text("output") != nil || arguments.has("work") else {
            throw arguments.failure("missing output folder; use -o FOLDER")
        }
        for option in ["slurm", "status", "merge", "contribute"] { try arguments.exclude("prune", option) }
        // A task does not have all files of an album.
        for option in ["slurm", "contribute"] { try arguments.exclude("album-gain", option) }
        for option in ["results", "parts", "contribute", "grace", "json"] { try arguments.exclude("slurm", option) }
        for option in ["merge", "contribute"] { try arguments.exclude("json", option) }
        for option in ["array", "partition", "account", "time"] where arguments.has(option) && !arguments.has("slurm") {
            throw arguments.failure("--\(option) needs --slurm")
        }
        if arguments.has("status") { return try SlurmCommand.status(arguments) }
        if arguments.has("merge") { return try SlurmCommand.merge(arguments) }
        guard !arguments.operands.isEmpty else { throw arguments.failure("missing source") }
        guard arguments.text("output") != nil else { throw arguments.failure("missing output folder; use -o FOLDER") }
        let options = try options(arguments)
        let grace = Duration.seconds(try arguments.number("grace", in: 0...86_400) ?? 10)
        let files = try BatchSources(arguments).files()
        if arguments.has("slurm") { return try SlurmCommand.submit(files, arguments, options) }
        let batch = BatchEncoder(files, options: options)
        let log = try BatchLog(batch, arguments)
        SignalWatcher.start { number in
            guard log.beginInterruption(number) else {
                OutputFile.discardAllPartialFiles()
                SignalWatcher.die(of: number)
            }
            batch.stop(grace: grace)
        }
        if arguments.has("contribute") {
            batch.contribute { log.add($0) }
            return try log.finishContribution()
        }
        log.startProgress()
        let totals = batch.run { log.add($0) }
        if arguments.has("prune"), let target = arguments.text("output") { try log.prune(PathName.folder(target), files) }
        return try log.finish(totals)
    }

    /// Returns the requested limits and checks.
    private static func options(_ arguments: ParsedArguments) throws(CommandFailure) -> BatchOptions {
        var options = BatchOptions()
        options.processorCount = try arguments.integer("jobs", in: 1...4096)
        options.memory = try arguments.text("memory").map { text throws(CommandFailure) in
            guard let size = ByteSize.parse(text) else {
                throw arguments.failure("invalid --memory value '\(text)'; use a size such as 512M")
            }
            return size
        }
        options.openFiles = try arguments.integer("open-files", in: 20...1_048_576)
        options.segmentFolder = arguments.text("parts")
        if arguments.has("contribute"), options.segmentFolder == nil { throw arguments.failure("--contribute needs --parts") }
        options.replaces = arguments.has("force")
        options.readsAll = arguments.has("checksum")
        options.acceptsOtherVersions = arguments.has("any-version")
        options.isDryRun = arguments.has("dry-run")
        options.groupsAlbums = arguments.has("album-gain")
        let limit = try arguments.number("noise-limit", in: -30...60)
        if arguments.has("verify") { options.verification = BatchOptions.Verification(noiseLimit: limit) }
        if limit != nil, !arguments.has("verify") { throw arguments.failure("--noise-limit needs --verify") }
        return options
    }
}
