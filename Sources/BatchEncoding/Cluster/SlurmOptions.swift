// SPDX-License-Identifier: Apache-2.0

/// The resources that a batch requests from Slurm.
package struct SlurmOptions: Hashable, Sendable {
    /// The number of array tasks.
    package var taskCount = 8
    /// The number of processors per task, or `nil` for the cluster's default.
    package var processorCount: Int?
    /// The partition, or `nil` for the default.
    package var partition: String?
    /// The account, or `nil` for the default.
    package var account: String?
    /// The time limit of a task, in an sbatch format, or `nil` for the partition's.
    package var timeLimit: String?
    /// The memory per task, in bytes, or `nil` for the cluster's default.
    package var memory: Int?

    package init() {}

    /// Returns the script lines that request the resources.
    func directives(array: Bool) -> [String] {
        let values = [
            ("array", array ? "1-\(taskCount)" : nil), ("partition", partition), ("account", account), ("time", timeLimit),
            ("cpus-per-task", processorCount.map { "\($0)" }), ("mem", memory.map { "\(($0 + 1_048_575) >> 20)M" }),
        ]
        return values.compactMap { name, value in value.map { SlurmDirective(name, $0).line } }
    }
}
