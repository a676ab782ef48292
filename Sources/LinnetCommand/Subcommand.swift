// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// One verb of the program: what its help says, and what it does.
///
/// A new one is a file with a type like this, named in ``LinnetCommand``.
protocol Subcommand {
    /// The word on the command line.
    static var name: String { get }
    /// What it does, in a few words.
    static var summary: String { get }
    /// What follows the name, such as `IN... [-o OUT]`.
    static var usage: String { get }
    /// Its options without `--help`.
    static var options: [CommandOption] { get }
    /// What the help says below the options; may be empty.
    static var details: String { get }
    /// Commands that work as they are written, with what they do.
    static var examples: [(command: String, meaning: String)] { get }

    /// Does it; throws ``CommandFailure`` or an error of the modules below.
    static func run(_ arguments: ParsedArguments) throws -> ExitCode
}

extension Subcommand {
    /// Parses the words behind the name and runs, or shows the help.
    static func main(_ words: [String]) throws -> ExitCode {
        let parser = ArgumentParser(command: "linnet \(name)", options: options + [.help])
        let arguments = try parser.parse(words)
        guard !arguments.has("help") else {
            try StandardOutput.print(HelpText.subcommand(self))
            return .success
        }
        return try run(arguments)
    }
}
