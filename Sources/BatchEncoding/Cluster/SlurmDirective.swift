// SPDX-License-Identifier: Apache-2.0

/// A line of a script by which sbatch gets an option.
struct SlurmDirective {
    /// The text of the line.
    let line: String

    /// Creates the line of an option.
    ///
    /// - Parameters:
    ///   - name: The option's long name.
    ///   - value: Its value, without a line break; in double quotes sbatch takes a backslash before a quote and before another one away.
    init(_ name: String, _ value: String) {
        let isPlain = value.allSatisfy(ShellText.plain.contains)
        let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        line = "#SBATCH --\(name)=" + (isPlain ? value : "\"\(escaped)\"")
    }

    /// Creates the line that names the file for the output of a job.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file, as it is. Its percent signs are doubled, since Slurm replaces `%j` and the like; where it has a
    ///     backslash, Slurm takes one of two away and replaces nothing, so that all tasks append to one file.
    ///   - name: The name of the file, in which Slurm replaces `%a` by the number of the task.
    init(outputIn folder: String, name: String) {
        let escaped = folder.contains("\\") ? folder.replacing("\\", with: "\\\\") : folder.replacing("%", with: "%%")
        self.init("output", "\(escaped)/\(name)")
    }
}
