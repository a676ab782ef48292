// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetCommand
import TestSupport
import Testing

/// Outputs, options and lists as users of other programs write them.
@Suite struct EverydayOutputTests {
    @Test("Output after bytes of another program, or appended, overwrites none of them", arguments: ["wav", "flac", "m4a"])
    func sharedOutput(format: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 20_000)
        let command = "linnet convert --quiet a.wav -o - --format \(format)"
        let run = try LinnetProgram.shell(
            "{ printf HEAD; \(command); } > b; printf HEAD > c; \(command) >> c; tail -c +5 b > b.\(format); linnet convert b.\(format) -o d.wav",
            folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        for name in ["b", "c"] { #expect(try bytes(ofFile: folder.path(name)).starts(with: "HEAD".utf8), "\(name)") }
        #expect(try bytes(ofFile: folder.path("b")) == bytes(ofFile: folder.path("c")))
        #expect(try bytes(ofFile: folder.path("d.wav")).count / 4 >= 20_000)
    }

    @Test(
        "An output of another command is rejected with the command's name",
        arguments: [
            ("encode a.wav -o x.flac", "linnet convert writes .flac"), ("encode a.wav -o x.wav", "linnet convert writes .wav"),
            ("decode a.m4a -o x.m4a", "linnet convert writes .m4a"), ("decode a.m4a -o x.mp3", "linnet does not write MP3"),
            ("remux a.m4a x.flac", "linnet decode writes .flac"), ("encode a.wav -o x.ogg", "linnet does not write Ogg Vorbis"),
            ("encode a.wav -o x.m3u8", "linnet stream writes one to hls:FOLDER"), ("convert a.wav -o x.foo", "unknown extension in x.foo"),
        ])
    func otherCommand(words: String, hint: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4410)
        let run = try LinnetProgram.shell("linnet \(words)", folder: folder)
        #expect(run.exitCode == 2 && run.errorText.contains(hint), "\(run.errorText)")
    }

    @Test(
        "The extension .ogg holds Opus if the codec is named",
        arguments: ["encode a.wav", "convert a.wav", "record --input /dev/zero --seconds 0.2 -r 48000 -c 2"])
    func oggOpus(words: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 44_100)
        let run = try LinnetProgram.shell("linnet \(words) -o x.ogg --codec opus", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(try bytes(ofFile: folder.path("x.ogg")).dropFirst(28).starts(with: "OpusHead".utf8))
    }

