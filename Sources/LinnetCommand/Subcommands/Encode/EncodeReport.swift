// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioFiles
import Synchronization

/// What is said while files are encoded and afterwards; used from all worker threads.
final class EncodeReport: Sendable {
    private struct State {
        var progress: ProgressLine
        var results: [Result<EncodingSummary, FileEncodingError>?]
        var failure: OutputError?
    }

    let isVerbose: Bool
    private let jobs: [EncodeJob]
    private let asJSON: Bool
    private let isQuiet: Bool
    private let state: Mutex<State>

    init(jobs: [EncodeJob], asJSON: Bool, isQuiet: Bool, isVerbose: Bool) {
        self.jobs = jobs
        self.asJSON = asJSON
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
        let isShown = StandardError.isTerminal && !asJSON && !isQuiet && !isVerbose
        state = Mutex(State(progress: ProgressLine(jobCount: jobs.count, isShown: isShown), results: jobs.map { _ in nil }))
    }

    /// A worker begins a job.
    func begin(_ index: Int) { state.withLock { $0.progress.begin(index, name: jobs[index].inputName) } }

    /// A job has come on.
    func update(_ index: Int, _ progress: EncodingProgress) { state.withLock { $0.progress.update(index, progress) } }

    /// A job is over: its line is printed at once.
    func end(_ index: Int, _ result: Result<EncodingSummary, FileEncodingError>) {
        state.withLock { state in
            state.progress.end(index)
            state.results[index] = result
            state.progress.clear()
            switch result {
            case .failure(let error):
                let failure = CommandFailure(error)
                if failure.exitCode != .readerGone || jobs.count > 1 { StandardError.complain(failure.message) }
            case .success(let summary):
                for warning in summary.warnings { StandardError.complain("warning: \(warning)") }
                do throws(OutputError) { try printLine(summary, of: jobs[index]) } catch { state.failure = state.failure ?? error }
            }
            state.progress.draw()
        }
    }

    /// A line of the log, whole even if several threads log.
    func log(_ line: String) { state.withLock { _ in StandardError.write(line + "\n") } }

    /// The program is being ended by a signal.
    func interrupt() {
        state.withLockIfAvailable { $0.progress.clear() }
        StandardError.complain("interrupted; nothing unfinished was kept")
    }

    /// Prints what is left and returns the exit code of the first failure in the order of the inputs.
    func finish() throws -> ExitCode {
        let (results, failure) = state.withLock { ($0.results, $0.failure) }
        if asJSON {
            let values = zip(jobs, results).map { job, result in EncodeText.json(job, result) }
            try StandardOutput.print(JSONValue.array(values).text())
        }
        if let failure { throw failure }
        for case .failure(let error)? in results { return CommandFailure(error).exitCode }
        return .success
    }

    private func printLine(_ summary: EncodingSummary, of job: EncodeJob) throws(OutputError) {
        guard !asJSON, !isQuiet else { return }
        let line = EncodeText.line(summary, of: job)
        if jobs.contains(where: { $0.output == "-" }) {
            StandardError.write(line + "\n")
        } else {
            try StandardOutput.print(line)
        }
    }
}
