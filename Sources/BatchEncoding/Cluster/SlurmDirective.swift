// SPDX-License-Identifier: Apache-2.0

/// A script line with an sbatch option.
struct SlurmDirective {
    let line: String

    /// Creates the line of an option.
    ///
    /// - Parameters:
    ///   - name: The option's long name.
    ///   - value: Its value, without newlines. In double quotes, sbatch removes a backslash before a quote or another backslash.
    init(_ name: String, _ value: String) {
        let isPlain = value.allSatisfy(ShellText.plain.contains)
        let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        line = "#SBATCH --\(name)=" + (isPlain ? value : "\"\(escaped)\"")
    }

    /// Creates the line with a job's output file.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file, unescaped. Percent signs are doubled because Slurm replaces `%j` and other patterns. In a path
    ///     with a backslash, Slurm removes one of two backslashes and replaces no patterns, so all tasks append to the same file.
    ///   - name: The file name, in which Slurm replaces `%a` with the task number.
    init(outputIn folder: String, name: String) {
        let escaped = folder.contains("\\") ? folder.replacing("\\", with: "\\\\") : folder.replacing("%", with: "%%")
        self.init("output", "\(escaped)/\(name)")
    }
}
