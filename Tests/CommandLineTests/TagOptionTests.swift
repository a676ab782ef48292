// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetCommand
import TestSupport
import Testing

/// Tag options, and tag changes without re-encoding.
@Suite struct TagOptionTests {
    @Test("probe prints the name of any tag, and a note names the one that FLAC changes")
    func anyName() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav")
        let m4a = try LinnetProgram.run("encode", "in.wav", "-o", "a.m4a", "--tag", "Größe=1", folder: folder)
        #expect(m4a.exitCode == 0 && m4a.errorText.isEmpty, "\(m4a.errorText)")
        #expect(try LinnetProgram.run("probe", "a.m4a", folder: folder).text.contains("\nGröße:         1\n"))
        let flac = try LinnetProgram.run("convert", "a.m4a", "-o", "a.flac", folder: folder)
        #expect(flac.errorText.contains("FLAC is written without the tag name 'Größe'\n"), "\(flac.errorText)")
    }

    @Test("Every command that writes files has all options", arguments: ["encode", "batch", "convert", "decode", "remux", "record"])
    func commands(name: String) throws {
        let command = try #require(LinnetCommand.subcommands.first { $0.name == name })
        let names = Set(command.options.map(\.name))
        for option in TagOptions.options where name != "record" || option.name != "no-tags" {
            #expect(names.contains(option.name), "--\(option.name) of \(name)")
        }
        #expect((name == "record") == names.contains("tags-from"))
    }

    /// Words for a tag of every kind.
    private static let words = [
        "--title", "T ü", "--artist", "A", "--artist", "B", "--album-artist", "AA", "--album", "Al", "--date", "2026-11-20", "--genre", "G",
        "--track", "3/12", "--disc", "1/2", "--composer", "C", "--comment", "Com", "--copyright", "Cop", "--lyrics-file", "l.txt",
        "--picture", "f.png", "--picture", "back=b.png", "--tag", "ISRC=I", "--tag", "Own=x=y",
    ]

    /// Writes the files of the words, and a signal.
    private func prepare(_ folder: TemporaryFolder) throws {
        try folder.writeSignal("a.wav", frames: 4000)
        _ = try folder.write([0x89, 0x50, 0x4E, 0x47, 1], to: "f.png")
        _ = try folder.write([0x89, 0x50, 0x4E, 0x47, 1, 2], to: "b.png")
        _ = try folder.write(Array("line 1\nline 2\n".utf8), to: "l.txt")
    }

    @Test("Each option sets its tag", arguments: ["encode a.wav", "convert a.wav", "remux a.m4a", "decode a.m4a"])
    func values(words: String) throws {
        let folder = try TemporaryFolder()
        try prepare(folder)
        _ = try LinnetProgram.run("encode", "a.wav", "-o", "a.m4a", "--genre", "Old", "--comment", "Old", folder: folder)
        let output = words.hasPrefix("decode") ? "out.flac" : "out.m4a"
        let command = words.split(separator: " ").map(String.init)
        let run = try ProgramRun(LinnetProgram.path, command + ["-o", output] + Self.words, folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let found = try Mutagen.dump(output, folder: folder)
        let expected = [
            "title": ["T ü"], "artist": ["A", "B"], "albumartist": ["AA"], "album": ["Al"], "date": ["2026-11-20"], "genre": ["G"],
            "tracknumber": ["3"], "tracktotal": ["12"], "discnumber": ["1"], "disctotal": ["2"], "composer": ["C"], "comment": ["Com"],
            "copyright": ["Cop"], "lyrics": ["line 1\nline 2"], "isrc": ["I"], "own": ["x=y"],
        ]
        for (name, values) in expected { #expect(found.tags[name] == values, "\(name)") }
        #expect(found.pictures.map(\.byteCount).sorted() == [5, 6])
    }

    @Test("Files of texts that cannot be read or stored as a whole are refused")
    func unreadableText() throws {
        let folder = try TemporaryFolder()
        try prepare(folder)
        _ = try folder.write([UInt8](repeating: 97, count: 1 << 20 | 1), to: "long.txt")
        for (name, code, text) in [("long.txt", 5 as Int32, "is larger than 1048576 bytes"), (".", 4, "is a directory")] {
            let run = try LinnetProgram.run("encode", "a.wav", "-o", "refused.m4a", "--lyrics-file", name, folder: folder)
            #expect(run.exitCode == code && run.errorText.contains(text), "\(run.exitCode) \(run.errorText)")
        }
        #expect(try !folder.contents.contains("refused.m4a"))
    }

    @Test("Tags change in place, only with --force, and the audio stays")
    func inPlace() throws {
        let folder = try TemporaryFolder()
        try prepare(folder)
        _ = try LinnetProgram.run("encode", "a.wav", "-o", "a.m4a", "--title", "Old", "--comment", "Old", "--artist", "A", folder: folder)
        let refused = try LinnetProgram.run("remux", "a.m4a", "a.m4a", "--title", "New", folder: folder)
        #expect(refused.exitCode != 0)
        _ = try LinnetProgram.run("remux", "a.m4a", "before.aac", "--no-tags", folder: folder)
        let run = try LinnetProgram.run("remux", "a.m4a", "a.m4a", "--force", "--title", "New", "--comment", "", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let found = try Mutagen.dump("a.m4a", folder: folder)
        #expect(found.tags["title"] == ["New"] && found.tags["artist"] == ["A"] && found.tags["comment"] == nil)
        _ = try LinnetProgram.run("remux", "a.m4a", "after.aac", "--no-tags", folder: folder)
        #expect(try bytes(ofFile: folder.path("before.aac")) == bytes(ofFile: folder.path("after.aac")))
    }

    @Test("A recording has the tags of --tags-from and the options")
    func recording() throws {
        let folder = try TemporaryFolder()
        try prepare(folder)
        _ = try folder.write([UInt8](repeating: 0, count: 8000), to: "in.pcm")
        _ = try LinnetProgram.run("encode", "a.wav", "-o", "a.m4a", "--title", "Old", "--genre", "G", "--picture", "f.png", folder: folder)
        let words = ["record", "--quiet", "--input", "in.pcm", "--rate", "16000", "--mono", "-o", "t.m4a", "--also", "t.flac"]
        let run = try ProgramRun(LinnetProgram.path, words + ["--tags-from", "a.m4a", "--title", "New"], folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        for name in ["t.m4a", "t.flac"] {
            let found = try Mutagen.dump(name, folder: folder)
            #expect(found.tags["title"] == ["New"] && found.tags["genre"] == ["G"] && found.pictures.map(\.byteCount) == [5], "\(name)")
        }
    }

    @Test(
        "Invalid values are rejected",
        arguments: [
            ["--track", "x"], ["--track", "1/2/3"], ["--disc", "-1"], ["--tag", "KEY"], ["--tag", "=x"], ["--date", "20 Nov 2026"],
            ["--date", "26"], ["--date", "2026-13-45"], ["--date", "2026-1"], ["--date", "2026-11-20-1"],
        ])
    func refusals(words: [String]) throws {
        let folder = try TemporaryFolder()
        try prepare(folder)
        let run = try ProgramRun(LinnetProgram.path, ["encode", "a.wav", "-o", "x.m4a"] + words, folder: folder.url)
        #expect(run.exitCode == 2 && run.errorText.contains("invalid --"), "\(run.errorText)")
        #expect(try !folder.contents.contains("x.m4a"))
    }
}
