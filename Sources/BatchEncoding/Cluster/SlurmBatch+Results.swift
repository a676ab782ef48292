// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SystemFiles

/// The state of a shard.
package struct ShardStatus: Hashable, Sendable {
    /// The number of the shard from 1 on; nil for the shared files.
    package var number: Int?
    /// The state of its task by Slurm, such as `RUNNING`; nil if Slurm no longer knows it.
    package var state: String?
    /// The number of its files.
    package var fileCount: Int
    /// The numbers of finished files.
    package var totals: BatchTotals
}

extension SlurmBatch {
    /// Returns the state of all shards.
    ///
    /// - Throws: ``BatchError`` if a list is missing.
    package func status() throws(BatchError) -> [ShardStatus] {
        let states = taskStates()
        var status: [ShardStatus] = []
        for (index, part) in parts.enumerated() {
            let number = index < shardCount ? index + 1 : nil
            let key = number.flatMap { number in jobs.map { "\($0.array)_\(number)" } } ?? jobs?.finish
            status.append(
                ShardStatus(
                    number: number, state: key.flatMap { states[$0] }, fileCount: try outputs(ofList: part.list).count,
                    totals: totals(ofResults: part.results)))
        }
        return status
    }

    /// Returns the states of jobs by their numbers, such as `12_3`; empty where Slurm can't be asked.
    private func taskStates() -> [String: String] {
        guard let jobs, let text = try? ShellText.output(of: ["squeue", "-h", "-r", "-o", "%i %T", "-j", "\(jobs.array),\(jobs.finish)"])
        else {
            return [:]
        }
        let rows = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return Dictionary(rows.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    /// Joins the results of all tasks, and those of files that no task gets, in `results.jsonl`; files without one are marked as interrupted.
    ///
    /// - Returns: The numbers of files by their outcome.
    /// - Throws: ``BatchError``.
    package func merge() throws(BatchError) -> BatchTotals {
        let path = folder + "/results.jsonl"
        var totals = BatchTotals()
        let tasks = try parts.map { part throws(BatchError) in (results: part.results, inputs: try outputs(ofList: part.list)) }
        try BatchError.creating(path) { () throws(SystemFileError) in
            let file = try FileOutput(path: path, overwrites: true)
            for part in tasks + [(refusedResults, [:])] {
                var missing = part.inputs
                for (line, json) in Self.lines(of: part.results) {
                    missing.removeValue(forKey: json["output"]?.text ?? "")
                    totals.add(json)
                    try file.write(line + [0x0A])
                }
                for (output, input) in missing.sorted(by: { $0.key < $1.key }) {
                    totals.interruptedCount += 1
                    let result = BatchResult(input: input, output: output, outcome: .interrupted)
                    try file.write(Array((result.line { _ in (0, "") } + "\n").utf8))
                }
            }
            try file.commit()
        }
        return totals
    }

    /// Returns the inputs of a list by their outputs.
    private func outputs(ofList path: String) throws(BatchError) -> [String: String] {
        let manifest = try Manifest(path: path)
        return Dictionary(manifest.entries.map { ($0.output ?? "", $0.input) }) { first, _ in first }
    }

    /// Returns the numbers of files of results.
    private func totals(ofResults path: String) -> BatchTotals {
        var totals = BatchTotals()
        for (_, json) in Self.lines(of: path) { totals.add(json) }
        return totals
    }

    /// Returns the intact lines of results; the last one of a task that is running, or was killed, can be cut off.
    private static func lines(of path: String) -> [(line: [UInt8], json: JSONValue)] {
        let lines = OpenFile.contents(of: path)?.split(separator: 0x0A) ?? []
        return lines.compactMap { line in (try? JSONValue(parsing: line)).map { (Array(line), $0) } }
    }
}

extension BatchTotals {
    /// Adds a line of results.
    fileprivate mutating func add(_ line: JSONValue) { add(status: line["status"]?.text, seconds: line["seconds"]?.number) }
}
