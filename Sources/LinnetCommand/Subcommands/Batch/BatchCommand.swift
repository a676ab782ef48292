// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import BatchEncoding
import JSONText
import PCMFiles
import SystemFiles

/// `linnet batch`: encodes folders and lists of files, skipping finished files.
package enum BatchCommand: Subcommand {
    package static let name = "batch"
    package static let summary = "encode whole archives: folders and lists of files, again and again only what is new"
    package static let usage = "SOURCE... -o FOLDER [OPTIONS]"
    package static let options =
        [
            CommandOption.output.with(": the folder of the outputs, with the folders of the sources in it"),
            .format.with(": m4a (default), adts, caf, loas, ts or opus"),
            CommandOption("results", value: "FILE", "write a line of JSON for each file, as soon as it is done"),
            CommandOption("verify", "decode each output, and compare length and noise with the input, before it gets its name"),
            CommandOption("noise-limit", value: "DB", "with --verify: the highest mean noise-to-mask ratio"),
            CommandOption("dry-run", "list what would be encoded and why, and encode nothing"),
            CommandOption("prune", "remove outputs in -o that a batch has made of inputs that are gone; with --dry-run list them"),
            CommandOption("checksum", "compare contents with the checksums of records also where sizes and times are the same"),
            CommandOption("any-version", "outputs of other versions of linnet count as done"),
            CommandOption.jobs.with(" (default: the number of processors)"),
            CommandOption("memory", value: "BYTES", "memory for encoders, such as 512M; fewer processors are used if it is short"),
            CommandOption("open-files", value: "N", "files open at a time"),
            CommandOption("grace", value: "SECONDS", "time for files that are being encoded after SIGTERM or Ctrl-C (default: 10)"),
            CommandOption("slurm", "write job scripts for a Slurm cluster and submit them; with --dry-run only write them"),
            CommandOption("status", "show what the tasks of a Slurm cluster have done"),
            CommandOption("array", value: "N", "with --slurm: number of tasks (default: 8); --jobs is the processors of one"),
            CommandOption("partition", value: "NAME", "with --slurm: the partition of the cluster"),
            CommandOption("account", value: "NAME", "with --slurm: the account to charge"),
            CommandOption("time", value: "LIMIT", "with --slurm: the time limit of a task, such as 2:00:00"),
            CommandOption("work", value: "FOLDER", "with --slurm: the folder for lists, scripts and results (default: OUT/.linnet-slurm)"),
            CommandOption("parts", value: "FOLDER", "take segments of long files from this folder, which other runs share"),
            CommandOption("contribute", "only encode segments of long files into --parts"),
            CommandOption("merge", "only join the results of the tasks of a Slurm cluster"),
            .force.with(" that no batch has made, and encode everything again"),
            .json,
            .quiet,
        ] + encoderOptions
    package static let details = """
        SOURCE is a folder, an audio file, or a list: .csv with a header, or .jsonl. The columns or members of a list are input, output
        (below -o; else named after the input) and options of linnet encode for that file, such as bitrate.
        Beside each output is a record, OUT.linnet.json. What agrees with its record (settings, version, input, output) is skipped, whatever
        ended the run before. Nothing appears under its name before it is complete. One bad file never stops the others: the exit status
        tells whether some (14) or all (15) failed.
        """
    package static let examples = [
        (command: "linnet batch archive -o phone -b 96k", meaning: "a folder of folders, on all processors"),
        (command: "linnet batch list.csv -o out --verify --results out.jsonl", meaning: "a list with settings for each file; checked"),
        (command: "linnet batch archive -o phone -b 96k --dry-run", meaning: "what has changed since"),
        (command: "linnet batch archive -o phone -b 96k --slurm --array 20", meaning: "on a Slurm cluster, as 20 tasks"),
        (command: "linnet batch -o phone --status", meaning: "what they have done so far"),
    ]

    /// The options of `linnet encode` that apply to files of a batch.
    static let encoderOptions = EncodeCommand.options.filter { option in
        !["output", "format", "force", "jobs", "threads", "json", "quiet", "verbose"].contains(option.name)
    }

    /// Encodes all files of the sources.
    package static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        try arguments.exclude("json", "quiet")
        guard arguments.text("output") != nil || arguments.has("work") else {
            throw arguments.failure("no folder for the outputs: use -o FOLDER")
        }
        for option in ["slurm", "status", "merge", "contribute"] { try arguments.exclude("prune", option) }
        if arguments.has("status") { return try SlurmCommand.status(arguments) }
        if arguments.has("merge") { return try SlurmCommand.merge(arguments) }
        guard !arguments.operands.isEmpty else { throw arguments.failure("no source") }
        guard arguments.text("output") != nil else { throw arguments.failure("no folder for the outputs: use -o FOLDER") }
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
            guard let size = ByteSize.parse(text) else { throw arguments.failure("--memory \(text) is no size such as 512M") }
            return size
        }
        options.openFiles = try arguments.integer("open-files", in: 20...1_048_576)
        options.segmentFolder = arguments.text("parts")
        if arguments.has("contribute"), options.segmentFolder == nil { throw arguments.failure("--contribute needs --parts") }
        options.replaces = arguments.has("force")
        options.readsAll = arguments.has("checksum")
        options.acceptsOtherVersions = arguments.has("any-version")
        options.isDryRun = arguments.has("dry-run")
        let limit = try arguments.number("noise-limit", in: -30...60)
        if arguments.has("verify") { options.verification = BatchOptions.Verification(noiseLimit: limit) }
        if limit != nil, !arguments.has("verify") { throw arguments.failure("--noise-limit needs --verify") }
        return options
    }
}
