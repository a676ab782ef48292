// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import BatchEncoding
import JSONText
internal import PCMFiles
import Synchronization
internal import SystemLibrary

/// The reports of a batch: progress line, messages, results file and summary.
final class BatchLog: Sendable {
    /// The mutable state while the batch runs.
    private struct State {
        var results: OutputFile?
        var failure: (any Error)?
        var signal: Int32?
        var isFinished = false
        var isFull = false
        /// The number of encoded files per note.
        var noteCounts: [String: Int] = [:]
        var isLineShown = false
        var totals = BatchTotals()
        var removedCount = 0
    }

    private let batch: BatchEncoder
    private let isJSON: Bool
    private let isQuiet: Bool
    private let isDryRun: Bool
    private let state: Mutex<State>
    private let start = ContinuousClock.now

    /// Creates the results file, if requested.
    init(_ batch: BatchEncoder, _ arguments: ParsedArguments) throws(AudioFileError) {
        self.batch = batch
        isJSON = arguments.has("json")
        isQuiet = arguments.has("quiet")
        isDryRun = arguments.has("dry-run")
        var state = State()
        if let path = arguments.text("results") {
            state.results = try OutputFile(path: path, overwrites: true, visibility: .immediately)
        }
        self.state = Mutex(state)
    }

    /// Starts a thread that draws the progress line on terminals.
    func startProgress() {
        guard StandardError.isTerminal, !isJSON, !isQuiet, !isDryRun else { return }
        _ = WorkerThreads(count: 1) { [self] in
            while true {
                usleep(200_000)
                let progress = batch.progress
                let isFinished = state.withLock { state in
                    guard !state.isFinished else { return true }
                    if progress.fileCount > 0 { draw(progress, &state) }
                    return false
                }
                if isFinished { return }
            }
        }
    }

    private func draw(_ progress: BatchProgress, _ state: inout State) {
        let failed = progress.failedCount > 0 ? ", \(progress.failedCount) failed" : ""
        let text = ProgressLine.text(
            JobProgress(seconds: progress.seconds, fraction: progress.fraction), elapsed: progress.elapsed / .seconds(1), verb: "encoded",
            label: "\(progress.finishedCount) of \(progress.fileCount) files\(failed)", columnCount: StandardError.columnCount)
        StandardError.write("\r\(text)\u{1B}[K")
        state.isLineShown = true
    }

    /// Erases the progress line before other text is written.
    private func clear(_ state: inout State) {
        if state.isLineShown { StandardError.write("\r\u{1B}[K") }
        state.isLineShown = false
    }

    /// Adds the result of a file.
    func add(_ result: BatchResult) {
        state.withLock { state in
            state.totals.add(result)
            if case .failed(_, let error) = result.outcome {
                clear(&state)
                // The message names only the other input.
                let isClaimed = if case BatchError.outputClaimed = error { true } else { false }
                StandardError.complain((isClaimed ? "\(result.input): " : "") + CommandFailure(error).message)
                if result.lacksSpace, !state.isFull {
                    state.isFull = true
                    StandardError.complain("the disk is full; no more files are encoded")
                }
            }
            if case .done = result.outcome { for note in result.notes { state.noteCounts[note, default: 0] += 1 } }
            if case .done = result.outcome, !result.warnings.isEmpty {
                clear(&state)
                for warning in result.warnings { StandardError.complain("warning: \(warning)", .warning) }
            }
            do {
                if case .planned(let reason) = result.outcome, !isJSON, !isQuiet {
                    try StandardOutput.print("\(Format.padded(reason.rawValue, to: -10)) \(result.input) -> \(result.output)")
                }
                try state.results?.write(Array((result.line(Self.description) + "\n").utf8))
            } catch {
                // Without a results file the rest would be encoded unseen.
                state.failure = state.failure ?? error
                batch.stop(grace: .zero)
            }
        }
    }

    /// Returns the exit code and the text of an error.
    static func description(_ error: any Error) -> (code: Int, message: String) {
        let failure = CommandFailure(error)
        return (Int(failure.exitCode.rawValue), failure.message)
    }

