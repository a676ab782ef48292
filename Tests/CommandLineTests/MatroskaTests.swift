// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A browser's recording in every subcommand that reads files.
@Suite struct MatroskaTests {
    /// 19 Opus packets of 60 ms, with a video track.
    static func recording() throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try bytes(ofFile: tests.appending(path: "Vectors/MediaRecorder/video.webm").path)
    }

    @Test("All subcommands read a recording, also from standard input")
    func subcommands() throws {
        let folder = try TemporaryFolder()
        let recording = try Self.recording()
        _ = try folder.write(recording, to: "a.webm")
        let commands = [
            "decode a.webm -o a.wav", "convert a.webm -o c.wav", "encode a.webm -o a.m4a", "remux a.webm -o b.m4a",
            "remux a.webm -o a.opus", "remux a.webm -o a.caf", "report a.webm -o a.html",
        ]
        for command in commands {
            let run = try ProgramRun(LinnetProgram.path, command.split(separator: " ").map(String.init), folder: folder.url)
            #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(command): \(run.errorText)")
        }
        let direct = try ProgramRun(LinnetProgram.path, ["decode", "-", "-o", "-", "--format", "raw"], input: recording)
        #expect(direct.exitCode == 0 && !direct.output.isEmpty, "\(direct.errorText)")
        for name in ["a.opus", "b.m4a", "a.caf"] {
            let run = try LinnetProgram.run("decode", name, "-o", "-", "--format", "raw", folder: folder)
            #expect(run.exitCode == 0 && run.output == direct.output, "\(name): \(run.errorText)")
        }
        let probe = try LinnetProgram.run("probe", "a.webm", "--json", folder: folder)
        #expect(probe.text.contains(#""container": "Matroska""#) && probe.text.contains(#""frames": 54720"#), "\(probe.text)")
    }

    @Test(
        "Every codec is read from a pipe as from a file", arguments: ["flac", "libvorbis", "pcm_s24le", "libmp3lame", "aac", "alac", "mov"])
    func pipes(codec: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 30_000)
        let name = codec == "mov" ? "in.mov" : "in.mka"
        let words = codec == "mov" ? "" : "-c:a \(codec)"
        let made = try ProgramRun.shell("ffmpeg -v error -i in.wav \(words) \(name)", folder: folder.url)
        #expect(made.exitCode == 0, "\(made.errorText)")
        let run = try LinnetProgram.shell(
            "linnet convert \(name) -o a.wav && cat \(name) | linnet convert - -o b.wav && cat \(name) | linnet probe -", folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        #expect(run.text.contains("44100 Hz"), "\(run.text)")
        #expect(try bytes(ofFile: folder.path("a.wav")) == bytes(ofFile: folder.path("b.wav")))
    }

    @Test("Video and subtitle tracks are counted, chapter titles are not", arguments: [("mp4", "mov_text"), ("mkv", "srt")])
    func otherTracks(type: String, codec: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array("1\n00:00:00,000 --> 00:00:01,000\nHello\n\n".utf8), to: "a.srt")
        _ = try folder.write(Array("0:00 One\n0:00.5 Two\n".utf8), to: "chapters.txt")
        let made = try ProgramRun.shell(
            "ffmpeg -v error -f lavfi -i testsrc=size=64x64:duration=1 -f lavfi -i sine=duration=1 -i a.srt -map 0 -map 1 -map 2 -map 2 "
                + "-c:v mpeg4 -c:a aac -c:s \(codec) film.\(type)", folder: folder.url)
        #expect(made.exitCode == 0, "\(made.errorText)")
        let run = try LinnetProgram.shell(
            "linnet probe film.\(type) && linnet encode film.\(type) -o book.m4b --chapters chapters.txt --quiet && linnet probe book.m4b --json",
            folder: folder)
        #expect(run.exitCode == 0 && run.text.contains("1 video track, 2 subtitle tracks\n"), "\(run.text)\(run.errorText)")
        #expect(run.text.contains(#""videoTracks": 0"#) && run.text.contains(#""subtitleTracks": 0"#), "\(run.text)")
        let json = try LinnetProgram.run("probe", "film.\(type)", "--json", folder: folder)
        #expect(json.text.contains(#""videoTracks": 1"#) && json.text.contains(#""subtitleTracks": 2"#), "\(json.text)")
    }

    @Test("A cut recording gives what it has, with exit status 6")
    func cut() throws {
        let folder = try TemporaryFolder()
        let recording = try Self.recording()
        _ = try folder.write(Array(recording.prefix(recording.count / 2)), to: "a.webm")
        let run = try LinnetProgram.run("decode", "a.webm", "-o", "a.wav", folder: folder)
        #expect(run.exitCode == 6, "\(run.errorText)")
        #expect(run.errorText.contains("bytes of a.webm outside access units"), "\(run.errorText)")
        #expect(try folder.contents.contains("a.wav"))
    }

    @Test("Writing is refused by name", arguments: [("a.webm", "WebM"), ("a.mka", "Matroska")])
    func writing(name: String, format: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(try Self.recording(), to: "in.webm")
        let run = try LinnetProgram.run("remux", "in.webm", "-o", name, "--title", "T", folder: folder)
        #expect(
            run.exitCode == 2 && run.errorText.contains("cannot write \(name): linnet does not write \(format); use "), "\(run.errorText)")
    }
}
