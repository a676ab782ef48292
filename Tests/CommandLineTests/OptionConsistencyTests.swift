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

    /// The only option with two meanings: the target loudness of decode.
    private static let exception = (name: "loudness", command: "decode")

    @Test("A long name has the same short name, value, meaning and aliases in every subcommand")
    func longNames() {
        let options = Self.options.filter { $0.option.name != Self.exception.name || $0.command != Self.exception.command }
        #expect(options.count == Self.options.count - 1)
        #expect(OptionTable(LinnetCommand.subcommands).rows.count == Set(options.map(\.option.name)).count + 1)
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
        for (alias, uses) in Dictionary(
            grouping: Self.options.flatMap { use in use.option.aliases.map { ($0.name, use.option.name) } }, by: \.0)
        {
            #expect(!names.contains(alias) && Set(uses.map(\.1)).count == 1, "--\(alias)")
        }
    }

    @Test("Two options have different meanings, and a subcommand only adds to a meaning")
    func meanings() {
        for (meaning, uses) in Dictionary(grouping: Self.options, by: \.option.meaning) {
            #expect(Set(uses.map(\.option.name)).count == 1, "\(meaning)")
        }
        for (command, option) in Self.options {
            let isAddition = option.detail.isEmpty || [":", ",", ";", " (", " of ", " for "].contains { option.detail.hasPrefix($0) }
            #expect(isAddition && !option.meaning.contains("\n"), "--\(option.name) of \(command): \(option.detail)")
        }
    }

    @Test("No option can be abbreviated to the name of another command's option")
    func abbreviations() throws {
        let names = Set(Self.options.map(\.option.name))
        var refused: Set<String> = []
        for command in LinnetCommand.subcommands {
            let options = command.options + [.help]
            let parser = ArgumentParser(command: "linnet \(command.name)", options: options)
            for name in names
            where !options.contains(where: { option in option.name == name || option.aliases.contains { $0.name == name } }) {
                guard options.count(where: { $0.name.hasPrefix(name) }) == 1 else { continue }
                refused.insert(name)
                for words in [["--\(name)"], ["--\(name)=1"], ["--\(name)", "1"]] {
                    #expect(throws: CommandFailure.self, "\(words) of \(command.name)") { try parser.parse(words) }
                }
            }
        }
        #expect(refused.isSuperset(of: ["time", "noise"]))
        // Other abbreviations are valid, with any value.
        let arguments = try ArgumentParser(command: "linnet stream", options: StreamCommand.options).parse(["--timeou", "--time=1"])
        #expect(arguments.text("timeout") == "--time=1")
    }

    @Test("An option is in one group of the help at most, and groups contain only options")
    func groups() {
        let names = OptionGroup.allCases.flatMap(\.names)
        #expect(Set(names).count == names.count && Set(names).isSubset(of: Self.options.map(\.option.name)))
    }

    @Test("The table of options has all options, each with its meaning and all its commands")
    func table() throws {
        let run = try LinnetProgram.run("help", "options")
        #expect(run.exitCode == 0 && run.text.split(separator: "\n").allSatisfy { $0.count <= 100 })
        // Rows start with an option.
        let words = run.text.replacing(#/\n {6,}(?!-)/#, with: " ").replacing(#/ +/#, with: " ")
        for (name, uses) in Dictionary(grouping: Self.options, by: \.option.name) where name != Self.exception.name {
            let option = uses[0].option
            let commands = uses.count == LinnetCommand.subcommands.count ? "all commands" : uses.map(\.command).joined(separator: ", ")
            let start = try Regex("^ (-., )?--\(name) ")
            let text = try #require(words.split(separator: "\n").first { $0.firstMatch(of: start) != nil }, "--\(name)")
            #expect(text.contains(option.meaning.replacing(#/ +/#, with: " ")) && text.contains("[\(commands)]"), "\(text)")
        }
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

    @Test(
        "Options without an effect on the outputs are refused",
        arguments: [
            ("probe -v a.aac", "--verbose needs --frames"),
            ("record -o i.wav -b 64k", "--bitrate does not apply to WAV, which is lossless"),
            ("record -o i.wav --also i.flac --profile he", "--profile does not apply to WAV"),
            ("stream - -o i.raw --effort best", "--effort does not apply to"),
            ("record -o hls:x -f wav", "--format applies to files"), ("record -o i.m4a --hls-type vod", "--hls-type needs an HLS folder"),
            ("record -o rtmp://h/a/k --hls-rates 32k,64k", "--hls-rates needs an HLS folder"),
            ("record -o hls:h --hls-rates 32k,64k --codec opus", "--hls-rates writes AAC; omit --codec opus"),
            ("record -o hls:h --hls-type vod --hls-window 4", "--hls-window applies to --hls-type live only"),
            ("record -o hls:h --hls-segment 2 --hls-part 3", "--hls-part 3 is longer than an HLS segment; use at most 2"),
            ("record -o i.m4a --adaptive 32k-64k", "--adaptive applies to servers"), ("record -o i.m4a --queue 5", "--queue applies to"),
            ("stream - -o i.m4a --timeout 5", "--timeout applies to"), ("record -o i.m4a --title-file t", "--title-file applies to"),
            ("convert a.wav -o b.wav --silence-level -40", "--silence-level needs --split silence"),
            ("remux a.aac -o b.m4a --silence-level -40", "--silence-level needs --split silence"),
            ("stream a.wav -o o.m4a --title T", "--title applies to servers"),
            ("stream a.wav -o hls:h --title T", "--title applies to Icecast servers only"),
            ("record -o rtmp://h/a/k --title-file t", "--title-file applies to Icecast servers only"),
            ("convert a.wav -o o.m4a --dither shaped", "--dither applies to WAV, AIFF, FLAC and Apple Lossless, not to AAC"),
            ("convert a.wav -o o.wav --sample-format f32 --dither shaped", "--dither applies to integer samples, not to f32"),
            ("convert a.wav -o o.flac --rate-quality low", "--rate-quality needs --rate"),
            ("convert a.wav -o o.m4a --sample-format s24", "--sample-format applies to WAV, AIFF, FLAC and Apple Lossless, not to AAC"),
            ("convert a.wav -o o --format opus --sample-format s24", "Lossless, not to Opus"),
            ("convert a.wav -o o.flac -b 64k", "--bitrate does not apply to FLAC, which is lossless"),
            ("convert a.wav -o o/ --split 5 -b 64k", "--bitrate does not apply to WAV, which is lossless"),
            ("convert a.wav -o o.wav -b 64k --cbr", "--bitrate does not apply to WAV, which is lossless"),
            ("convert a.wav -o o.caf --cbr -b 64k", "--bitrate does not apply to PCM, which is lossless"),
            ("convert a.wav -o o.m4a --codec alac -b 64k", "--bitrate does not apply to Apple Lossless, whose bit rate"),
        ])
    func refusals(words: String, message: String) throws {
        let folder = try TemporaryFolder()
        let run = try LinnetProgram.shell("linnet \(words) --quiet < /dev/null", folder: folder)
        #expect(run.exitCode == 2 && run.errorText.contains(message), "\(run.exitCode) \(run.errorText)")
        #expect(try folder.contents.isEmpty)
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
