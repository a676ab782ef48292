// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Command lines with the output as the last word, as in other programs.
@Suite struct OutputNameTests {
    @Test("IN OUT without -o is rejected with the right command, and nothing is read or written")
    func inputAndOutput() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 5000)
        #expect(try LinnetProgram.run("encode", "--quiet", "in.wav", "-o", "old.m4a", folder: folder).exitCode == 0)
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        for (command, input, output) in [
            ("encode", "in.wav", "out.m4a"), ("encode", "in.wav", "old.m4a"), ("encode", "in.wav", "out.opus"),
            ("decode", "old.m4a", "out.wav"), ("decode", "old.m4a", "in.wav"), ("convert", "in.wav", "out.flac"),
        ] {
            let run = try LinnetProgram.run(command, input, output, folder: folder)
            #expect(run.exitCode == 2, "\(command) \(output)")
            #expect(run.errorText.contains("linnet \(command) \(input) -o \(output)"), "\(run.errorText)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before)
        // Several existing files of one kind are inputs.
        #expect(try LinnetProgram.run("encode", "--quiet", "old.m4a", "-o", "new.m4a", folder: folder).exitCode == 0)
        #expect(try LinnetProgram.run("decode", "--quiet", "old.m4a", "new.m4a", folder: folder).exitCode == 0)
        #expect(try LinnetProgram.run("encode", "--quiet", "old.m4a", "new.m4a", folder: folder).exitCode == 0)
    }

    @Test("Several inputs do not go to a folder with a file name", arguments: ["encode", "decode", "convert"])
    func folderNamedLikeFile(command: String) throws {
        let folder = try TemporaryFolder()
        let output = command == "encode" ? "one.m4a" : "one.wav"
        let run = try LinnetProgram.run(command, "a.m4a", "b.m4a", "-o", output, folder: folder)
        #expect(run.exitCode == 2 && run.errorText.contains("several inputs need an output folder; \(output) is a file name"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test("Commands that write one output refuse two of them", arguments: ["encode", "decode", "convert", "remux", "batch", "report"])
    func twoOutputs(command: String) throws {
        let run = try LinnetProgram.run(command, "a.wav", "-o", "a1.m4a", "-o", "a2.m4a", folder: try TemporaryFolder())
        #expect(run.exitCode == 2 && run.errorText.contains("--output was given more than once"))
    }

    @Test(
        "No text goes to an output that is standard output under another name",
        arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "pipe", "-"])
    func standardOutput(output: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 8000)
        _ = try folder.write([UInt8](repeating: 0, count: 20_000), to: "a.raw")
        let setup = try LinnetProgram.shell("linnet encode --quiet a.wav -o a.m4a && mkfifo pipe", folder: folder)
        #expect(setup.exitCode == 0, "\(setup.errorText)")
        let commands = [
            "encode a.wav -f adts", "decode a.m4a -f wav", "convert a.wav -f wav", "convert a.wav -f flac", "remux a.m4a -f adts",
        ]
        for command in commands {
            let quiet = try LinnetProgram.shell("linnet \(command) -o - --quiet | cat", folder: folder)
            #expect(quiet.exitCode == 0 && quiet.output.count > 1000)
            let reader = output == "pipe" ? "cat pipe & linnet \(command) -o pipe >pipe; wait" : "linnet \(command) -o \(output) | cat"
            let run = try LinnetProgram.shell(reader, folder: folder)
            #expect(run.exitCode == 0 && run.output == quiet.output, "\(command): \(run.output.count) \(quiet.output.count)")
            #expect(run.errorText.contains(" -> "), "\(run.errorText)")
            guard output != "-" else { continue }
            let redirected = output == "pipe" ? ">pipe & cat pipe >/dev/null; wait $!" : "| cat"
            let json = try LinnetProgram.shell("linnet \(command) -o \(output) --json \(redirected)", folder: folder)
            #expect(json.exitCode == 2 && json.output.isEmpty && json.errorText.contains("--json and -o \(output)"), "\(json.errorText)")
        }
        let record = "linnet record --input a.raw --raw s16 -o \(output) -f adts --json"
        let recorded = try LinnetProgram.shell(output == "pipe" ? record + " >pipe & cat pipe; wait $!" : record + " | cat", folder: folder)
        #expect(recorded.exitCode == 2 && recorded.output.isEmpty, "\(recorded.errorText)")
    }

    @Test("A report to standard output under another name is the page alone", arguments: ["-", "/dev/stdout"])
    func report(output: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 8000)
        let run = try LinnetProgram.shell("linnet report a.wav -o \(output) | cat", folder: folder)
        #expect(run.text.hasSuffix("</html>\n") || run.text.hasSuffix("</html>"), "\(run.text.suffix(200))")
    }

    @Test(
        "JSON and audio do not share standard output",
        arguments: [
            "remux a.m4a b.m4a --join -f adts -o -", "convert a.m4a b.m4a --join -f wav -o -", "gain a.m4a --gain -3 -o -",
            "compare a.wav a.m4a --drawing -",
        ])
    func jsonAndAudio(command: String) throws {
        let folder = try TemporaryFolder()
        for name in ["a.wav", "b.wav"] { try folder.writeSignal(name, frames: 8000) }
        let run = try LinnetProgram.shell(
            "linnet encode a.wav -o a.m4a && linnet encode b.wav -o b.m4a && exec >json && linnet \(command) --json | cat", folder: folder)
        #expect(try bytes(ofFile: folder.path("json")).isEmpty)
        #expect(run.errorText.contains("would both write to standard output"), "\(run.errorText)")
    }

    @Test("Several changed copies do not go to standard output")
    func severalCopies() throws {
        let folder = try TemporaryFolder()
        let run = try LinnetProgram.run("gain", "a.m4a", "b.m4a", "--gain", "-3", "-o", "-", folder: folder)
        #expect(run.exitCode == 2 && run.errorText.contains("cannot write several outputs to standard output"), "\(run.errorText)")
        #expect(try folder.contents.isEmpty)
    }

    @Test("A file under two names is neither two outputs, nor two inputs of gain, nor the input and the output of a join")
    func otherNames() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 8000)
        let made = try LinnetProgram.shell(
            "linnet convert a.wav -o a.flac && linnet encode a.wav -o a.m4a && cp a.m4a b.m4a", folder: folder)
        #expect(made.exitCode == 0, "\(made.errorText)")
        let before = try bytes(ofFile: folder.path("a.m4a"))
        for (command, reason) in [
            ("encode a.wav ./a.flac --force", "a.wav and ./a.flac would both become ./a.aac"),
            ("gain a.m4a ./a.m4a --gain -3", "an input was given more than once"),
            ("remux a.m4a b.m4a --join -o ./a.m4a --force", "./a.m4a is both an input and the output of --join"),
        ] {
            let run = try LinnetProgram.shell("linnet " + command, folder: folder)
            #expect(run.exitCode == 2 && run.errorText.contains(reason), "\(run.errorText)")
        }
        #expect(try bytes(ofFile: folder.path("a.m4a")) == before)
        #expect(try folder.contents == ["a.flac", "a.m4a", "a.wav", "b.m4a"])
    }

    @Test("The null device takes audio and text")
    func nullDevice() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 8000)
        let run = try LinnetProgram.shell("linnet encode a.wav -f adts -o /dev/null >/dev/null", folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
    }
}
