// SPDX-License-Identifier: Apache-2.0

/// An option of a subcommand, for the parser and the help.
///
/// Options of several subcommands are declared once, in `CommandOption+Shared.swift`, so that a name has one meaning. ``with(_:)`` adds
/// details of one subcommand.
package struct CommandOption: Sendable {
    /// An alternative long name.
    package struct Alias: Sendable {
        /// The name, without dashes.
        package let name: String
        /// The implied value; `nil` if the name takes a value itself.
        package let value: String?

        init(_ name: String, value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    /// The long name, without dashes.
    package let name: String
    package let short: Character?
    /// The name of the value in the help; `nil` for an option without a value.
    package let valueName: String?
    /// The description, the same in every subcommand.
    package let meaning: String
    /// Text that one subcommand adds to the description, with leading punctuation.
    package let detail: String
    /// Alternative names, which the help does not list.
    package let aliases: [Alias]

    init(
        _ name: String, short: Character? = nil, value valueName: String? = nil, _ meaning: String, detail: String = "",
        aliases: [Alias] = []
    ) {
        self.name = name
        self.short = short
        self.valueName = valueName
        self.meaning = meaning
        self.detail = detail
        self.aliases = aliases
    }

    /// Returns the option with a detail of one subcommand, such as ": a folder".
    func with(_ detail: String) -> CommandOption {
        CommandOption(name, short: short, value: valueName, meaning, detail: detail, aliases: aliases)
    }

    /// Whether `name` is the option's long name or a value-taking alias.
    func isNamed(_ name: String) -> Bool { self.name == name || aliases.contains { $0.name == name && $0.value == nil } }

    /// Both names with dashes and the value name, for the help.
    var heading: String {
        let names = [short.map { "-\($0)" } ?? "   ", "--\(name)"].joined(separator: short == nil ? " " : ", ")
        return names + (valueName.map { " \($0)" } ?? "")
    }
}
