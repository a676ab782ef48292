// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SystemFiles
internal import SystemLibrary

/// A batch on a Slurm cluster: a working folder with file lists, scripts, results and segments of long files.
///
/// All nodes must access the input, output and working folders under the same paths.
package struct SlurmBatch: Sendable {
    package let folder: String
    package private(set) var shardCount = 0
    /// The number of files that all tasks share.
    package private(set) var sharedCount = 0
    /// Files that are not assigned to a task because they cannot be encoded, with their errors.
    package private(set) var refused: [BatchResult] = []
    /// The IDs of the job array and the final job, or `nil` before submission.
    package private(set) var jobs: (array: String, finish: String)?

    /// Opens the working folder of a batch.
    ///
    /// - Throws: ``BatchError/invalidPlan(path:)``.
    package init(folder: String) throws(BatchError) {
        self.folder = folder
        guard let bytes = OpenFile.contents(of: folder + "/plan.json"), let json = try? JSONValue(parsing: bytes),
            let shards = json["shards"]?.integer, shards >= 0, let shared = json["shared"]?.integer
        else { throw .invalidPlan(path: folder) }
        shardCount = shards
        sharedCount = shared
        if let array = json["array"]?.text, let finish = json["finish"]?.text { jobs = (array, finish) }
    }

    /// Writes a working folder.
    ///
    /// Replaces the lists and scripts of an earlier batch, but keeps its segments.
    ///
    /// - Parameters:
    ///   - files: The files. Those that cannot be encoded are added to ``refused``.
    ///   - program: The path of the program `linnet` on all nodes.
    ///   - words: The options of all its calls: `--output`, encoder options and checks.
    ///   - describe: Returns the exit code and the text of an error, for the results.
    /// - Throws: ``BatchError``.
    package init(
        _ files: [BatchFile], folder: String, program: String, words: [String], options: SlurmOptions,
        describe: (any Error) -> (code: Int, message: String)
    ) throws(BatchError) {
        self.folder = folder
        // A newline in the path would break the `#SBATCH` lines.
        guard !folder.contains(where: \.isNewline) else { throw .cannotCreate(path: folder, code: EINVAL) }
        try BatchError.creatingFolder(folder + "/parts")
        let checked = files.claimingOutputs()
        refused = checked.compactMap { file in
            file.problem.map { BatchResult(input: file.input, output: file.output, outcome: .failed(.settings, $0)) }
        }
        try write(refused.map { $0.line(describe) + "\n" }.joined(), to: Self.refusedName)
        let files = checked.filter { $0.problem == nil }
        let seconds = ShardBalance.durations(of: files)
        let balance = ShardBalance(seconds: seconds, count: options.taskCount) { files[$0].canBeDivided }
        shardCount = balance.shards.count
        sharedCount = balance.shared.count
        for (index, shard) in balance.shards.enumerated() {
            try write(list(shard.map { files[$0] }), to: "shard-\(index + 1).jsonl")
            unlink(PathName.bytes("\(folder)/results-\(index + 1).jsonl"))
        }
        try write(list(balance.shared.map { files[$0] }), to: "shared.jsonl")
        unlink(PathName.bytes(folder + "/results-shared.jsonl"))
        var options = options
        options.taskCount = shardCount
        let scripts = SlurmScripts(folder: folder, program: program, words: words, options: options, hasSharedFiles: sharedCount > 0)
        try write(scripts.task, to: "task.sh")
        try write(scripts.finish, to: "finish.sh")
        try writePlan()
    }

    /// Submits both jobs.
    ///
    /// - Throws: ``BatchError/programFailed(name:message:)``.
    package mutating func submit() throws(BatchError) {
        let array = try job(ShellText.output(of: ["sbatch", "--parsable", folder + "/task.sh"]))
        let finish: String
        do throws(BatchError) {
            finish = try job(ShellText.output(of: ["sbatch", "--parsable", "--dependency=afterany:\(array)", folder + "/finish.sh"]))
        } catch {
            // Without the second job nobody would join the results.
            _ = try? ShellText.output(of: ["scancel", array])
            throw error
        }
        jobs = (array, finish)
        try writePlan()
    }

    /// Returns the job ID, without the cluster name, from the output of sbatch.
    private func job(_ text: String) throws(BatchError) -> String {
        let number = text.prefix { $0.isNumber }
        guard !number.isEmpty else { throw .programFailed(name: "sbatch", message: "no job number in \(text)") }
        return String(number)
    }

    /// The name of the results of rejected files.
    private static let refusedName = "refused.jsonl"
    /// The path of the results of rejected files.
    var refusedResults: String { "\(folder)/\(Self.refusedName)" }

    /// The paths of each task's file list and results.
    var parts: [(list: String, results: String)] {
        let shared = sharedCount > 0 ? [(list: folder + "/shared.jsonl", results: folder + "/results-shared.jsonl")] : []
        return (0..<shardCount).map { ("\(folder)/shard-\($0 + 1).jsonl", "\(folder)/results-\($0 + 1).jsonl") } + shared
    }

    /// Returns a manifest of files in JSON lines.
    private func list(_ files: [BatchFile]) -> String {
        files.map { file in
            let settings = file.ownSettings.map { ($0.name, $0.value.isEmpty ? JSONValue.bool(true) : .string($0.value)) }
            return JSONValue.object([("input", .string(file.input)), ("output", .string(file.output))] + settings).line + "\n"
        }.joined()
    }

    private func writePlan() throws(BatchError) {
        var members: [JSONMember] = [("shards", .integer(shardCount)), ("shared", .integer(sharedCount))]
        if let jobs { members += [("array", .string(jobs.array)), ("finish", .string(jobs.finish))] }
        try write(JSONValue.object(members).text() + "\n", to: "plan.json")
    }

    /// Writes a file of the working folder atomically.
    private func write(_ text: String, to name: String) throws(BatchError) {
        try BatchError.writing(text, to: "\(folder)/\(name)")
    }
}
