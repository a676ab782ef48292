// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Markdown tables, and CSV rows.
struct QualityReport {
    let trials: [Trial]
    let metrics: [String]

    private var encoders: [String] { unique(trials.map(\.encoder)) }
    private var targets: [Int] { unique(trials.map(\.target)) }
    private var names: [String] { trials.first?.figures.map(\.name) ?? [] }

    /// Returns the complete report.
    func text(showsClips: Bool) -> String {
        var lines = ["Means over the clips", ""] + table(meanRows)
        if showsClips { lines += ["", "Clip by clip", ""] + table(trials.map { row($0) }) }
        let outliers = outliers
        lines += ["", outliers.isEmpty ? "No outliers" : "Outliers: where \(encoders[0]) is much worse than another", ""] + outliers
        return lines.joined(separator: "\n")
    }

    private func table(_ rows: [[String]]) -> [String] {
        let head = ["clip", "target", "encoder", "kb/s", "short %"] + names
        return ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
    }

    private func row(_ trial: Trial) -> [String] {
        [trial.clip, "\(trial.target)", trial.encoder, number(trial.payloadRate, 1), number(100 * trial.shortFraction, 1)]
            + trial.figures.map { number($0.value, digits($0.name)) }
    }

    private var meanRows: [[String]] {
        targets.flatMap { target in
            encoders.map { encoder in
                let group = trials.filter { $0.encoder == encoder && $0.target == target }
                let seconds = group.reduce(0) { $0 + $1.seconds }
                let rate = group.reduce(0) { $0 + $1.payloadRate * $1.seconds } / max(seconds, 1e-9)
                let short = group.reduce(0) { $0 + $1.shortFraction } / Double(max(1, group.count))
                let figures = names.indices.map { index in
                    let values = group.map { $0.figures[index].value }.filter { $0.isFinite }
                    return number(values.isEmpty ? .nan : values.reduce(0, +) / Double(values.count), digits(names[index]))
                }
                return ["mean of \(group.count)", "\(target)", encoder, number(rate, 1), number(100 * short, 1)] + figures
            }
        }
    }

    /// Clips for which the first encoder is worse than another by 2 dB of noise-to-mask ratio, or by a quarter in another metric.
    private var outliers: [String] {
        trials.filter { $0.encoder == encoders[0] }.flatMap { own in
            trials.filter { $0.clip == own.clip && $0.target == own.target && $0.encoder != own.encoder }.flatMap { other in
                zip(own.figures, other.figures).compactMap { mine, theirs -> String? in
                    let isFar =
                        metrics.contains(mine.name) ? mine.value > 1.25 * theirs.value : mine.name == "NMR" && mine.value > theirs.value + 2
                    guard isFar else { return nil }
                    let values = "\(number(mine.value, digits(mine.name))) against \(number(theirs.value, digits(mine.name)))"
                    return "- \(own.clip) at \(own.target) kb/s: \(mine.name) \(values) (\(other.encoder), "
                        + "\(number(own.payloadRate, 1)) and \(number(other.payloadRate, 1)) kb/s)"
                }
            }
        }
    }

    /// All trials as CSV.
    var csv: String {
        let head = ["clip", "target", "encoder", "payload", "seconds", "short"] + names
        let rows = trials.map { trial in
            [trial.clip, "\(trial.target)", trial.encoder, "\(trial.payloadRate)", "\(trial.seconds)", "\(trial.shortFraction)"]
                + trial.figures.map { "\($0.value)" }
        }
        return ([head] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
    }

    private func digits(_ name: String) -> Int { metrics.contains(name) ? 5 : name == "coherence" ? 3 : 1 }

    private func number(_ value: Double, _ digits: Int) -> String { value.isFinite ? String(format: "%.\(digits)f", value) : "–" }

    private func unique<Value: Hashable>(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { seen.insert($0).inserted }
    }
}
