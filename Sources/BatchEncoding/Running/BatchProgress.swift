// SPDX-License-Identifier: Apache-2.0

/// The progress of a batch.
public struct BatchProgress: Hashable, Sendable {
    /// Files that are finished, in whatever way.
    public var finishedCount = 0
    /// All files.
    public var fileCount = 0
    /// Files that failed.
    public var failedCount = 0
    /// The part of the work that is done, 0 to 1.
    public var fraction = 0.0
    /// Seconds of audio encoded.
    public var seconds = 0.0
    /// The time since encoding began.
    public var elapsed = Duration.zero

    /// The time that is probably left; nil at the beginning.
    public var remaining: Duration? { fraction > 0 ? elapsed * (1 / fraction - 1) : nil }
    /// Seconds of audio encoded in a second.
    public var speed: Double { elapsed > .zero ? seconds / (elapsed / .seconds(1)) : 0 }
}

/// The state of a batch that its threads share.
struct BatchState: Sendable {
    /// A file that is being encoded.
    struct Running {
        /// The part that is done, 0 to 1.
        var fraction = 0.0
        /// Seconds of audio encoded.
        var seconds = 0.0
        /// The expected work.
        var work: Double
    }

    /// The files that are being encoded, by their index.
    var running: [Int: Running] = [:]
    /// The work of all files that are encoded.
    var totalWork = 0.0
    /// The work of the finished ones.
    var doneWork = 0.0
    /// The numbers of finished files.
    var totals = BatchTotals()
    /// The number of all files.
    var fileCount = 0
    /// The time at which encoding began.
    var start = ContinuousClock.now
    /// The time at which files that are being encoded are given up; nil while nobody stops the batch.
    var deadline: ContinuousClock.Instant?

    /// The progress for those who watch.
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
