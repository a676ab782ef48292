// SPDX-License-Identifier: Apache-2.0

/// An option of a subcommand, as the parser and the help use it.
///
/// An option that several subcommands have is declared once, in `CommandOption+Shared.swift`, so that a name means the same everywhere; a
/// subcommand adds what is particular to it with ``with(_:)``.
package struct CommandOption: Sendable {
    /// Another long name of an option.
    package struct Alias: Sendable {
        /// The name, without dashes.
        package let name: String
        /// The value that the name stands for; nil for a name that takes the option's own value.
        package let value: String?

        /// Makes an alias.
        init(_ name: String, value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    /// The long name, without dashes.
    package let name: String
    /// The short name, if there is one.
    package let short: Character?
    /// The name of the value in the help; nil if the option takes no value.
    package let valueName: String?
    /// The meaning of the option, the same in every subcommand.
    package let meaning: String
    /// The text that the help adds for one subcommand, with the punctuation before it; may be empty.
    let detail: String
    /// Other names, which the help doesn't list.
    package let aliases: [Alias]

    /// Makes an option.
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

    /// Returns the option with a detail for one subcommand, such as ", as linnet devices lists it".
    func with(_ detail: String) -> CommandOption {
        CommandOption(name, short: short, value: valueName, meaning, detail: detail, aliases: aliases)
    }

    /// Whether a long name is that of the option, or one of its others that take the option's own value.
    func isNamed(_ name: String) -> Bool { self.name == name || aliases.contains { $0.name == name && $0.value == nil } }

    /// Both names with dashes and the value, as the help lists them.
    var heading: String {
        let names = [short.map { "-\($0)" } ?? "   ", "--\(name)"].joined(separator: short == nil ? " " : ", ")
        return names + (valueName.map { " \($0)" } ?? "")
    }

    /// The description in the help.
    var help: String { meaning + detail }
}
