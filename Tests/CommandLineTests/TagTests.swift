// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

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
        #expect(remux.errorText == "linnet: note: \(name): ADTS can't hold the title, artist, album, date of the input, left out\n")
    }

    @Test("A tag is one line of text that leaves the terminal alone, and unchanged in JSON")
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

    @Test("Tags that a container can't hold are refused before anything is written")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4000)
        _ = try folder.write([1, 2, 3], to: "no.png")
        _ = try folder.write([0xFF, 0xD8, 0xFF, 0xE0], to: "yes.jpg")
        let cases: [(words: [String], code: Int32, message: String)] = [
            (["-o", "x.aac", "--title", "T"], 10, "can't write x.aac: ADTS has no tags; M4A, CAF and Opus have"),
            (
                ["-o", "x.caf", "--cover", "yes.jpg"], 10,
                "can't write x.caf: CAF can't hold a cover picture or a loudness that players read; M4A and Opus can"
            ),
            (["-o", "x.m4a", "--cover", "no.png"], 5, "no.png is neither JPEG nor PNG"),
            (["-o", "x.m4a", "--cover", "none.png"], 3, "can't open none.png: No such file or directory"),
        ]
        for (words, code, message) in cases {
            let run = try encode(words, folder)
            #expect(run.exitCode == code)
            #expect(run.errorText.hasPrefix("linnet: " + message), "\(run.errorText)")
        }
        #expect(try folder.contents == ["a.wav", "no.png", "yes.jpg"])
    }
}
