// SPDX-License-Identifier: Apache-2.0

/// The options of all subcommands, each with the subcommands that have it.
package struct OptionTable {
    package struct Row {
        /// The option, as its first subcommand declares it.
        package let option: CommandOption
        /// The subcommands, with what each adds to the meaning.
        package let uses: [(command: String, detail: String)]

        /// The text that is the same for all subcommands.
        var meaning: String { hasCommonDetail ? option.meaning + Self.firstLine(of: option.detail) : option.meaning }

        /// The details with their subcommands, unless they are the same for all.
        var details: [(commands: [String], text: String)] {
            guard !hasCommonDetail else { return [] }
            var result: [(commands: [String], text: String)] = []
            for use in uses {
                let text = Self.firstLine(of: use.detail).drop { ":,; ".contains($0) }
                if let index = result.firstIndex(where: { $0.text == text }) {
                    result[index].commands.append(use.command)
                } else if !text.isEmpty {
                    result.append(([use.command], String(text)))
                }
            }
            return result
        }

        private var hasCommonDetail: Bool { uses.allSatisfy { $0.detail == option.detail } }

        /// Returns a detail without the list that may follow it.
        private static func firstLine(of detail: String) -> String {
            let line = detail.prefix { $0 != "\n" }
            return String(line.last == ":" ? line.dropLast() : line)
        }
    }

    /// One row per option name and value, in alphabetical order.
    package let rows: [Row]

    package init(_ subcommands: [any Subcommand.Type]) {
        let all = subcommands.flatMap { command in (command.options + [.help]).map { (command: command.name, option: $0) } }
        rows = Dictionary(grouping: all) { "\($0.option.name) \($0.option.valueName ?? "")" }.sorted { $0.key < $1.key }.map { entry in
            Row(option: entry.value[0].option, uses: entry.value.map { ($0.command, $0.option.detail) })
        }
    }
}

extension HelpText {
    package static func options(_ subcommands: [any Subcommand.Type], columnCount: Int = largestColumnCount) -> String {
        let rows = OptionTable(subcommands).rows.map { row in
            let commands = row.uses.count == subcommands.count ? "all commands" : row.uses.map(\.command).joined(separator: ", ")
            let details = row.details.map { "\n\($0.commands.joined(separator: ", ")): \($0.text)" }
            return (row.option.heading, "\(row.meaning) [\(commands)]" + details.joined())
        }
        return """
            linnet options: all options, with the commands that have them

            Usage: linnet COMMAND [OPTIONS] [FILES]

            Options:
            \(table(rows, columnCount))
            """
    }
}
