// SPDX-License-Identifier: Apache-2.0

/// The resources that a batch asks Slurm for.
package struct SlurmOptions: Hashable, Sendable {
    /// The number of tasks of the array.
    package var taskCount = 8
    /// The processors of a task; nil for the cluster's default.
    package var processorCount: Int?
    /// The partition; nil for the default one.
    package var partition: String?
    /// The account; nil for the default one.
    package var account: String?
    /// The time limit of a task, in a form that sbatch takes; nil for the partition's.
    package var timeLimit: String?
    /// The memory of a task in bytes; nil for the cluster's default.
    package var memory: Int?

    /// Creates options with the defaults.
    package init() {}

    /// The lines of a script that ask for the resources.
    func directives(array: Bool) -> [String] {
        let values = [
            ("array", array ? "1-\(taskCount)" : nil), ("partition", partition), ("account", account), ("time", timeLimit),
            ("cpus-per-task", processorCount.map { "\($0)" }), ("mem", memory.map { "\(($0 + 1_048_575) >> 20)M" }),
        ]
        return values.compactMap { name, value in value.map { SlurmDirective(name, $0).line } }
    }
}
