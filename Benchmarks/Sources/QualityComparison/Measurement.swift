// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMeasures
import Foundation

/// A measurement of all clips at all bit rates with all encoders.
struct Measurement {
    private var rates: [Int] = [64, 96, 128]
    private var encoders: [CommandTemplate] = []
    private var metrics: [CommandTemplate] = []
    private var clips: [String] = []
    private var isMatched = true
    private var showsClips = true
    private var csv: String?
    private var jobs = 1

    init(_ arguments: [String], linnet: String) throws {
        encoders = [
            CommandTemplate(name: "linnet", words: [linnet, "encode", "{in}", "-o", "{out}", "-b", "{bitrate}", "--force", "--quiet"])
        ]
        if isInstalled("ffmpeg") {
            encoders.append(try CommandTemplate("ffmpeg=ffmpeg -v error -nostdin -y -i {in} -c:a aac -b:a {bitrate} -f adts {out}"))
        }
        var words = arguments[...]
        while let word = words.popFirst() {
            guard word.hasPrefix("--") else {
                clips.append(word)
                continue
            }
            if word == "--summary" {
                showsClips = false
                continue
            }
            guard let value = words.popFirst() else { throw QualityError.usage("\(word) needs a value") }
            switch word {
            case "--rates":
                rates = try value.split(separator: ",").map { word in
                    guard let rate = Int(word), rate > 0 else { throw QualityError.usage("invalid rate \(word); use kbit/s") }
                    return rate
                }
            case "--encoder":
                let encoder = try CommandTemplate(value.replacingOccurrences(of: "{linnet}", with: linnet))
                encoders.removeAll { $0.name == encoder.name }
                encoders.append(encoder)
            case "--without": encoders.removeAll { $0.name == value }
            case "--metric": metrics.append(try CommandTemplate(value))
            case "--match": isMatched = value != "none"
            case "--csv": csv = value
            case "--jobs": jobs = max(1, Int(value) ?? 1)
            default: throw QualityError.usage("unknown option \(word)")
            }
        }
        guard !clips.isEmpty, !rates.isEmpty, !encoders.isEmpty else { throw QualityError.usage("no clips, rates or encoders") }
    }

    /// Measures everything and prints the tables.
    func run() throws {
        let work = rates.flatMap { rate in clips.map { (rate: rate, clip: $0) } }
        let results = Results(count: work.count)
        let rows = (jobs, encoders, metrics, isMatched)
        DispatchQueue.concurrentPerform(iterations: jobs) { worker in
            for index in stride(from: worker, to: work.count, by: jobs) {
                let (rate, clip) = work[index]
                do {
                    results.set(try Trial.all(clip: clip, kilobits: rate, encoders: rows.1, metrics: rows.2, isMatched: rows.3), at: index)
                } catch {
                    complain("\(clip) at \(rate) kb/s: \(error)")
                }
                complain("\(index + 1) of \(work.count)")
            }
        }
        let report = QualityReport(trials: results.all, metrics: metrics.map(\.name))
        print(report.text(showsClips: showsClips))
        if let csv { try report.csv.write(toFile: csv, atomically: true, encoding: .utf8) }
        guard results.missing == 0 else { throw QualityError.incomplete(missing: results.missing, of: work.count) }
    }
}

/// The results of several threads, in job order.
private final class Results: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [[Trial]]

    init(count: Int) { values = Array(repeating: [], count: count) }

    func set(_ trials: [Trial], at index: Int) { lock.withLock { values[index] = trials } }

    var all: [Trial] { lock.withLock { values.flatMap { $0 } } }

    /// The number of clip and rate combinations without a result.
    var missing: Int { lock.withLock { values.count { $0.isEmpty } } }
}
