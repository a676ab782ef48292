// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The parsing of the command line.
@Suite struct ArgumentTests {
    @Test(
        "Help and version go to standard output and succeed",
        arguments: [["--help"], ["-h"], ["help"], ["probe", "--help"], ["help", "probe"]])
    func help(words: [String]) throws {
        let run = try ProgramRun(LinnetProgram.path, words)
        #expect(run.exitCode == 0)
        #expect(run.text.contains("Examples:"))
        #expect(run.text.contains("Usage: linnet"))
        #expect(run.errorText.isEmpty)
    }

    @Test("Rates below 1 and above 10⁹ are refused", arguments: ["0.3", "0", "999999999k", "nan"])
    func rates(text: String) throws {
        let run = try LinnetProgram.run("convert", "--raw", "s16le,\(text),1", "/dev/null", "-o", "/dev/null")
        #expect(run.exitCode == 2 && run.errorText.contains("s16le,\(text),1"), "\(run.errorText)")
    }

    @Test("The version is one line")
    func version() throws {
        let run = try LinnetProgram.run("--version")
        #expect(run.exitCode == 0)
        #expect(run.text.wholeMatch(of: /linnet \d+\.\d+\.\d+\n/) != nil)
    }

    @Test("Without a command the help is shown, and the exit code is 2")
    func nothing() throws {
        let run = try LinnetProgram.run()
        #expect(run.exitCode == 2)
        #expect(run.errorText.contains("Usage: linnet"))
        #expect(run.output.isEmpty)
    }

    @Test(
        "A misspelled word gives one line that names the nearest one",
        arguments: [
            (["prob", "x"], "linnet: unknown command prob; did you mean probe? (see linnet --help)"),
            (["--versoin"], "linnet: unknown option --versoin; did you mean --version? (see linnet --help)"),
            (["probe", "--jsno", "x"], "linnet: unknown option --jsno; did you mean --json? (see linnet probe --help)"),
            (["probe", "x", "--frmes"], "linnet: unknown option --frmes; did you mean --frames? (see linnet probe --help)"),
            (["probe", "--zzzzzzzzz"], "linnet: unknown option --zzzzzzzzz (see linnet probe --help)"),
            (["probe", "-x"], "linnet: unknown option -x (see linnet probe --help)"),
            (["probe", "--json=3", "x"], "linnet: --json takes no value (see linnet probe --help)"),
            (["probe"], "linnet: missing input file (see linnet probe --help)"),
        ])
    func misspelled(words: [String], message: String) throws {
        let run = try ProgramRun(LinnetProgram.path, words)
        #expect(run.exitCode == 2)
        #expect(run.errorText == message + "\n")
        #expect(run.output.isEmpty)
    }

    @Test("Long names may be abbreviated where that is unambiguous, and a double dash ends the options")
    func abbreviations() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(adtsStream([100, 200]), to: "--json")
        let short = try LinnetProgram.run("probe", "--js", "--", "--json", folder: folder)
        #expect(short.exitCode == 0)
        #expect(short.text.hasPrefix("{"))
    }
}
