// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import PCMFiles

/// The texts of `--help`.
package enum HelpText {
    /// The width of the texts where they do not go to a terminal, and on wide ones.
    package static let largestColumnCount = 100
    /// The narrowest terminal to which texts are fitted.
    private static let smallestColumnCount = 30

    /// Returns the width of texts for a terminal of `columnCount` columns; `nil` for other destinations.
    package static func width(of columnCount: Int?) -> Int {
        columnCount.map { max(smallestColumnCount, min(largestColumnCount, $0 - 1)) } ?? largestColumnCount
    }

    /// The help of the whole program.
    package static func program(_ subcommands: [any Subcommand.Type], columnCount: Int = largestColumnCount) -> String {
        let commands = table(subcommands.map { ($0.name, $0.summary) }, columnCount)
        let codes = table(ExitCode.allCases.map { (Format.padded(String($0.rawValue), to: 3), $0.meaning) }, columnCount)
        let shared = table(
            [.output, .format, .force, .range, .rate, .channels, .bitRate, .quality, .device, .jobs, .json, .quiet, .verbose]
                .map { (option: CommandOption) in (option.heading, option.meaning) }, columnCount)
        let examples = table(subcommands.compactMap { $0.examples.first }.map { ($0.command, $0.meaning) }, columnCount)
        return """
            linnet \(LinnetVersion.current): record, encode, decode, convert and inspect audio

            Usage: linnet COMMAND [OPTIONS] [FILES]
                   linnet COMMAND --help
                   linnet help options
                   linnet --version

            Commands:
            \(commands)

            Examples:
            \(examples)

            Options with the same meaning in all commands that have them:
            \(shared)

            Exit status:
            \(codes)
            """
    }

    package static func subcommand(_ command: any Subcommand.Type, columnCount: Int = largestColumnCount) -> String {
        let options = OptionGroup.grouped(command.options + [.help]).map { group in
            "\(group.title):\n" + table(group.options.map { ($0.heading, $0.meaning + $0.detail) }, columnCount)
        }
        let examples = command.examples.map { example in
            "  \(example.command)\n"
                + wrapped(example.meaning[...], columnCount: columnCount - 6).map { "      " + $0 }.joined(separator: "\n")
        }
        let details = command.details.isEmpty ? "" : "\n\(paragraphs(command.details, columnCount))\n"
        let summary = wrapped("linnet \(command.name): \(command.summary)", columnCount: columnCount).joined(separator: "\n")
        let usage = wrapped("linnet \(command.name) \(command.usage)", columnCount: columnCount - 7).joined(separator: "\n       ")
        return """
            \(summary)

            Usage: \(usage)

            \(options.joined(separator: "\n\n"))
            \(details)
            Examples:
            \(examples.joined(separator: "\n"))
            """
    }

    /// Returns two columns, the second one wrapped.
    static func table(_ rows: [(String, String)], _ columnCount: Int) -> String {
        let width = min(28, columnCount / 3, rows.map(\.0.count).max() ?? 0)
        return rows.map { heading, text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
                wrapped($0, columnCount: columnCount - 4 - width)
            }
            let indent = "\n" + String(repeating: " ", count: width + 4)
            let first = heading.count > width ? "  \(heading)\(indent)" : "  \(Format.padded(heading, to: -width))  "
            return first + lines.joined(separator: indent)
        }.joined(separator: "\n")
    }

    /// Returns text wrapped to the width of the help, with empty and indented lines unchanged.
    private static func paragraphs(_ text: String, _ columnCount: Int) -> String {
        var lines: [String] = []
        var paragraph: [Substring] = []
        let sentinel: [Substring] = [" "]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) + sentinel {
            guard line.isEmpty || line.hasPrefix(" ") else {
                paragraph.append(line)
                continue
            }
            if !paragraph.isEmpty { lines += wrapped(Substring(paragraph.joined(separator: " ")), columnCount: columnCount) }
            paragraph = []
            let indent = line.prefix { $0 == " " }
            lines += wrapped(line.dropFirst(indent.count), columnCount: columnCount - indent.count).map { indent + $0 }
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
