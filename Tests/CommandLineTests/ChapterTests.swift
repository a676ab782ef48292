// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

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
        Chapter(start: 0, title: "Prologue é"), Chapter(start: 0.3, title: "One"), Chapter(start: 0.725, title: "Two"),
    ]

    /// Makes an M4A file of a second with chapters, by FFmpeg.
    private func make(_ folder: TemporaryFolder) throws {
        try folder.writeSignal("a.wav", frames: 44_100)
        var text = ";FFMETADATA1\n"
        for (chapter, end) in zip(Self.expected, [0.3, 0.725, 1]) {
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
        "Chapters of M4A go along",
        arguments: [
            "remux a.m4a b.m4a", "encode a.m4a -o b.m4a", "convert a.m4a -o b.flac", "convert a.m4a -o b.opus", "decode a.m4a -o b.wav",
            "decode a.m4a -o b.aiff", "convert a.m4a -o b.m4a --bit-rate 64000",
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
        #expect(try chapters("b." + type, folder) == [Chapter(start: 0, title: "One"), Chapter(start: 0.225, title: "Two")])
    }

    @Test("Chapters that a format can't hold are named", arguments: ["caf", "aac"])
    func notes(type: String) throws {
        let folder = try TemporaryFolder()
        try make(folder)
        let run = try LinnetProgram.run("remux", "a.m4a", "b." + type, folder: folder)
        #expect(run.exitCode == 0 && run.errorText.contains("can't hold the chapters"), "\(run.errorText)")
    }
}
