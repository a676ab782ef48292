// SPDX-License-Identifier: Apache-2.0

/// The progress of jobs on the last line of the terminal: bar, percentage, speed, remaining time and input names.
package struct ProgressLine {
    private struct Job {
        var name = ""
        var progress: JobProgress?
        var isDone = false
    }

    private let isShown: Bool
    /// The completed action, such as "encoded".
    private let verb: String
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var jobs: [Job]
    private var lastDrawn: ContinuousClock.Instant?
    private var isOnScreen = false

    private static let interval = Duration.milliseconds(100)
    private static let barWidth = 24

    /// Creates a line.
    ///
    /// Without `isShown` nothing is drawn.
    init(jobCount: Int, verb: String, isShown: Bool) {
        self.verb = verb
        self.isShown = isShown
        jobs = [Job](repeating: Job(), count: jobCount)
        start = clock.now
    }

    /// Records the name of a job that starts.
    mutating func begin(_ index: Int, name: String) { jobs[index].name = name }

    /// Updates the progress of a job and redraws the line if it is due.
    mutating func update(_ index: Int, _ progress: JobProgress) {
        jobs[index].progress = progress
        guard isShown else { return }
        // Short work is never shown.
        let now = clock.now
        if now - (lastDrawn ?? start) >= Self.interval { draw() }
    }

    mutating func end(_ index: Int) { jobs[index].isDone = true }

    /// Draws the line, unless all jobs are complete.
    mutating func draw() {
        guard isShown, lastDrawn != nil || clock.now - start >= Self.interval, jobs.contains(where: { !$0.isDone }) else { return }
        lastDrawn = clock.now
        isOnScreen = true
        let text = Self.text(
            JobProgress(seconds: seconds, fraction: fraction), elapsed: (clock.now - start) / .seconds(1), verb: verb, label: label,
            columnCount: StandardError.columnCount)
        StandardError.write("\r\(text)\u{1B}[K")
    }

    /// Erases the line before other text is written.
    mutating func clear() {
        guard isOnScreen else { return }
        isOnScreen = false
        StandardError.write("\r\u{1B}[K")
    }

    private var seconds: Double { jobs.reduce(0) { $0 + ($1.progress?.seconds ?? 0) } }

    /// The completed fraction of all jobs, weighted equally; `nil` if the length of a running one is unknown.
    private var fraction: Double? {
        var sum = 0.0
        for job in jobs {
            if job.isDone {
                sum += 1
            } else if let progress = job.progress {
                guard let fraction = progress.fraction else { return nil }
                sum += fraction
            }
        }
        return sum / Double(jobs.count)
    }

    /// The number of completed jobs and the inputs of running ones.
    private var label: String {
        let names = jobs.filter { !$0.isDone && !$0.name.isEmpty }.map(\.name)
        let count = jobs.count > 1 ? "\(jobs.filter(\.isDone).count)/\(jobs.count)  " : ""
        return count + names.joined(separator: ", ")
    }

    /// Returns the text, cut to the width of the terminal.
    package static func text(_ progress: JobProgress, elapsed: Double, verb: String, label: String, columnCount: Int) -> String {
        let speed = elapsed > 0 ? Format.padded(Format.speed(progress.seconds / elapsed), to: 6) : ""
        var text: String
        if let fraction = progress.fraction {
            // The bar gives way to the figures on narrow terminals.
            let barWidth = max(0, min(barWidth, columnCount - 36))
            let filled = Int(fraction * Double(barWidth))
            let bar = String(repeating: "=", count: filled) + (filled < barWidth ? ">" : "")
            let percent = Format.padded(String(Int(fraction * 100)), to: 3)
            let left = fraction > 0 ? Format.clock(elapsed / fraction - elapsed) : "-:--"
            text = barWidth < 4 ? "" : "[\(Format.padded(bar, to: -barWidth))] "
            text += "\(percent)%  \(speed)  \(Format.padded(left, to: 5)) left  "
        } else {
            text = "\(Format.padded(Format.clock(progress.seconds), to: 7)) \(verb)  \(speed)  "
        }
        let availableWidth = max(0, columnCount - 1 - text.count)
        text += label.count <= availableWidth ? label : availableWidth > 1 ? "…" + label.suffix(availableWidth - 1) : ""
        return String(text.prefix(max(0, columnCount - 1)))
    }
}
