// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
internal import Synchronization

/// The distribution of files among the tasks of a cluster.
struct ShardBalance {
    /// The file indices of each shard, longest first.
    private(set) var shards: [[Int]]
    /// Files that are much longer than an average shard.
    ///
    /// All tasks encode segments of them.
    private(set) var shared: [Int] = []

    /// A file is shared if it is longer than an average shard by this factor.
    private static let sharedFactor = 1.2

    /// Distributes files so that all shards have about the same duration: each file, longest first, goes to the shortest shard.
    ///
    /// - Parameter count: The number of shards; fewer are used if there are fewer files.
    init(seconds: [Double], count: Int, canBeShared: (Int) -> Bool) {
        let count = max(1, count)
        var order = seconds.indices.sorted { (seconds[$1], $0) < (seconds[$0], $1) }
        if count > 1 {
            let share = seconds.reduce(0, +) / Double(count)
            let long = order.prefix { seconds[$0] > Self.sharedFactor * share }
            shared = long.filter(canBeShared)
        }
        order.removeAll(where: Set(shared).contains)
        shards = Array(repeating: [], count: shared.isEmpty ? min(count, max(1, order.count)) : count)
        var loads = [Double](repeating: 0, count: shards.count)
        for file in order {
            guard let least = loads.indices.min(by: { loads[$0] < loads[$1] }) else { break }
            shards[least].append(file)
            // A file of unknown length still has a cost.
            loads[least] += max(seconds[file], 0.01)
        }
    }

    /// Returns the duration of each file in seconds, by its header or estimated.
    static func durations(of files: [BatchFile]) -> [Double] {
        let seconds = Mutex([Double](repeating: 0, count: files.count))
        WorkerThreads.forEach(count: files.count, threadCount: WorkerThreads.processorCount) { index in
            let file = files[index]
            // Without a length in the header, assume 16-bit stereo at 44.1 kHz.
            let found = file.converter(file.settings.configuration).inputSeconds
            seconds.withLock { $0[index] = found ?? file.work / 176_400 }
        }
        return seconds.withLock { $0 }
    }
}
