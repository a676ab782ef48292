// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import JSONText
import Synchronization

/// A runner of the jobs of one command line, on several threads.
///
/// Shows the progress. Prints text results when jobs end, and JSON at the end, in the order of the inputs.
final class FileJobRunner: Sendable {
    /// The mutable state while jobs run.
    private struct State {
        var progress: ProgressLine
        var results: [Result<FileResult, CommandFailure>?]
        /// The first failure of standard output, which ends all reports.
        var outputFailure: (any Error)?
        /// Whether a job failed because the disk is full.
        ///
        /// No job starts afterwards.
        var isFull = false
    }

    private let jobs: [FileJob]
    private let isJSON: Bool
    private let isQuiet: Bool
    private let isVerbose: Bool
    private let givesOneObject: Bool
    private let verb: String
    private let state: Mutex<State>

    /// Creates a runner for a subcommand with the options `--json` and `--quiet`.
    ///
    /// - Parameters:
    ///   - verb: The past participle of the work, such as "encoded", for the progress line.
    ///   - logs: Whether `--verbose` logs to standard error.
    ///   - givesOneObject: Whether the JSON of a single job is an object instead of an array.
    init(
        _ jobs: [FileJob], _ arguments: ParsedArguments, verb: String, logs: Bool = false, givesOneObject: Bool = false
    ) throws(CommandFailure) {
        try arguments.exclude("json", "quiet")
        self.jobs = jobs
        self.verb = verb
        isJSON = arguments.has("json")
        self.givesOneObject = givesOneObject
        isQuiet = arguments.has("quiet")
        isVerbose = logs && arguments.has("verbose")
        let isShown = StandardError.isTerminal && !isJSON && !isQuiet && !isVerbose
        state = Mutex(
            State(progress: ProgressLine(jobCount: jobs.count, verb: verb, isShown: isShown), results: jobs.map { _ in nil }))
    }

    /// Runs all jobs, `threadCount` at a time.
    ///
    /// - Parameter output: The output of a join, which can be resumed after an interruption; `nil` for other jobs.
    /// - Returns: The exit code of the first failed or damaged input, in input order.
    /// - Throws: ``AudioFileError`` if standard output fails.
    func run(threadCount: Int, continuing output: String? = nil) throws -> ExitCode {
        SignalWatcher.discardOutputs(continuing: output) { [self] in state.withLockIfAvailable { $0.progress.clear() } }
        WorkerThreads.forEach(count: jobs.count, threadCount: threadCount) { [self] index in
            guard state.withLock({ $0.outputFailure == nil && !$0.isFull }) else { return }
            run(index)
        }
        let skippedCount = state.withLock { $0.results.count { $0 == nil } }
        if state.withLock({ $0.isFull }), skippedCount > 0 {
            StandardError.complain("the disk is full; \(skippedCount) more file\(skippedCount == 1 ? " was" : "s were") not \(verb)")
        }
        let (results, failure) = state.withLock { ($0.results, $0.outputFailure) }
        if jobs.count > 1 { noteTogether(results) }
        if let failure { throw failure }
        if isJSON {
            let objects = zip(jobs, results).compactMap { job, result in result.map { Self.json(job, $0) } }
            try StandardOutput.print((givesOneObject && objects.count == 1 ? objects[0] : JSONValue.array(objects)).text())
        }
        for result in results {
            switch result {
            case .failure(let failure): return failure.exitCode
            case .success(let result) where result.exitCode != .success: return result.exitCode
            default: break
            }
        }
        return .success
    }

    private func run(_ index: Int) {
        let job = jobs[index]
        state.withLock { $0.progress.begin(index, name: job.inputName) }
        let monitor = FileJobMonitor(
            progress: { [self] position in state.withLock { state in state.progress.update(index, position) } },
            note: note, log: isVerbose ? log : nil)
        let result: Result<FileResult, CommandFailure>
        do { result = .success(try job.body(monitor)) } catch { result = .failure(CommandFailure(error)) }
        state.withLock { state in
            state.progress.end(index)
            state.results[index] = result
            if case .failure(let failure) = result, failure.exitCode == .noSpace { state.isFull = true }
            state.progress.clear()
            do {
                try report(result, of: job)
            } catch {
                state.outputFailure = state.outputFailure ?? error
            }
            state.progress.draw()
        }
    }

    /// Writes the notes of all jobs, equal ones in one line with the number of files.
    private func noteTogether(_ results: [Result<FileResult, CommandFailure>?]) {
        var notes: [(text: String, inputs: [String])] = []
        var indices: [String: Int] = [:]
        for (job, result) in zip(jobs, results) {
            guard case .success(let result) = result else { continue }
            for note in result.notes {
                let prefix = "\(job.inputName): "
                let isAboutInput = note.hasPrefix(prefix)
                let text = isAboutInput ? String(note.dropFirst(prefix.count)) : note
                if let index = indices[text] {
                    notes[index].inputs.append(prefix)
                } else {
                    indices[text] = notes.count
                    notes.append((text, [isAboutInput ? prefix : ""]))
                }
            }
        }
        for (text, inputs) in notes {
            StandardError.note("\(inputs.count > 1 ? "\(inputs.count) files: " : inputs[0])\(text)")
        }
    }

    /// Writes a note above the progress line.
    @Sendable private func note(_ text: String) {
        state.withLock { state in
            state.progress.clear()
            StandardError.note(text)
            state.progress.draw()
        }
    }

    /// Writes a line to the log.
    ///
    /// The lock keeps lines of several threads apart.
    @Sendable private func log(_ line: String) { state.withLock { _ in StandardError.write(line + "\n") } }

    private func report(_ result: Result<FileResult, CommandFailure>, of job: FileJob) throws {
        switch result {
        case .failure(let failure):
            // The reader closed the pipe itself.
            if failure.exitCode == .brokenPipe, jobs.count == 1 || job.output == nil { throw failure }
            StandardError.complain(failure.message)
        case .success(let result):
            for warning in result.warnings { StandardError.complain("warning: \(warning)", .warning) }
            // Those of several jobs are written together at the end.
            if jobs.count == 1 { for note in result.notes { StandardError.note(note) } }
            guard !isJSON, !isQuiet else { return }
            // Text goes to standard error if audio goes to standard output. File names can contain any character, and the result of a
            // conversion is one line.
            let text = job.output == nil ? result.text : Format.line(result.text)
            if job.usesStandardOutput { StandardError.write(text + "\n") } else { try StandardOutput.print(text) }
        }
    }

    /// Returns the JSON object of a job: its files with its result or error.
    private static func json(_ job: FileJob, _ result: Result<FileResult, CommandFailure>) -> JSONValue {
        let files: [JSONMember] =
            [("input", .string(job.inputName))] + (job.outputName.map { [("output", .string($0))] } ?? [])
        switch result {
        case .success(let result):
            let messages: [JSONMember] = [
                ("notes", .array(result.notes.map { .string($0) })), ("warnings", .array(result.warnings.map { .string($0) })),
            ]
            return .object(files + result.members + messages)
        case .failure(let failure):
            return .object(files + [("error", .string(failure.message)), ("exitCode", .integer(Int(failure.exitCode.rawValue)))])
        }
    }
}
