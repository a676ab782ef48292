// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
internal import PCMFiles
internal import Synchronization
internal import SystemLibrary

/// Encodes many files on all processors, longest first, and skips those that are up to date.
///
/// ```swift
/// let totals = await BatchEncoder(files).run { result in print(result.outcome, result.output) }
/// ```
///
/// A file is up to date if the record next to its output (`song.m4a.linnet.json`) matches the settings, version, input and output. An error
/// in one file never stops the others, except a full disk. When fewer files than processors remain, idle processors encode segments of long
/// files. The outputs do not depend on the number of processors or on interruptions. Run a batch only once. Other members may be used from
/// any thread.
public final class BatchEncoder: Sendable {
    let files: [BatchFile]
    let options: BatchOptions
    private let state: Mutex<BatchState>
    private let folders = OutputFolders()

    /// Creates a batch without opening files.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - options: Limits and checks.
    public init(_ files: [BatchFile], options: BatchOptions = BatchOptions()) {
        self.files = options.groupsAlbums ? BatchAlbum.grouping(files.claimingOutputs()) : files.claimingOutputs()
        self.options = options
        var state = BatchState()
        state.fileCount = files.count
        self.state = Mutex(state)
    }

    /// The progress so far.
    public var progress: BatchProgress { state.withLock { $0.progress } }

    /// Starts no more files and aborts running ones after a grace period.
    ///
    /// - Parameter grace: The time for running files to finish.
    public func stop(grace: Duration) { state.withLock { $0.deadline = min($0.deadline ?? .now + grace, .now + grace) } }

    /// Encodes the files on dedicated threads.
    ///
    /// If the task is cancelled, no more files are started, and running ones are aborted. To let them finish, call ``stop(grace:)``
    /// instead.
    ///
    /// - Parameter report: Called with the result of each file, on several threads, but one at a time.
    /// - Returns: The number of files by outcome.
    @discardableResult
    public func run(_ report: @escaping @Sendable (BatchResult) -> Void) async -> BatchTotals {
        await withTaskCancellationHandler {
            await BackgroundWork.run { _ in self.run(report) }
        } onCancel: {
            stop(grace: .zero)
        }
    }

    /// Encodes the files on this thread and others.
    ///
    /// - Parameter report: Called with the result of each file, on several threads, but one at a time.
    /// - Returns: The number of files by outcome.
    @discardableResult
    package func run(_ report: @escaping @Sendable (BatchResult) -> Void) -> BatchTotals {
        let threadCount = options.threadCount(processors: WorkerThreads.processorCount, fileLimit: Self.fileLimit)
        let reporting = Mutex(())
        let finish: @Sendable (Int?, BatchResult) -> Void = { [self] index, result in
            state.withLock { state in
                state.totals.add(result)
                if let index, let running = state.running.removeValue(forKey: index) { state.doneWork += running.work }
            }
            reporting.withLock { _ in report(result) }
        }
        let pending = check(threadCount: threadCount) { finish(nil, $0) }
        measureAlbums(of: pending, threadCount: threadCount)
        encode(pending, threadCount: threadCount, finish)
        folders.removeEmpty()
        return state.withLock { $0.totals }
    }

    private struct PendingFile: Sendable {
        var index: Int
        var reason: EncodingReason
        var work: Double
    }

