// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import PCMFiles

/// The texts of `--help`, at most 100 columns wide.
package enum HelpText {
    /// The help of the whole program.
    package static func program(_ subcommands: [any Subcommand.Type]) -> String {
        let commands = table(subcommands.map { ($0.name, $0.summary) })
        let codes = table(ExitCode.allCases.map { (Format.padded(String($0.rawValue), to: 3), $0.meaning) })
        let shared = table(
            [.output, .format, .force, .range, .rate, .channels, .bitRate, .quality, .device, .jobs, .json, .quiet, .verbose]
                .map { (option: CommandOption) in (option.heading, option.meaning) })
        let examples = table(subcommands.compactMap { $0.examples.first }.map { ($0.command, $0.meaning) })
        return """
            linnet \(LinnetVersion.current): record, encode, decode, convert and inspect audio

            Usage: linnet COMMAND [OPTIONS] [FILES]
                   linnet COMMAND --help
                   linnet --version

            Commands:
            \(commands)

            Examples:
            \(examples)

            Options with the same meaning in every command that has them:
            \(shared)

            Exit status:
            \(codes)
            """
    }

    /// The help of one subcommand.
    package static func subcommand(_ command: any Subcommand.Type) -> String {
        let options = table((command.options + [.help]).map { ($0.heading, $0.help) })
        let examples = command.examples.map { "  \($0.command)\n      \($0.meaning)" }.joined(separator: "\n")
        let details = command.details.isEmpty ? "" : "\n\(paragraphs(command.details))\n"
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

    /// Returns two columns; lines of the second one are wrapped and indented to it.
    static func table(_ rows: [(String, String)]) -> String {
        let width = min(28, rows.map(\.0.count).max() ?? 0)
        return rows.map { heading, text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrapped($0, columnCount: 96 - width) }
            let indent = "\n" + String(repeating: " ", count: width + 4)
            let first = heading.count > width ? "  \(heading)\(indent)" : "  \(Format.padded(heading, to: -width))  "
            return first + lines.joined(separator: indent)
        }.joined(separator: "\n")
    }

    /// Returns text wrapped to the width of the help; empty and indented lines stay as they are.
    private static func paragraphs(_ text: String) -> String {
        var lines: [String] = []
        var paragraph: [Substring] = []
        let sentinel: [Substring] = [" "]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) + sentinel {
            guard line.isEmpty || line.hasPrefix(" ") else {
                paragraph.append(line)
                continue
            }
            if !paragraph.isEmpty { lines += wrapped(Substring(paragraph.joined(separator: " ")), columnCount: 100) }
            paragraph = []
            lines.append(String(line))
        }
        return lines.dropLast().joined(separator: "\n")
    }

    /// Returns a line broken at spaces into lines of at most `columnCount` characters.
    private static func wrapped(_ line: Substring, columnCount: Int) -> [String] {
        var lines = [""]
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            if lines[lines.count - 1].isEmpty {
                lines[lines.count - 1] = String(word)
            } else if lines[lines.count - 1].count + 1 + word.count <= columnCount {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