    /// Records a signal.
    ///
    /// - Returns: `false` for the second one.
    func beginInterruption(_ number: Int32) -> Bool {
        state.withLock { state in
            guard state.signal == nil else { return false }
            state.signal = number
            clear(&state)
            StandardError.complain("interrupted; finishing current files for a short time; a second signal stops now")
            return true
        }
    }

    /// Ends the program if a signal stopped the contribution, and returns the exit code otherwise.
    func finishContribution() throws -> ExitCode {
        let (failure, signal, totals) = state.withLock { state in
            state.isFinished = true
            return (state.failure, state.signal, state.totals)
        }
        if let failure { throw failure }
        if let signal { SignalWatcher.die(of: signal) }
        guard totals.failedCount > 0 else { return .success }
        return totals.failedCount < batch.progress.fileCount ? .someFailed : .allFailed
    }

    /// Removes the outputs of inputs that no longer exist, unless the batch was interrupted or some inputs are unknown.
    func prune(_ folder: String, _ files: [BatchFile]) throws {
        guard state.withLock({ $0.signal == nil && $0.failure == nil }) else { return }
        guard files.allSatisfy({ $0.problem == nil }) else {
            return StandardError.complain("warning: nothing is pruned, because some inputs could not be listed", .warning)
        }
        let stale = try StaleOutputs(in: folder, besides: files)
        if !isDryRun { try stale.remove() }
        state.withLock { state in
            clear(&state)
            state.removedCount = stale.paths.count
        }
        guard !isJSON, !isQuiet else { return }
        for path in stale.paths { try StandardOutput.print("\(Format.padded(isDryRun ? "stale" : "removed", to: -10)) \(path)") }
    }

    /// Prints the summary, and ends the program if a signal stopped the batch.
    func finish(_ totals: BatchTotals) throws -> ExitCode {
        let (failure, signal) = state.withLock { state in
            state.isFinished = true
            clear(&state)
            return (state.failure, state.signal)
        }
        if let failure { throw failure }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        if isJSON {
            try StandardOutput.print(json(totals, elapsed: elapsed).text())
        } else if !isQuiet {
            for (note, count) in state.withLock({ $0.noteCounts }).sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
                StandardError.note("\(count) file\(count == 1 ? "" : "s"): \(note)")
            }
            try StandardOutput.print(text(totals, elapsed: elapsed))
        }
        if let signal, totals.interruptedCount > 0 { SignalWatcher.die(of: signal) }
        guard totals.failedCount > 0 else { return totals.damagedCount > 0 ? .damagedInput : .success }
        return totals.doneCount + totals.unchangedCount > 0 ? .someFailed : .allFailed
    }

    private func text(_ totals: BatchTotals, elapsed: Double) -> String {
        let counts =
            [
                "\(totals.doneCount) \(isDryRun ? "to encode" : "encoded")", "\(totals.unchangedCount) unchanged",
                "\(totals.failedCount) failed",
            ] + (totals.damagedCount > 0 ? ["\(totals.damagedCount) from damaged inputs"] : [])
        let all = counts + (totals.interruptedCount > 0 ? ["\(totals.interruptedCount) interrupted"] : [])
        guard totals.seconds > 0 else { return all.joined(separator: ", ") }
        return all.joined(separator: ", ")
            + "; \(Format.clock(totals.seconds)) of audio in \(Format.clock(elapsed)), \(Format.speed(totals.seconds / elapsed)) real time"
    }

    private func json(_ totals: BatchTotals, elapsed: Double) -> JSONValue {
        .object([
            ("done", .integer(isDryRun ? 0 : totals.doneCount)), ("planned", .integer(isDryRun ? totals.doneCount : 0)),
            ("unchanged", .integer(totals.unchangedCount)), ("failed", .integer(totals.failedCount)),
            ("interrupted", .integer(totals.interruptedCount)), ("damagedInputs", .integer(totals.damagedCount)),
            ("removed", .integer(isDryRun ? 0 : state.withLock { $0.removedCount })), ("seconds", .rounded(totals.seconds, digits: 3)),
            ("elapsedSeconds", .rounded(elapsed, digits: 3)), ("speed", .rounded(totals.seconds / elapsed, digits: 1)),
        ])
    }
}
