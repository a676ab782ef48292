// SPDX-License-Identifier: Apache-2.0

/// A program with its arguments.
struct Contender {
    let name: String
    let arguments: [String]
    /// The output file, whose size is reported.
    let output: String
}

/// A contender's results over all rounds.
struct Result {
    let name: String
    /// The median over the rounds.
    let processorSeconds: Double
    let timesRealTime: Double
    /// The reference's median time divided by this contender's; above 1 is faster.
    let timesReference: Double
    let peakResidentBytes: Int
    let outputBytes: Int
}

/// Runs contenders alternately in every round, so that other load affects all of them equally.
struct Comparison {
    let title: String
    /// The contenders, starting with the reference.
    let contenders: [Contender]
    let seconds: Int

    func run(rounds: Int, progress: (String) -> Void) throws -> [Result] {
        var costs = [[Cost]](repeating: [], count: contenders.count)
        for round in 1...rounds {
            for (index, contender) in contenders.enumerated() {
                progress("\(title), round \(round) of \(rounds): \(contender.name)")
                costs[index].append(try measure(contender.arguments))
            }
        }
        return contenders.indices.map { index in
            let times = costs[index].map(\.processorSeconds)
            let reference = costs[0].map(\.processorSeconds)
            return Result(
                name: contenders[index].name, processorSeconds: median(times),
                timesRealTime: Double(seconds) / median(times), timesReference: median(reference) / median(times),
                peakResidentBytes: costs[index].map(\.peakResidentBytes).max() ?? 0,
                outputBytes: fileSize(contenders[index].output))
        }
    }
}

private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
