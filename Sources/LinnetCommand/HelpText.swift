// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioFiles

/// The texts of `--help`.
enum HelpText {
    /// The help of the whole program.
    static func program(_ subcommands: [any Subcommand.Type]) -> String {
        let commands = table(subcommands.map { ($0.name, $0.summary) })
        let codes = table(ExitCode.allCases.map { (Format.padded(String($0.rawValue), to: 3), $0.meaning) })
        let examples = table(subcommands.compactMap { $0.examples.first }.map { ($0.command, $0.meaning) })
        return """
            linnet \(LinnetVersion.current): sound to AAC and back

            Usage: linnet COMMAND [OPTIONS] [FILES]
                   linnet COMMAND --help
                   linnet --version

            Commands:
            \(commands)

            Examples:
            \(examples)

            Exit status:
            \(codes)
            """
    }

    /// The help of one subcommand.
    static func subcommand(_ command: any Subcommand.Type) -> String {
        let options = table((command.options + [.help]).map { ($0.heading, $0.help) })
        let examples = command.examples.map { "  \($0.command)\n      \($0.meaning)" }.joined(separator: "\n")
        let details = command.details.isEmpty ? "" : "\n\(command.details)\n"
        return """
            linnet \(command.name): \(command.summary)

            Usage: linnet \(command.name) \(command.usage)

            Options:
            \(options)
            \(details)
            Examples:
            \(examples)
            """
    }

    /// Two columns; further lines of the second one are indented to it.
    static func table(_ rows: [(String, String)]) -> String {
        let width = min(28, rows.map(\.0.count).max() ?? 0)
        return rows.map { heading, text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let indent = "\n" + String(repeating: " ", count: width + 4)
            let first = heading.count > width ? "  \(heading)\(indent)" : "  \(Format.padded(heading, to: -width))  "
            return first + lines.joined(separator: indent)
        }.joined(separator: "\n")
    }
}