    /// Compares all files with their records, and reports those that are up to date or cannot be encoded.
    ///
    /// - Returns: The remaining files, most work first.
    private func check(threadCount: Int, _ report: @escaping @Sendable (BatchResult) -> Void) -> [PendingFile] {
        let pending = Mutex<[PendingFile]>([])
        let check = RecordCheck(options: options)
        WorkerThreads.forEach(count: files.count, threadCount: threadCount) { [self] index in
            let file = files[index]
            var result = BatchResult(input: file.input, output: file.output, outcome: .interrupted)
            do {
                if let problem = file.problem { throw problem }
                guard !isStopping else { return report(result) }
                switch try check.decision(for: file) {
                case .unchanged(let record):
                    result.outcome = .unchanged
                    result.measures = record.result
                    report(result)
                case .encode(let reason) where options.isDryRun:
                    guard FileStamp(of: file.input) != nil else { throw AudioFileError(.cannotOpen(systemCode: ENOENT), path: file.input) }
                    result.outcome = .planned(reason)
                    report(result)
                case .encode(let reason):
                    let file = PendingFile(index: index, reason: reason, work: file.work)
                    pending.withLock { $0.append(file) }
                }
            } catch {
                result.outcome = .failed(Self.step(of: error, file), error)
                report(result)
            }
        }
        return pending.withLock { $0 }.sorted { ($1.work, $0.index) < ($0.work, $1.index) }
    }

    /// Returns the step in which a file failed before encoding.
    private static func step(of error: any Error, _ file: BatchFile) -> BatchStep {
        if file.problem != nil { return error is AudioFileError ? .open : .settings }
        if case BatchError.cannotRead = error { return .read }
        return error is AudioFileError ? .write : .record
    }

    /// Measures all files of the albums that have files to encode.
    private func measureAlbums(of pending: [PendingFile], threadCount: Int) {
        var albums: [ObjectIdentifier: BatchAlbum] = [:]
        for file in pending { if let album = files[file.index].album { albums[ObjectIdentifier(album)] = album } }
        let tracks = albums.values.flatMap { album in album.files.indices.map { (album, $0) } }
        WorkerThreads.forEach(count: tracks.count, threadCount: threadCount) { [self] index in
            let (album, track) = tracks[index]
            if !isStopping { album.measure(track) }
        }
    }

    /// Encodes files in order on several threads.
    ///
    /// At the end, idle threads donate their processors to the remaining files.
    private func encode(_ pending: [PendingFile], threadCount: Int, _ finish: @escaping @Sendable (Int?, BatchResult) -> Void) {
        guard !pending.isEmpty else { return }
        state.withLock { state in
            state.totalWork = pending.reduce(0) { $0 + $1.work }
            state.start = .now
        }
        let jobCount = min(threadCount, pending.count)
        let budget = ThreadBudget(free: threadCount - jobCount)
        let next = Mutex(0)
        let work: @Sendable () -> Void = { [self] in
            defer { budget.give() }
            while true {
                let position = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard position < pending.count else { return }
                let file = pending[position]
                let result = encode(file, threadCount: threadCount, budget)
                // The other files would fail too.
                if result.lacksSpace { stop(grace: .zero) }
                finish(file.index, result)
            }
        }
        let others = WorkerThreads(count: jobCount - 1, work)
        work()
        others.join()
    }

    private func encode(_ pending: PendingFile, threadCount: Int, _ budget: ThreadBudget) -> BatchResult {
        let file = files[pending.index]
        guard !isStopping else { return BatchResult(input: file.input, output: file.output, outcome: .interrupted) }
        state.withLock { $0.running[pending.index] = BatchState.ActiveFile(work: pending.work) }
        do throws(BatchError) {
            try folders.prepare(for: file.output)
        } catch {
            return BatchResult(input: file.input, output: file.output, outcome: .failed(.write, error))
        }
        let task = FileTask(file: file, reason: pending.reason, options: options, threadCount: threadCount, budget: budget)
        return task.run { [self] position in
            state.withLock { state in
                state.running[pending.index]?.fraction = position.fraction ?? 0
                state.running[pending.index]?.seconds = position.duration / .seconds(1)
                return state.deadline.map { ContinuousClock.now < $0 } ?? true
            }
        }
    }

    /// Whether no more files are started.
    var isStopping: Bool { state.withLock { $0.deadline != nil } }

    /// The maximum number of open files of the process.
    static var fileLimit: Int {
        var limit = rlimit()
        #if canImport(Glibc)
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        #else
        guard getrlimit(RLIMIT_NOFILE, &limit) == 0 else { return 1024 }
        #endif
        return Int(min(limit.rlim_cur, 1 << 20))
    }
}
