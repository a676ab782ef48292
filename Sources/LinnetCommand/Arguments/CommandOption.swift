// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// An option of a subcommand, as the parser and the help need it.
struct CommandOption {
    /// The long name, without dashes.
    let name: String
    /// The short name, if there is one.
    let short: Character?
    /// What the value is called in the help; nil if there is no value.
    let valueName: String?
    /// What it does, on one or several lines.
    let help: String

    init(_ name: String, short: Character? = nil, value valueName: String? = nil, help: String) {
        self.name = name
        self.short = short
        self.valueName = valueName
        self.help = help
    }

    /// The option that every command has.
    static let help = CommandOption("help", short: "h", help: "show this help")

    /// Both names with dashes and the value, as the help lists them.
    var heading: String {
        let names = [short.map { "-\($0)" } ?? "   ", "--\(name)"].joined(separator: short == nil ? " " : ", ")
        return names + (valueName.map { " \($0)" } ?? "")
    }
}
