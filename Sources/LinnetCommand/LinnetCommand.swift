// SPDX-License-Identifier: Apache-2.0

import AudioFiles
internal import PCMFiles
import SystemFiles
internal import SystemLibrary

/// The program `linnet`: runs a subcommand, and reports errors as one line and an exit code.
@main
package struct LinnetCommand {
    /// All subcommands, in the order of the help.
    package static var subcommands: [any Subcommand.Type] {
        [
            RecordCommand.self,
            StreamCommand.self,
            EncodeCommand.self,
            BatchCommand.self,
            DecodeCommand.self,
            ConvertCommand.self,
            RemuxCommand.self,
            GainCommand.self,
            CompareCommand.self,
            ProbeCommand.self,
            ReportCommand.self,
            PlayCommand.self,
            DevicesCommand.self,
            CodecsCommand.self,
        ]
    }

    /// Runs the program, and exits.
    static func main() {
        SignalWatcher.ignoreFailedWrites()
        StandardDescriptors.reserve()
        do {
            exit(try run(words).rawValue)
        } catch {
            let failure = CommandFailure(error)
            // The reader closed the pipe itself.
            if failure.exitCode != .brokenPipe { StandardError.complain(failure.message) }
            exit(failure.exitCode.rawValue)
        }
    }

    /// The words after the program's name.
    ///
    /// File names need not be valid UTF-8.
    private static var words: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in CommandLine.unsafeArgv[index].map { PathName.decoding($0) } }
    }

    /// Runs the subcommand named by the first word, or shows help or version.
    private static func run(_ words: [String]) throws -> ExitCode {
        guard let first = words.first else {
            let width = StandardError.isTerminal ? StandardError.columnCount : nil
            StandardError.write(HelpText.program(subcommands, columnCount: HelpText.width(of: width)) + "\n")
            return .usage
        }
        switch first {
        case "--help", "-h", "help":
            let columnCount = HelpText.width(of: StandardOutput.columnCount)
            if first == "help", words.dropFirst() == ["options"] {
                try StandardOutput.print(HelpText.options(subcommands, columnCount: columnCount))
                return .success
            }
            if first == "help", words.count > 1 { return try subcommand(words[1]).main(["--help"]) }
            try StandardOutput.print(HelpText.program(subcommands, columnCount: columnCount))
            return .success
        case "--version", "-V", "version":
            try StandardOutput.print("linnet \(LinnetVersion.current)")
            return .success
        default:
            return try subcommand(first).main(Array(words.dropFirst()))
        }
    }

    /// Command names of other programs, with their equivalents here.
    private static let habits = [
        "info": "probe", "identify": "probe", "ffprobe": "probe", "inspect": "probe", "transcode": "convert", "copy": "remux",
        "cut": "remux", "listen": "play",
    ]

    private static func subcommand(_ name: String) throws(CommandFailure) -> any Subcommand.Type {
        if let match = subcommands.first(where: { $0.name == name }) { return match }
        let isOption = name.hasPrefix("-")
        let names = isOption ? ["--help", "--version"] : subcommands.map { $0.name }
        let hint = (habits[name] ?? SpellingSuggestion.nearest(to: name, among: names)).map { "; did you mean \($0)?" } ?? ""
        throw CommandFailure(.usage, "unknown \(isOption ? "option" : "command") \(name)\(hint) (see linnet --help)")
    }
}