    @Test(
        "AAC that is encoded again gets a note, which names remux where that works",
        arguments: [
            ("encode a.m4a -o b.m4a", "a.m4a: AAC was decoded and re-encoded; remux copies it without loss"),
            ("convert a.m4a a.m4a --join -o b.m4b", "2 files: AAC was decoded and re-encoded"),
            (
                "convert a.m4a -o parts --split chapters --chapters c.txt",
                "a.m4a: AAC was decoded and re-encoded; remux copies it without loss"
            ),
            ("batch a.m4a -o out", "1 file: AAC was decoded and re-encoded; remux copies it without loss"),
        ])
    func encodedAgain(words: String, note: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 44_100)
        _ = try folder.write(Array("0:00 A\n0:00.5 B\n".utf8), to: "c.txt")
        #expect(try LinnetProgram.run("encode", "a.wav", "-o", "a.m4a", folder: folder).exitCode == 0)
        let run = try LinnetProgram.shell("linnet \(words)", folder: folder)
        #expect(run.exitCode == 0 && run.errorText == "linnet: note: \(note)\n", "\(run.errorText)")
    }

    @Test(
        "A full disk stops several jobs", .enabled(if: getuid() == 0 && ProgramRun.find("unshare") != nil, "needs root and unshare"),
        arguments: [
            ("batch in -o small/out -j 1", "the disk is full; no more files are encoded", 15),
            ("encode in/*.wav -o small -j 1", "the disk is full; 3 more files were not encoded", 9),
        ] as [(String, String, Int32)])
    func fullDisk(words: String, message: String, exitCode: Int32) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
        for index in 0..<4 { try folder.writeSignal("in/\(index).wav", frames: 220_500) }
        let script = """
            mkdir small && unshare -m bash -c 'mount -t tmpfs -o size=16k none small || exit 99
            "\(LinnetProgram.path)" \(words)'
            """
        let run = try ProgramRun.shell(script, folder: folder.url)
        // Some containers forbid even root to mount.
        if run.exitCode == 99 || run.errorText.contains("unshare:") { return }
        let lines = run.errorText.split(separator: "\n")
        #expect(run.exitCode == exitCode && lines.count == 2 && lines.last == "linnet: \(message)", "\(run.errorText)")
    }

    @Test(
        "Lists of paths are text or standard input",
        arguments: [
            "batch l.txt -o out", "batch - -o out <l.txt", "batch - -o out <<<$'input,bitrate\\na.wav,64k'",
            "batch - -o out <<<'{\"input\": \"a.wav\"}'",
        ])
    func lists(words: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4410)
        _ = try folder.write(Array("# A comment\n\na.wav\r\n".utf8), to: "l.txt")
        let run = try LinnetProgram.shell("linnet \(words)", folder: folder)
        #expect(run.exitCode == 0 && run.text.hasPrefix("1 encoded, 0 unchanged, 0 failed"), "\(run.errorText)")
        #expect(FileManager.default.fileExists(atPath: folder.path("out/a.m4a")))
    }

    @Test("A dry run finds missing inputs, and failed files leave no empty folders")
    func batchFolders() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array("input\nbad/deep/a.wav\n".utf8), to: "l.csv")
        let dry = try LinnetProgram.run("batch", "l.csv", "-o", "out", "--dry-run", folder: folder)
        #expect(dry.exitCode == 15 && dry.text == "0 to encode, 0 unchanged, 1 failed\n", "\(dry.text)")
        try FileManager.default.createDirectory(atPath: folder.path("bad/deep"), withIntermediateDirectories: true)
        _ = try folder.write(Array("no audio".utf8), to: "bad/deep/a.wav")
        #expect(try LinnetProgram.run("batch", "l.csv", "-o", "out", folder: folder).exitCode == 15)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }

    @Test("A recording goes to a pipe as WAV or raw PCM")
    func recordedPipe() throws {
        let folder = try TemporaryFolder()
        let script = "head -c 192000 /dev/zero | linnet record --input - -r 48000 -c 2 --quiet -o - -f"
        let wave = try LinnetProgram.shell("\(script) wav", folder: folder)
        #expect(wave.exitCode == 0 && wave.output.starts(with: "RIFF".utf8) && wave.output.count > 192_000, "\(wave.errorText)")
        let raw = try LinnetProgram.shell("\(script) raw", folder: folder)
        #expect(raw.output == [UInt8](repeating: 0, count: 192_000), "\(raw.errorText)")
        #expect(try LinnetProgram.shell("\(script) aiff", folder: folder).exitCode == 2)
    }

    @Test("A stream that reached nobody is not called sent")
    func nobody() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 22_050)
        let run = try LinnetProgram.run("stream", "a.wav", "-o", "rtmp://127.0.0.1:9/live/x", "--timeout", "0.2", folder: folder)
        #expect(run.exitCode == 13 && run.errorText.contains("Encoded 0.5 s, "), "\(run.errorText)")
        #expect(run.errorText.contains("Nothing reached rtmp://127.0.0.1:9/live, lost 0.5"), "\(run.errorText)")
    }

    @Test(
        "Options of FFmpeg and others are answered with those here",
        arguments: [
            ("-map 0:1", "-map; the audio track is --audio-track N"), ("-af volume=2", "-af; there are no filters"),
            ("-acodec aac", "-acodec; the codec is --codec"), ("-codec:a aac", "-codec:a; the codec is --codec"),
            ("-vn", "-vn; video is ignored"), ("-ab 128k", "-ab; the bit rate is -b RATE"),
            ("-metadata title=x", "-metadata; tags are --title"),
            ("--tvbr", "--tvbr; a variable bit rate is -q"), ("--cvbr", "--cvbr; a variable bit rate around a target is --abr"),
            ("--segment 3", "--segment; linnet convert --split"), ("--name x", "--name; the output is -o OUT"),
            ("--nothing", "--nothing (see"), ("--bitrte 3", "--bitrte; did you mean --bitrate?"),
        ])
    func habits(words: String, hint: String) throws {
        let run = try LinnetProgram.shell("linnet encode a.wav \(words)")
        #expect(run.exitCode == 2 && run.errorText.contains("linnet: unknown option \(hint)"), "\(run.errorText)")
    }

    @Test("Rates and times can have their units")
    func units() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 44_100)
        let run = try LinnetProgram.run("encode", "a.wav", "-o", "b.m4a", "-b", "64kbps", "--range", "250ms-0.5s", folder: folder)
        #expect(run.exitCode == 0 && run.text.contains("11025 frames"), "\(run.errorText)\(run.text)")
    }

    @Test("M4A in a pipe is noted as fragmented, but not in a file as standard output")
    func fragmented() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4410)
        let run = try LinnetProgram.shell("linnet encode a.wav -o - -f m4a | cat > a.m4a", folder: folder)
        #expect(run.errorText.hasPrefix("linnet: note: M4A in a pipe is fragmented"), "\(run.errorText)")
        let file = try LinnetProgram.shell("linnet encode a.wav -o - -f m4a > b.m4a", folder: folder)
        #expect(!file.errorText.contains("fragmented"), "\(file.errorText)")
    }

    @Test("The options of every command are in groups, each once, and fit narrow terminals")
    func helpGroups() {
        for command in LinnetCommand.subcommands {
            let options = command.options + [.help]
            let groups = OptionGroup.grouped(options)
            #expect(groups.flatMap { $0.options.map(\.name) }.sorted() == options.map(\.name).sorted(), "\(command.name)")
            #expect((groups.count == 1) == (groups[0].title == "Options"))
            for columnCount in [40, 60, 80, 100] {
                let help = HelpText.subcommand(command, columnCount: columnCount)
                // Examples stay on one line for copying.
                let lines = (help.components(separatedBy: "\nExamples:\n")[0]).split(separator: "\n").filter { !$0.contains("/") }
                let wide = lines.filter { line in
                    line.count > columnCount && line.contains { $0 == " " } && line.split(separator: " ").allSatisfy { $0.count < 12 }
                }
                #expect(wide.isEmpty, "\(command.name): \(wide)")
            }
        }
        #expect([20, 81, 300, nil].map { HelpText.width(of: $0) } == [30, 80, 100, 100])
    }

    @Test("A progress line keeps its percentage on a narrow terminal", arguments: 30...100)
    func narrowProgress(columnCount: Int) {
        let line = ProgressLine.text(
            JobProgress(seconds: 50, fraction: 0.42), elapsed: 2, verb: "encoded", label: "a.wav", columnCount: columnCount)
        #expect(line.contains(" 42%") && line.count < columnCount, "\(line)")
    }
}
