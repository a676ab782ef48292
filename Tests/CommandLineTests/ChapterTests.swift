// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Chapters of files, through every command, as FFmpeg writes and reads them.
@Suite struct ChapterTests {
    /// A chapter: its start in seconds, and its title.
    struct Chapter: Equatable {
        let start: Double
        let title: String
    }

    static let expected = [
        Chapter(start: 0, title: "Prologue é"), Chapter(start: 0.3, title: "One"), Chapter(start: 0.75, title: "Two"),
    ]

    /// Creates an M4A file of one second with chapters, by FFmpeg.
    private func make(_ folder: TemporaryFolder) throws {
        try folder.writeSignal("a.wav", frames: 44_100)
        var text = ";FFMETADATA1\n"
        for (chapter, end) in zip(Self.expected, [0.3, 0.75, 1]) {
            text += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(Int(chapter.start * 1000))\nEND=\(Int(end * 1000))\ntitle=\(chapter.title)\n"
        }
        _ = try folder.write(Array(text.utf8), to: "meta.txt")
        let run = try ProgramRun.shell("ffmpeg -v error -i a.wav -i meta.txt -map_metadata 1 -c:a aac a.m4a", folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
    }

    /// Returns the chapters that FFmpeg finds.
    private func ffmpegChapters(_ name: String, _ folder: TemporaryFolder) throws -> [Chapter] {
        let run = try ProgramRun.shell("ffprobe -v error -of json -show_chapters '\(name)'", folder: folder.url)
        let object = try #require(try run.jsonObjects().first?["chapters"] as? [[String: Any]])
        return try object.map { chapter in
            let start = try #require((chapter["start_time"] as? String).flatMap { Double($0) })
            return Chapter(start: start, title: (chapter["tags"] as? [String: String])?["title"] ?? "")
        }
    }

    /// Returns the chapters that `linnet probe` finds.
    private func chapters(_ name: String, _ folder: TemporaryFolder) throws -> [Chapter] {
        let run = try LinnetProgram.run("probe", "--json", name, folder: folder)
        let list = try #require(try run.jsonObjects().first?["chapters"] as? [[String: Any]])
        return try list.map { Chapter(start: try #require($0["start"] as? Double), title: try #require($0["title"] as? String)) }
    }

    @Test(
        "Chapters of M4A are kept",
        arguments: [
            "remux a.m4a b.m4a", "encode a.m4a -o b.m4a", "convert a.m4a -o b.flac", "convert a.m4a -o b.opus", "decode a.m4a -o b.wav",
            "decode a.m4a -o b.aiff", "convert a.m4a -o b.m4a -b 64k",
        ])
    func along(command: String) throws {
        let folder = try TemporaryFolder()
        try make(folder)
        let run = try ProgramRun(LinnetProgram.path, command.split(separator: " ").map { String($0) }, folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let name = try #require(command.split(separator: " ").first { $0.hasPrefix("b.") }.map { String($0) })
        #expect(try chapters(name, folder) == Self.expected)
        #expect(try ffmpegChapters(name, folder) == Self.expected)
    }

    @Test("A part has its own chapters", arguments: ["m4a", "flac"])
    func part(type: String) throws {
        let folder = try TemporaryFolder()
        try make(folder)
        let run = try LinnetProgram.run("convert", "a.m4a", "-o", "b." + type, "--range", "0.5-0.9", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(try chapters("b." + type, folder) == [Chapter(start: 0, title: "One"), Chapter(start: 0.25, title: "Two")])
    }

    @Test("Chapters that a format cannot store are named", arguments: ["caf", "aac"])
    func notes(type: String) throws {
        let folder = try TemporaryFolder()
        try make(folder)
        let run = try LinnetProgram.run("remux", "a.m4a", "b." + type, folder: folder)
        #expect(run.exitCode == 0 && run.errorText.contains("is written without the chapters"), "\(run.errorText)")
    }

    /// Lists of the same three chapters.
    static let lists = [
        "a.txt": "# list\n00:00:00.000 Prologue é\n\n0:00.3\tOne\n0.75 Two",
        "a.json": #"[{"start": 0, "title": "Prologue é"}, {"start": "00:00:00.3", "title": "One"}, {"start": 0.75, "title": "Two"}]"#,
    ]

    @Test("Chapters are set from lines and JSON, without touching the audio", arguments: lists.keys.sorted())
    func setting(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 44_100)
        _ = try folder.write(Array((Self.lists[name] ?? "").utf8), to: name)
        #expect(try LinnetProgram.run("encode", "a.wav", "-o", "a.m4a", folder: folder).exitCode == 0)
        let run = try LinnetProgram.run("remux", "a.m4a", "a.m4a", "--force", "--chapters", name, folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(try chapters("a.m4a", folder) == Self.expected)
        #expect(try ffmpegChapters("a.m4a", folder) == Self.expected)
        // The output of `probe --json` is such a list.
        try Data(LinnetProgram.run("probe", "--json", "a.m4a", folder: folder).output).write(to: URL(filePath: folder.path("b.json")))
        #expect(try LinnetProgram.run("convert", "a.wav", "-o", "b.flac", "--chapters", "b.json", folder: folder).exitCode == 0)
        #expect(try chapters("b.flac", folder) == Self.expected)
    }

    @Test("The tracks of a CUE sheet are chapters, from a file, a comment and a block of FLAC")
    func cueSheet() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 44_100)
        let sheet =
            "TITLE Disc\r\nFILE \"a.wav\" WAVE\r\n  TRACK 01 AUDIO\r\n    TITLE \"One two\"\r\n    INDEX 01 00:00:00\r\n"
            + "  TRACK 02 AUDIO\r\n    INDEX 00 00:00:10\r\n    INDEX 01 00:00:15\r\n"
        _ = try folder.write(Array(sheet.utf8), to: "a.cue")
        let expected = [Chapter(start: 0, title: "One two"), Chapter(start: 0.2, title: "Track 2")]
        #expect(try LinnetProgram.run("convert", "a.wav", "-o", "a.m4a", "--chapters", "a.cue", folder: folder).exitCode == 0)
        #expect(try chapters("a.m4a", folder) == expected)
        let run = try ProgramRun.shell(
            "flac -s --cuesheet=a.cue a.wav -o b.flac && flac -s -T \"CUESHEET=$(cat a.cue)\" a.wav -o c.flac", folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(try chapters("c.flac", folder) == expected)
        #expect(try chapters("b.flac", folder) == [Chapter(start: 0, title: "Track 1"), Chapter(start: 0.2, title: "Track 2")])
    }

    @Test("Lists without chapters and outputs without chapter support are errors")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4000)
        _ = try folder.write(Array("no time\n".utf8), to: "a.txt")
        _ = try folder.write(Array("0:00 Start\n".utf8), to: "b.txt")
        let none = try LinnetProgram.run("encode", "a.wav", "-o", "a.m4a", "--chapters", "a.txt", folder: folder)
        #expect(none.exitCode == 2 && none.errorText.contains("no chapters found in a.txt"), "\(none.errorText)")
        #expect(try LinnetProgram.run("encode", "a.wav", "-o", "a.aac", "--chapters", "b.txt", folder: folder).exitCode == 10)
    }

    /// Writes three files of noise, and one of all of them.
    private func writeParts(_ folder: TemporaryFolder) throws -> [Int] {
        let lengths = [44_100, 30_001, 52_345]
        for (index, length) in lengths.enumerated() { try folder.writeSignal("part\(index + 1).wav", frames: length) }
        return lengths
    }

    /// Returns the samples that FFmpeg decodes.
    private func samples(_ name: String, _ folder: TemporaryFolder) throws -> [UInt8] {
        try ProgramRun.shell("ffmpeg -v error -i '\(name)' -f s16le -", folder: folder.url).output
    }

    @Test("Files are joined without gaps, with a chapter each, and split at the same samples", arguments: ["m4b", "flac"])
    func joining(type: String) throws {
        let folder = try TemporaryFolder()
        let lengths = try writeParts(folder)
        let run = try LinnetProgram.run(
            "convert", "part1.wav", "part2.wav", "part3.wav", "--join", "-o", "book." + type, folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let found = try chapters("book." + type, folder)
        #expect(found.map(\.title) == ["part1", "part2", "part3"])
        #expect(found.map { Int(($0.start * 44_100).rounded()) } == [0, lengths[0], lengths[0] + lengths[1]])
        #expect(try ffmpegChapters("book." + type, folder).map(\.title) == ["part1", "part2", "part3"])
        let split = try LinnetProgram.run(
            "convert", "book." + type, "-o", "out", "--split", "chapters", "--format", "flac", folder: folder)
        #expect(split.exitCode == 0, "\(split.errorText)")
        let names = ["out/01 part1.flac", "out/02 part2.flac", "out/03 part3.flac"]
        let parts = try names.map { try samples($0, folder) }
        let frameByteCount = try samples("part1.wav", folder).count / lengths[0]
        #expect(parts.map(\.count) == lengths.map { $0 * frameByteCount })
        let whole = try ["part1.wav", "part2.wav", "part3.wav"].flatMap { try samples($0, folder) }
        if type == "flac" { #expect(parts.flatMap { $0 } == whole) }
    }

    @Test("Chapters after a file without a stated length start after all its samples")
    func longerThanStated() throws {
        let folder = try TemporaryFolder()
        let lengths = try writeParts(folder)
        // The length of writers that cannot seek.
        var file = try bytes(ofFile: folder.path("part1.wav"))
        let size = try #require(Data(file).range(of: Data("data".utf8))).upperBound
        file.replaceSubrange(size..<size + 4, with: [36, 0, 0, 0])
        _ = try folder.write(file, to: "part1.wav")
        let run = try LinnetProgram.run("convert", "part1.wav", "part2.wav", "--join", "-o", "book.flac", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(try chapters("book.flac", folder).map { Int(($0.start * 44_100).rounded()) } == [0, lengths[0]])
    }

    @Test("A book gets the tags of its first part, and parts get the book's")
    func bookTags() throws {
        let folder = try TemporaryFolder()
        _ = try writeParts(folder)
        for number in 1...3 {
            let run = try LinnetProgram.run(
                "convert", "part\(number).wav", "-o", "part\(number).flac", "--title", "Kapitel \(number)", "--album", "Buch", "--track",
                "\(number)/3", "--artist", "A", folder: folder)
            #expect(run.exitCode == 0, "\(run.errorText)")
        }
        let run = try ProgramRun(
            LinnetProgram.path, ["convert", "--join", "-o", "book.m4b"] + (1...3).map { "part\($0).flac" }, folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(try tags("book.m4b", folder).filter { $0.key != "encoder" } == ["title": "Buch", "album": "Buch", "artist": "A"])
        #expect(try chapters("book.m4b", folder).map(\.title) == ["Kapitel 1", "Kapitel 2", "Kapitel 3"])
        #expect(try LinnetProgram.run("convert", "book.m4b", "-o", "same", "--split", "chapters", folder: folder).exitCode == 0)
        #expect(try chapters("same/03 Kapitel 3.m4b", folder).isEmpty)
        let split = try LinnetProgram.run(
            "convert", "book.m4b", "-o", "out", "--split", "chapters", "--format", "m4a", folder: folder)
        #expect(split.exitCode == 0, "\(split.errorText)")
        let expected = ["title": "Kapitel 2", "album": "Buch", "artist": "A", "track": "2/3"]
        #expect(try tags("out/02 Kapitel 2.m4a", folder).filter { $0.key != "encoder" } == expected)
        #expect(try chapters("out/02 Kapitel 2.m4a", folder).isEmpty)
    }

    /// Returns the tags that `linnet probe` finds.
    private func tags(_ name: String, _ folder: TemporaryFolder) throws -> [String: String] {
        try #require(try LinnetProgram.run("probe", "--json", name, folder: folder).jsonObjects().first?["tags"] as? [String: String])
    }

    @Test(
        "Files that cannot be joined or split are rejected",
        arguments: [
            ("part1.wav low.wav --join -o a.m4b", 10, "which has 44100 Hz and 2 channels; --rate 44100 --channels 2 converts"),
            ("part1.wav part2.wav --join", 2, "-o FILE"),
            ("part1.wav part2.wav --join -o part1.wav", 2, "input and the output"),
            ("part1.wav -o out --split chapters", 2, "no chapters in part1.wav"),
            ("part1.wav -o out --split chapters --chapters late.txt", 2, "all chapters of late.txt start after the end of part1.wav"),
            ("part1.wav --split chapters", 2, "-o FOLDER"), ("part1.wav -o out --split words", 2, "invalid --split value 'words'"),
            ("part1.wav part2.wav --join --split chapters -o out", 2, "exclude each other"),
        ])
    func refusedBooks(words: String, exitCode: Int, text: String) throws {
        let folder = try TemporaryFolder()
        _ = try writeParts(folder)
        _ = try folder.write(Array("1:00:00 Late\n".utf8), to: "late.txt")
        #expect(try LinnetProgram.run("convert", "part1.wav", "-o", "low.wav", "--rate", "22050", folder: folder).exitCode == 0)
        let run = try ProgramRun(LinnetProgram.path, ["convert"] + words.split(separator: " ").map { String($0) }, folder: folder.url)
        #expect(Int(run.exitCode) == exitCode && run.errorText.contains(text), "\(run.errorText)")
    }
}
