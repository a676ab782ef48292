// SPDX-License-Identifier: Apache-2.0

/// The progress of a batch.
public struct BatchProgress: Hashable, Sendable {
    /// The number of finished files, with any outcome.
    public var finishedCount = 0
    /// The total number of files.
    public var fileCount = 0
    /// The number of failed files.
    public var failedCount = 0
    /// The completed fraction of the work, 0 to 1.
    public var fraction = 0.0
    /// The duration of encoded audio, in seconds.
    public var seconds = 0.0
    /// The time since encoding started.
    public var elapsed = Duration.zero

    /// The estimated remaining time, or `nil` at the start.
    public var remaining: Duration? { fraction > 0 ? elapsed * (1 / fraction - 1) : nil }
    /// The duration of encoded audio divided by the elapsed time.
    public var speed: Double { elapsed > .zero ? seconds / (elapsed / .seconds(1)) : 0 }
}

/// The state of a batch, shared by its threads.
struct BatchState: Sendable {
    /// A file being encoded.
    struct ActiveFile {
        /// The completed fraction, 0 to 1.
        var fraction = 0.0
        /// The duration of encoded audio, in seconds.
        var seconds = 0.0
        var work: Double
    }

    /// The files being encoded, by index.
    var running: [Int: ActiveFile] = [:]
    /// The work of all files to encode.
    var totalWork = 0.0
    /// The work of finished files.
    var doneWork = 0.0
    /// The number of finished files by outcome.
    var totals = BatchTotals()
    var fileCount = 0
    /// When encoding started.
    var start = ContinuousClock.now
    /// When running files are aborted, or `nil` unless the batch is being stopped.
    var deadline: ContinuousClock.Instant?

    var progress: BatchProgress {
        var progress = BatchProgress()
        progress.fileCount = fileCount
        progress.failedCount = totals.failedCount
        progress.finishedCount = totals.doneCount + totals.unchangedCount + totals.failedCount + totals.interruptedCount
        let runningWork = running.values.reduce(0) { $0 + $1.fraction * $1.work }
        progress.fraction = totalWork > 0 ? min(1, (doneWork + runningWork) / totalWork) : 0
        progress.seconds = totals.seconds + running.values.reduce(0) { $0 + $1.seconds }
        progress.elapsed = ContinuousClock.now - start
        return progress
    }
}
