// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tags in `linnet encode`, `remux` and `probe`.
@Suite struct TagTests {
    /// Options for all text tags.
    private static let words = ["--title", "Über alles", "--artist", "A", "--album", "B", "--date", "2026-11-20"]

    /// Encodes a file with some options.
    private func encode(_ words: [String], _ folder: TemporaryFolder) throws -> ProgramRun {
        try ProgramRun(LinnetProgram.path, ["encode", "--quiet", "a.wav"] + words, folder: folder.url)
    }

    @Test("Tags are written to M4A and CAF, and read back", arguments: ["a.m4a", "a.caf"])
    func roundTrip(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4000)
        #expect(try encode(["-o", name] + Self.words, folder).exitCode == 0)
        let run = try LinnetProgram.run("probe", "--json", name, folder: folder)
        let parsed = try run.jsonObjects()
        let tags = try #require(parsed.first?["tags"] as? [String: String])
        #expect(tags["title"] == "Über alles" && tags["artist"] == "A" && tags["album"] == "B" && tags["date"] == "2026-11-20")
        #expect(tags["encoder"]?.hasPrefix("Linnet ") == true)
        let remux = try LinnetProgram.run("remux", name, "b.aac", folder: folder)
        #expect(remux.exitCode == 0)
        #expect(remux.errorText == "linnet: note: \(name): ADTS is written without the title, artist, album, date\n")
    }

    @Test("A tag is one line of text without control characters, and unchanged in JSON")
    func controlCharacters() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4000)
        let title = "\u{1B}]0;name\u{7}First\nDamage: none"
        #expect(try encode(["-o", "a.m4a", "--title", title], folder).exitCode == 0)
        let text = try LinnetProgram.run("probe", "a.m4a", folder: folder).text
        #expect(text.contains(" ]0;name First Damage: none\n") && !text.contains("\u{1B}"), "\(text)")
        let json = try LinnetProgram.run("probe", "--json", "a.m4a", folder: folder)
        let parsed = try json.jsonObjects()
        #expect((parsed.first?["tags"] as? [String: String])?["title"] == title)
    }

    @Test("A cover is written to M4A unchanged")
    func cover() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4000)
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47] + (0..<500).map { UInt8($0 & 255) }
        _ = try folder.write(picture, to: "cover.png")
        #expect(try encode(["-o", "a.m4a", "--cover", "cover.png"], folder).exitCode == 0)
        #expect(Data(try bytes(ofFile: folder.path("a.m4a"))).range(of: Data(picture)) != nil)
    }

    @Test("Tags that a container cannot store are rejected before writing")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4000)
        _ = try folder.write([1, 2, 3], to: "no.png")
        _ = try folder.write([0xFF, 0xD8, 0xFF, 0xE0], to: "yes.jpg")
        _ = try folder.write(Array("0:00 A\n".utf8), to: "c.txt")
        let cases: [(words: [String], code: Int32, message: String)] = [
            (["-o", "x.aac", "--title", "T"], 10, "cannot write x.aac: ADTS does not support tags; use M4A, CAF or Opus"),
            (
                ["-o", "x.aac", "--chapters", "c.txt"], 10,
                "cannot write x.aac: ADTS does not support all of these tags: chapters; use M4A or Opus; or omit --chapters"
            ),
            (
                ["-o", "x.caf", "--cover", "yes.jpg"], 10,
                "cannot write x.caf: CAF does not support cover pictures or loudness tags that players read; use M4A or Opus"
            ),
            (["-o", "x.m4a", "--cover", "no.png"], 5, "no.png is not a JPEG, PNG, GIF, BMP or WebP picture"),
            (["-o", "x.m4a", "--cover", "none.png"], 3, "cannot open none.png: No such file or directory"),
        ]
        for (words, code, message) in cases {
            let run = try encode(words, folder)
            #expect(run.exitCode == code)
            #expect(run.errorText.hasPrefix("linnet: " + message), "\(run.errorText)")
        }
        #expect(try folder.contents == ["a.wav", "c.txt", "no.png", "yes.jpg"])
    }

    @Test("A tag of the command line that the output cannot store is an error of decode too", arguments: ["decode", "convert"])
    func refusedByDecoder(command: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4000)
        #expect(try encode(["-o", "a.m4a", "--artist", "A"], folder).exitCode == 0)
        let run = try LinnetProgram.run(command, "a.m4a", "-o", "a.raw", "--title", "T", folder: folder)
        #expect(run.exitCode == 10, "\(run.errorText)")
        #expect(
            run.errorText.hasPrefix("linnet: cannot write a.raw: raw PCM does not support all of these tags: title"), "\(run.errorText)")
        #expect(try folder.contents == ["a.m4a", "a.wav"])
        // Tags of the input are only noted.
        let noted = try LinnetProgram.run(command, "a.m4a", "-o", "a.raw", folder: folder)
        #expect(noted.exitCode == 0 && noted.errorText.contains("raw PCM is written without the artist\n"), "\(noted.errorText)")
    }

    @Test(
        "Lost metadata of field recorders is named",
        arguments: ["convert in.wav -o out.flac", "encode in.wav -o out.m4a"])
    func fieldRecorder(command: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4000)
        var file = try bytes(ofFile: folder.path("a.wav"))
        for (id, contents) in [
            ("bext", [UInt8](repeating: 0x41, count: 602)), ("iXML", Array("<BWFXML/>".utf8) + [0]),
            ("smpl", [UInt8](repeating: 0, count: 36)),
            ("cue ", [1, 0, 0, 0, 1, 0, 0, 0, 0xE8, 3, 0, 0] + Array("data".utf8) + [UInt8](repeating: 0, count: 8) + [0xE8, 3, 0, 0]),
        ] { file += Array(id.utf8) + [UInt8(contents.count & 255), UInt8(contents.count >> 8), 0, 0] + contents }
        let size = file.count - 8
        file.replaceSubrange(4..<8, with: (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) })
        _ = try folder.write(file, to: "in.wav")
        let words = command.split(separator: " ").map { String($0) }
        let names = "the sampler loops (smpl)"
        let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
        #expect(run.exitCode == 0 && run.errorText.hasSuffix("is written without \(names)\n"), "\(run.errorText)")
        let json = try ProgramRun(LinnetProgram.path, words + ["--json", "--force"], folder: folder.url)
        let notes = try #require(try json.jsonObjects().first?["notes"] as? [String])
        #expect(notes.count == 1 && notes[0].hasSuffix(names), "\(notes)")
        // The cue point is a chapter of the output.
        let probe = try LinnetProgram.run("probe", words[3], folder: folder)
        #expect(probe.text.contains("Chapter:       00:00:00.023 Cue 1\n"), "\(probe.text)")
        let raw = try LinnetProgram.run("convert", "in.wav", "-o", "out.caf", folder: folder)
        #expect(raw.errorText.contains("chapters, sampler loops (smpl)"), "\(raw.errorText)")
    }

    @Test("Batch names lost metadata of field recorders")
    func fieldRecorderInBatch() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
        try folder.writeSignal("in/a.wav", frames: 4000)
        var file = try bytes(ofFile: folder.path("in/a.wav"))
        file += Array("smpl".utf8) + [36, 0, 0, 0] + [UInt8](repeating: 0, count: 36)
        _ = try folder.write(file, to: "in/a.wav")
        let run = try LinnetProgram.run("batch", "in", "-o", "out", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let results = try #require(
            FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).first { $0.hasSuffix(".json") || $0.hasSuffix(".jsonl") })
        let text = try String(contentsOfFile: folder.path("out/" + results), encoding: .utf8)
        #expect(text.contains("without the sampler loops (smpl)"), "\(text)")
    }
}
