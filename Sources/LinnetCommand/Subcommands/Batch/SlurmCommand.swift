// SPDX-License-Identifier: Apache-2.0

import BatchEncoding
import JSONText
import SystemFiles
internal import SystemLibrary

/// The parts of `linnet batch` for Slurm clusters.
enum SlurmCommand {
    /// The options that all tasks get.
    private static let passedOptions =
        BatchCommand.encoderOptions.map(\.name)
        + ["force", "format", "sample-format", "verify", "noise-limit", "checksum", "any-version", "memory", "open-files"]

    /// Writes the working folder, and submits the jobs unless `--dry-run` was given.
    static func submit(_ files: [BatchFile], _ arguments: ParsedArguments, _ options: BatchOptions) throws -> ExitCode {
        var resources = SlurmOptions()
        resources.taskCount = try arguments.integer("array", in: 1...100_000) ?? 8
        resources.processorCount = options.processorCount
        resources.partition = arguments.text("partition")
        resources.account = arguments.text("account")
        resources.timeLimit = arguments.text("time")
        resources.memory = options.memory
        let target = try absolute(arguments.text("output") ?? ".")
        let absolute = try files.map { file in
            var file = file
            file.input = try self.absolute(file.input)
            file.output = try self.absolute(file.output)
            return file
        }
        let words = ["--output", target] + arguments.words(of: passedOptions)
        var batch = try SlurmBatch(
            absolute, folder: try workFolder(arguments), program: program, words: words, options: resources, describe: BatchLog.description)
        let division = "\(batch.shardCount) shards, \(batch.sharedCount) files shared by all; \(batch.folder)/task.sh"
        for case .failed(_, let error) in batch.refused.map(\.outcome) { StandardError.complain(CommandFailure(error).message) }
        if arguments.has("dry-run") {
            try StandardOutput.print("not submitted: " + division)
        } else {
            try batch.submit()
            if let jobs = batch.jobs { try StandardOutput.print("job array \(jobs.array), then job \(jobs.finish): " + division) }
        }
        guard !batch.refused.isEmpty else { return .success }
        return batch.refused.count < files.count ? .someFailed : .allFailed
    }

    static func status(_ arguments: ParsedArguments) throws -> ExitCode {
        let batch = try SlurmBatch(folder: try workFolder(arguments))
        let shards = try batch.status()
        if arguments.has("json") {
            try StandardOutput.print(JSONValue.array(shards.map(json)).text())
            return .success
        }
        // Slurm forgets jobs that have ended.
        let unknownState = batch.jobs == nil ? "unsubmitted" : "ended"
        var sum = BatchTotals()
        for shard in shards {
            let name = Format.padded(shard.number.map { "shard \($0)" } ?? "shared files", to: -14)
            let state = Format.padded(shard.state ?? unknownState, to: -12)
            try StandardOutput.print(name + state + text(shard.totals, shard.fileCount))
            sum.doneCount += shard.totals.doneCount
            sum.unchangedCount += shard.totals.unchangedCount
            sum.failedCount += shard.totals.failedCount
        }
        try StandardOutput.print(
            Format.padded("together", to: -26) + text(sum, shards.reduce(0) { $0 + $1.fileCount }))
        return .success
    }

    private static func text(_ totals: BatchTotals, _ fileCount: Int) -> String {
        "\(totals.doneCount + totals.unchangedCount) of \(fileCount) files done, \(totals.failedCount) failed"
    }

    private static func json(_ shard: ShardStatus) -> JSONValue {
        .object([
            ("shard", shard.number.map { .integer($0) } ?? .null), ("state", shard.state.map { .string($0) } ?? .null),
            ("files", .integer(shard.fileCount)), ("done", .integer(shard.totals.doneCount)),
            ("unchanged", .integer(shard.totals.unchangedCount)), ("failed", .integer(shard.totals.failedCount)),
        ])
    }

    /// Merges the results of all tasks.
    static func merge(_ arguments: ParsedArguments) throws -> ExitCode {
        let batch = try SlurmBatch(folder: try workFolder(arguments))
        let totals = try batch.merge()
        try StandardOutput.print(
            "\(totals.doneCount) encoded, \(totals.unchangedCount) unchanged, \(totals.failedCount) failed, "
                + "\(totals.interruptedCount) interrupted; \(batch.folder)/results.jsonl")
        guard totals.failedCount + totals.interruptedCount > 0 else { return .success }
        return totals.doneCount + totals.unchangedCount > 0 ? .someFailed : .allFailed
    }

    private static func workFolder(_ arguments: ParsedArguments) throws -> String {
        try absolute(arguments.text("work") ?? PathName.folder(arguments.text("output") ?? ".") + ".linnet-slurm")
    }

    /// Returns an absolute path.
    ///
    /// Jobs can start in another folder.
    private static func absolute(_ path: String) throws(CommandFailure) -> String {
        guard !path.hasPrefix("/") else { return path }
        guard let current = Folder.current else { throw CommandFailure(.failure, "cannot get the path of the current folder") }
        return PathName.folder(current) + path
    }

    /// The path of this program, which all nodes must see.
    private static var program: String {
        guard let path = realpath("/proc/self/exe", nil) else { return "linnet" }
        defer { free(path) }
        return PathName.decoding(path)
    }
}
