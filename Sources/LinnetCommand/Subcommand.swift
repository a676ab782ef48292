// SPDX-License-Identifier: Apache-2.0

/// A subcommand of the program: its help and its implementation.
///
/// To add one, list a conforming type in ``LinnetCommand/subcommands``.
package protocol Subcommand {
    /// The name on the command line.
    static var name: String { get }
    /// A summary of a few words.
    static var summary: String { get }
    /// The arguments after the name, such as `IN... [-o OUT]`.
    static var usage: String { get }
    /// The options, without `--help`.
    static var options: [CommandOption] { get }
    /// The text after the options in the help, possibly empty.
    static var details: String { get }
    /// Example commands with their purposes.
    static var examples: [(command: String, meaning: String)] { get }

    /// Whether `--output` can be repeated: each gets the same audio.
    static var allowsSeveralOutputs: Bool { get }

    /// Runs the subcommand. Throws ``CommandFailure`` or a library error.
    static func run(_ arguments: ParsedArguments) throws -> ExitCode
}

extension Subcommand {
    package static var allowsSeveralOutputs: Bool { false }

    /// Parses the words after the name, and runs the subcommand or shows its help.
    static func main(_ words: [String]) throws -> ExitCode {
        let parser = ArgumentParser(command: "linnet \(name)", options: options + [.help])
        let arguments = try parser.parse(words)
        guard !arguments.has("help") else {
            try StandardOutput.print(HelpText.subcommand(self, columnCount: HelpText.width(of: StandardOutput.columnCount)))
            return .success
        }
        if arguments.offers("output"), arguments.texts("output").contains("") {
            throw arguments.failure("--output has no name")
        }
        if !allowsSeveralOutputs, arguments.offers("output"), arguments.texts("output").count > 1 {
            throw arguments.failure("--output was given more than once; \(name) writes one output for each input")
        }
        if arguments.offers("quiet"), arguments.has("quiet") { StandardError.hideNotes() }
        return try run(arguments)
    }
}
