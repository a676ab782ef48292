// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioFiles

/// One line at the bottom of the terminal: a bar, the part done, the speed, the time left, and what is being done.
struct ProgressLine {
    private struct Job {
        var name = ""
        var progress: EncodingProgress?
        var isDone = false
    }

    private let isShown: Bool
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var jobs: [Job]
    private var lastDrawn: ContinuousClock.Instant?
    private var isOnScreen = false

    private static let interval = Duration.milliseconds(100)
    private static let barWidth = 24

    init(jobCount: Int, isShown: Bool) {
        self.isShown = isShown
        jobs = [Job](repeating: Job(), count: jobCount)
        start = clock.now
    }

    mutating func begin(_ index: Int, name: String) { jobs[index].name = name }

    mutating func update(_ index: Int, _ progress: EncodingProgress) {
        jobs[index].progress = progress
        guard isShown else { return }
        // What is over before anybody could read it is not shown at all.
        let now = clock.now
        if now - (lastDrawn ?? start) >= Self.interval { draw() }
    }

    mutating func end(_ index: Int) { jobs[index].isDone = true }

    /// Draws the line, unless all is done.
    mutating func draw() {
        guard isShown, lastDrawn != nil || clock.now - start >= Self.interval, jobs.contains(where: { !$0.isDone }) else { return }
        lastDrawn = clock.now
        isOnScreen = true
        let text = Self.text(
            fraction: fraction, seconds: seconds, elapsed: (clock.now - start) / .seconds(1), label: label,
            columnCount: StandardError.columnCount)
        StandardError.write("\r\(text)\u{1B}[K")
    }

    /// Takes the line off the screen, before other text is written.
    mutating func clear() {
        guard isOnScreen else { return }
        isOnScreen = false
        StandardError.write("\r\u{1B}[K")
    }

    /// Seconds of sound read in all jobs.
    private var seconds: Double { jobs.reduce(0) { $0 + ($1.progress?.seconds ?? 0) } }

    /// The part of all jobs that is done, each of them counted the same; nil if a running one has no known length.
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

    private var label: String {
        let names = jobs.filter { !$0.isDone && !$0.name.isEmpty }.map(\.name)
        let count = jobs.count > 1 ? "\(jobs.filter(\.isDone).count)/\(jobs.count)  " : ""
        return count + names.joined(separator: ", ")
    }

    /// The line's text, cut to the width of the terminal.
    static func text(fraction: Double?, seconds: Double, elapsed: Double, label: String, columnCount: Int) -> String {
        let speed = elapsed > 0 ? Format.padded(Format.speed(seconds / elapsed), to: 6) : ""
        var text: String
        if let fraction {
            let filled = Int(fraction * Double(barWidth))
            let bar = String(repeating: "=", count: filled) + (filled < barWidth ? ">" : "")
            let percent = Format.padded(String(Int(fraction * 100)), to: 3)
            let left = fraction > 0 ? Format.clock(elapsed / fraction - elapsed) : "-:--"
            text = "[\(Format.padded(bar, to: -barWidth))] \(percent)%  \(speed)  \(Format.padded(left, to: 5)) left  "
        } else {
            text = "\(Format.padded(Format.clock(seconds), to: 7)) encoded  \(speed)  "
        }
        let room = max(0, columnCount - 1 - text.count)
        text += label.count <= room ? label : room > 1 ? "…" + label.suffix(room - 1) : ""
        return String(text.prefix(max(0, columnCount - 1)))
    }
}
