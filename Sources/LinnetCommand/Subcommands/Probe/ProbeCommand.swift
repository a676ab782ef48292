// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioFiles
import MPEG4Audio

/// `linnet probe`: says what files of coded sound hold.
enum ProbeCommand: Subcommand {
    static let name = "probe"
    static let summary = "say what AAC files hold, and find damage"
    static let usage = "FILE... [--frames [--verbose]] [--check] [--json]"
    static let options = [
        CommandOption("frames", help: "list every access unit first"),
        CommandOption("verbose", short: "v", help: "with --frames, list the tools of each one too: windows, M/S, TNS, SBR and so on"),
        CommandOption("check", help: "decode everything too, and list what can't be decoded and wrong checksums"),
        CommandOption("json", help: "print JSON"),
    ]
    static let details = """
        FILE is ADTS, LOAS, MP4, M4A, 3GP, QuickTime, CAF or ADIF; - is standard input. Everything is counted: the whole file is read,
        and nothing is estimated from its size. Damage is listed with its byte offsets and makes the exit status 6.
        """
    static let examples = [
        (command: "linnet probe song.aac", meaning: "rate, channels, duration, bit rate"),
        (command: "linnet probe --check *.aac *.m4a", meaning: "whether files are sound, by the exit status"),
        (command: "linnet probe --frames song.aac | head", meaning: "the first access units with their sizes"),
        (command: "linnet probe --frames --verbose --json song.m4a", meaning: "the tools that each unit uses, for programs"),
        (command: "curl -s https://example.org/song.aac | linnet probe - --json", meaning: "the same for a stream, for programs"),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else { throw arguments.failure("no file to look into") }
        let asJSON = arguments.has("json")
        var worst = ExitCode.success
        var results: [JSONValue] = []
        var hasPrinted = false
        for path in arguments.operands {
            do {
                if hasPrinted { try StandardOutput.print("") }
                let (report, frames) = try probe(path, arguments)
                if asJSON {
                    results.append(ProbeText.json(report, frames: arguments.has("frames") ? frames : nil))
                } else {
                    try StandardOutput.print(ProbeText.lines(report).joined(separator: "\n"))
                    hasPrinted = true
                }
                if !report.isIntact, worst == .success { worst = .damagedInput }
            } catch let error as OutputError {
                throw error
            } catch {
                let failure = CommandFailure(error)
                StandardError.complain(failure.message)
                if worst == .success { worst = failure.exitCode }
            }
        }
        if asJSON { try StandardOutput.print(JSONValue.array(results).text()) }
        return worst
    }

    /// Reads a file; with `--frames` its table is printed on the way, or collected for JSON.
    private static func probe(_ path: String, _ arguments: ParsedArguments) throws -> (ProbeSummary, [JSONValue]) {
        let decodes = arguments.has("check")
        guard arguments.has("frames") else { return (try FileProbe.run(path: path, decodes: decodes), []) }
        let listsTools = arguments.has("verbose")
        var frames: [JSONValue] = []
        var table = FrameTable()
        let report = try FileProbe.run(path: path, decodes: decodes, listsTools: listsTools) { probed in
            if arguments.has("json") {
                frames.append(ProbeText.json(probed, number: frames.count, listsTools: listsTools))
            } else {
                try table.append(probed.unit, probed.configuration)
                try table.append(ToolText.lines(probed.tools))
            }
        }
        try table.finish()
        return (report, frames)
    }
}
