// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetCommand
import TestSupport
import Testing

/// Consistency of options across subcommands.
@Suite struct OptionConsistencyTests {
    /// All options of all subcommands, with the subcommand's name.
    private static let options = LinnetCommand.subcommands.flatMap { command in
        (command.options + [.help]).map { (command: command.name, option: $0) }
    }

    @Test("A long name has the same short name, value, meaning and aliases in every subcommand")
    func longNames() {
        // --loudness of decode has a value: the target loudness.
        let options = Self.options.filter { $0.option.name != "loudness" || $0.command != "decode" }
        for (name, uses) in Dictionary(grouping: options, by: \.option.name) {
            let commands = uses.map(\.command)
            #expect(Set(commands).count == commands.count, "--\(name) is declared twice")
            #expect(Set(uses.map(\.option.short)).count == 1, "--\(name) in \(commands)")
            #expect(Set(uses.map(\.option.valueName)).count == 1, "--\(name) in \(commands)")
            #expect(Set(uses.map(\.option.meaning)).count == 1, "--\(name) in \(commands)")
            #expect(Set(uses.map { $0.option.aliases.map { "\($0.name)=\($0.value ?? "")" } }).count == 1, "--\(name) in \(commands)")
        }
    }

    @Test("Each short name has one long name, and no alias is the name of another option")
    func shortNames() {
        for (short, uses) in Dictionary(grouping: Self.options.filter { $0.option.short != nil }, by: \.option.short) {
            #expect(Set(uses.map(\.option.name)).count == 1, "-\(short ?? " ") is \(Set(uses.map(\.option.name)))")
        }
        let names = Set(Self.options.map(\.option.name))
        for alias in Self.options.flatMap(\.option.aliases) { #expect(!names.contains(alias.name), "--\(alias.name)") }
    }

    @Test(
        "Options that every command of a kind needs are there",
        arguments: [
            ("output", ["record", "stream", "encode", "decode", "convert", "remux"]),
            ("format", ["record", "stream", "encode", "decode", "convert", "remux"]),
            ("force", ["record", "stream", "encode", "decode", "convert", "remux", "compare"]),
            ("json", ["record", "stream", "encode", "decode", "convert", "remux", "compare", "probe", "play", "devices", "codecs"]),
            ("quiet", ["record", "stream", "encode", "decode", "convert", "remux", "probe", "play"]),
            ("jobs", ["encode", "decode", "convert", "remux"]),
            ("range", ["encode", "decode", "convert", "remux", "play"]), ("rate", ["record", "stream", "encode", "convert"]),
            ("channels", ["record", "stream", "encode", "decode", "convert"]),
            ("device", ["record", "stream", "play"]), ("backend", ["record", "stream", "play", "devices"]),
        ] as [(String, [String])])
    func coverage(name: String, commands: [String]) {
        #expect(Set(Self.options.filter { $0.option.name == name }.map(\.command)).isSuperset(of: commands))
    }

    @Test("Help texts are at most 100 columns wide, and have examples")
    func help() {
        for command in LinnetCommand.subcommands {
            let text = HelpText.subcommand(command)
            for line in text.split(separator: "\n") where !line.contains("Usage:") { #expect(line.count <= 100, "\(line)") }
            #expect(command.examples.count >= 2 && command.examples.allSatisfy { $0.command.contains("linnet \(command.name)") })
        }
    }

    @Test("Every exit code is listed in the program's help")
    func exitCodes() {
        let help = HelpText.program(LinnetCommand.subcommands)
        for code in ExitCode.allCases { #expect(help.contains("\(code.rawValue)  \(code.meaning)")) }
    }

    @Test("Aliases set the option that they stand for")
    func aliases() throws {
        let arguments = try ArgumentParser(command: "linnet encode", options: EncodeCommand.options)
            .parse(["--mono", "--resample", "48k", "--container=m4a", "-y", "a.wav"])
        #expect(arguments.text("channels") == "1" && arguments.text("rate") == "48k" && arguments.text("format") == "m4a")
        #expect(arguments.has("force") && arguments.operands == ["a.wav"])
    }

    @Test(
        "A time range is in seconds or clock time",
        arguments: [
            ("10-12.5", 10..<12.5), ("10s-20s", 10..<20), ("1:30-2:00", 90..<120), ("60-", 60..<Double.infinity), ("-5", 0..<5),
            ("1:02:03.5-1:02:04", 3723.5..<3724),
        ] as [(String, Range<Double>)])
    func ranges(text: String, range: Range<Double>) {
        #expect(TimeRange.parse(text) == range)
    }

    @Test(
        "Other texts are not time ranges", arguments: ["", "-", "5", "5-5", "6-5", "a-b", "1:60-2:00", "1-2-3", "-inf", "nan-"])
    func invalidRanges(text: String) {
        #expect(TimeRange.parse(text) == nil)
    }
}
