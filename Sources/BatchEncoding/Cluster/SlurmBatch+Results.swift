// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SystemFiles

package struct ShardStatus: Hashable, Sendable {
    /// The number of the shard, from 1, or `nil` for the shared files.
    package var number: Int?
    /// The task's state in Slurm, such as `RUNNING`, or `nil` if Slurm no longer has it.
    package var state: String?
    package var fileCount: Int
    /// The number of finished files by outcome.
    package var totals: BatchTotals
}

extension SlurmBatch {
    /// Returns the status of all shards.
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

    /// Returns the states of jobs by job ID, such as `12_3`.
    ///
    /// Empty if Slurm cannot be queried.
    private func taskStates() -> [String: String] {
        guard let jobs, let text = try? ShellText.output(of: ["squeue", "-h", "-r", "-o", "%i %T", "-j", "\(jobs.array),\(jobs.finish)"])
        else {
            return [:]
        }
        let rows = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return Dictionary(rows.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    /// Merges the results of all tasks and of rejected files into `results.jsonl`.
    ///
    /// Files without a result are marked as interrupted.
    ///
    /// - Returns: The number of files by outcome.
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

    /// Returns the inputs in a list by output.
    private func outputs(ofList path: String) throws(BatchError) -> [String: String] {
        let manifest = try Manifest(path: path)
        return Dictionary(manifest.entries.map { ($0.output ?? "", $0.input) }) { first, _ in first }
    }

    /// Returns the number of files in a results file by outcome.
    private func totals(ofResults path: String) -> BatchTotals {
        var totals = BatchTotals()
        for (_, json) in Self.lines(of: path) { totals.add(json) }
        return totals
    }

    /// Returns the valid lines of results.
    ///
    /// The last line of a running or killed task can be truncated.
    private static func lines(of path: String) -> [(line: [UInt8], json: JSONValue)] {
        let lines = OpenFile.contents(of: path)?.split(separator: 0x0A) ?? []
        return lines.compactMap { line in (try? JSONValue(parsing: line)).map { (Array(line), $0) } }
    }
}

extension BatchTotals {
    fileprivate mutating func add(_ line: JSONValue) { add(status: line["status"]?.text, seconds: line["seconds"]?.number) }
}
