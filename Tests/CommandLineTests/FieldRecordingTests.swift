// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// WAV files of field recorders, podcast fields and CUE sheets as input of the program.
@Suite struct FieldRecordingTests {
    private static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] { Array(id.utf8) + number(body.count, 4) + body }

    /// A mono file of 0.5 s at 24 kHz, with cue points and loops, but without a broadcast extension.
    private static let file: [UInt8] = {
        let format = number(1, 2) + number(1, 2) + number(24_000, 4) + number(48_000, 4) + number(2, 2) + number(16, 2)
        let samples = (0..<12_000).flatMap { number(Int(8000 * sin(Double($0) / 9)), 2) }
        let cues = number(1, 4) + number(7, 4) + number(480, 4) + Array("data".utf8) + number(0, 8) + number(480, 4)
        let texts =
            Array("adtl".utf8) + chunk("labl", number(7, 4) + Array("Water\0".utf8)) + chunk("note", number(7, 4) + Array("loud\0\0".utf8))
        let loops = number(0, 28) + number(1, 4) + number(0, 12) + number(240, 4) + number(480, 4) + number(0, 8)
        let body =
            Array("WAVE".utf8) + chunk("fmt ", format) + chunk("data", samples) + chunk("cue ", cues) + chunk("LIST", texts)
            + chunk("smpl", loops)
        return chunk("RIFF", body)
    }()

    /// Returns the bodies of the chunks of a WAV file.
    private static func chunks(_ path: String) throws -> [String: [UInt8]] {
        var rest = try bytes(ofFile: path).dropFirst(12)
        var result: [String: [UInt8]] = [:]
        while rest.count >= 8 {
            let count = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            let id = String(decoding: rest.prefix(4), as: UTF8.self)
            let body = Array(rest.dropFirst(8).prefix(count))
            result[id == "LIST" ? "LIST " + String(decoding: body.prefix(4), as: UTF8.self) : id] = body
            rest = rest.dropFirst(8 + count + count % 2)
        }
        return result
    }

    private static func tags(_ name: String, _ folder: TemporaryFolder) throws -> (tags: [String: String], chapters: [[String: Any]]) {
        let probed = try #require(try LinnetProgram.run("probe", "--json", name, folder: folder).jsonObjects().first)
        return (probed["tags"] as? [String: String] ?? [:], probed["chapters"] as? [[String: Any]] ?? [])
    }

    @Test("Broadcast extensions of FFmpeg pass through WAV, FLAC and M4A, and back to FFmpeg")
    func broadcast() throws {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        _ = try folder.write(Self.file, to: "plain.wav")
        let expected = [
            "description": "Brook", "originator": "MixPre", "originator_reference": "REF1", "origination_date": "2026-11-27",
            "origination_time": "09:15:00", "time_reference": "96000", "coding_history": "A=PCM,F=24000",
        ]
        let words =
            ["-v", "error", "-i", folder.path("plain.wav"), "-write_bext", "1"]
            + expected.flatMap { ["-metadata", "\($0.key)=\($0.value)"] } + [folder.path("in.wav")]
        #expect(try ProgramRun(ffmpeg, words).exitCode == 0)
        let run = try LinnetProgram.shell(
            """
            linnet convert in.wav -o a.wav --sample-format s24 --quiet && linnet convert in.wav -o a.flac --quiet &&
            linnet convert a.flac -o b.wav --quiet && linnet encode in.wav -o a.m4a --quiet && linnet convert a.m4a -o c.wav --quiet &&
            cat in.wav | linnet convert - -o d.wav --quiet && linnet convert in.wav -o e.wav --rate 48000 --range 0.25- --quiet
            """, folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let original = try #require(try Self.chunks(folder.path("in.wav"))["bext"])
        for name in ["a.wav", "b.wav", "c.wav", "d.wav"] {
            let found = try #require(try Self.chunks(folder.path(name))["bext"], "\(name)")
            // FFmpeg states version 1 without an identifier, and pads its history.
            #expect(found[..<346] == original[..<346], "\(name)")
        }
        for (key, value) in expected { #expect(try Self.tags("a.m4a", folder).tags[key.uppercased()] == value, "\(key)") }
        #expect(try Self.tags("e.wav", folder).tags["TIME_REFERENCE"] == "204000")
        let part = try LinnetProgram.shell(
            "linnet remux a.m4a f.m4a --range 0.25- && linnet remux a.m4a -o parts/ --split 0.25 --quiet", folder: folder)
        #expect(part.exitCode == 0, "\(part.errorText)")
        #expect(try Self.tags("f.m4a", folder).tags["TIME_REFERENCE"] == "102000")
        let times = try FileManager.default.contentsOfDirectory(atPath: folder.path("parts")).sorted().map {
            try Self.tags("parts/" + $0, folder).tags["TIME_REFERENCE"]
        }
        #expect(times == ["96000", "102000"])
        let probed = try ProgramRun(
            try ProgramRun.require("ffprobe"), ["-v", "error", "-show_entries", "format_tags", "-of", "json", folder.path("a.wav")])
        let object = try JSONSerialization.jsonObject(with: Data(probed.output)) as? [String: Any]
        let found = (object?["format"] as? [String: Any])?["tags"] as? [String: String] ?? [:]
        // FFmpeg reads some fields under the usual names of tags.
        let names = [
            "description": "comment", "originator": "encoded_by", "origination_date": "date", "origination_time": "creation_time",
        ]
        for (key, value) in expected { #expect(found[names[key] ?? key] == value, "\(key)") }
    }

    @Test("Cue points and loops stay in WAV and move with the rate; elsewhere they are chapters, or in a note")
    func cues() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Self.file, to: "in.wav")
        let same = try LinnetProgram.run("convert", "in.wav", "-o", "a.wav", "--sample-format", "f32", folder: folder)
        let twice = try LinnetProgram.run("convert", "in.wav", "-o", "b.wav", "--rate", "48000", folder: folder)
        #expect(same.exitCode == 0 && twice.exitCode == 0 && same.errorText.isEmpty && twice.errorText.isEmpty, "\(same.errorText)")
        let (before, after, moved) = (
            try Self.chunks(folder.path("in.wav")), try Self.chunks(folder.path("a.wav")), try Self.chunks(folder.path("b.wav"))
        )
        for id in ["cue ", "LIST adtl", "smpl"] { #expect(after[id] == before[id], "\(id)") }
        #expect(
            moved["cue "]?.suffix(4) == Self.number(960, 4)[...]
                && moved["smpl"]?[44..<52] == (Self.number(480, 4) + Self.number(960, 4))[...])
        let flac = try LinnetProgram.run("convert", "in.wav", "-o", "a.flac", folder: folder)
        #expect(flac.exitCode == 0 && flac.errorText.contains("sampler loops") && flac.errorText.contains("notes"), "\(flac.errorText)")
        for name in ["a.wav", "b.wav", "a.flac"] {
            let chapter = try #require(try Self.tags(name, folder).chapters.first)
            #expect(chapter["title"] as? String == "Water" && chapter["start"] as? Double == 0.02, "\(name)")
        }
        let text = try LinnetProgram.run("probe", "a.wav", folder: folder).text
        #expect(text.contains("sampler loops (smpl)"), "\(text)")
    }

    @Test("A CUE sheet names album, performers and ISRC of split tracks and of one file")
    func sheet() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Self.file, to: "in.wav")
        let sheet = """
            REM GENRE Folk
            PERFORMER "The Brook"
            TITLE "Water"
            FILE "in.wav" WAVE
              TRACK 01 AUDIO
                TITLE "Spring"
                ISRC DEA450700001
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                TITLE "Mouth"
                PERFORMER "The Sea"
                INDEX 01 00:00:15
            """
        _ = try folder.write(Array(sheet.utf8), to: "album.cue")
        let run = try LinnetProgram.shell(
            """
            linnet convert in.wav -o out/ --format flac --split chapters --chapters album.cue --quiet; ls out
            linnet convert in.wav -o whole.m4a --chapters album.cue --album Other --no-tags --quiet
            """, folder: folder)
        let names = run.text.split(separator: "\n").map(String.init)
        try #require(names.count == 2, "\(run.text) \(run.errorText)")
        let (first, second) = (try Self.tags("out/" + names[0], folder).tags, try Self.tags("out/" + names[1], folder).tags)
        #expect(first["title"] == "Spring" && first["artist"] == "The Brook" && first["isrc"] == "DEA450700001")
        #expect(second["title"] == "Mouth" && second["artist"] == "The Sea" && second["isrc"] == nil)
        for tags in [first, second] { #expect(tags["album"] == "Water" && tags["albumArtist"] == "The Brook" && tags["genre"] == "Folk") }
        let split = "-o aac/ --split chapters --chapters album.cue --format adts"
        for command in ["convert in.wav", "remux whole.m4a"] {
            let coded = try LinnetProgram.shell("linnet \(command) \(split) --force", folder: folder)
            #expect(coded.exitCode == 0, "\(coded.errorText)")
            let hasNote = coded.errorText.contains("ADTS is written without the ") && coded.errorText.contains("album artist")
            #expect(hasNote, "\(coded.errorText)")
        }
        let requested = try LinnetProgram.shell("linnet convert in.wav \(split) --force --album A", folder: folder)
        #expect(requested.exitCode == 10 && requested.errorText.contains("these tags: album; use"), "\(requested.errorText)")
        let whole = try Self.tags("whole.m4a", folder)
        #expect(whole.tags["album"] == "Other" && whole.tags["artist"] == "The Brook" && whole.chapters.count == 2)
    }

    @Test("Podcast fields stay items of M4A, under their names")
    func podcast() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Self.file, to: "in.wav")
        let fields = [
            "PODCAST": "1", "PODCASTCATEGORY": "Nature", "PODCASTKEYWORDS": "water", "PODCASTURL": "https://example.org/f",
            "PODCASTID": "e1",
        ]
        let options = fields.flatMap { ["--tag", "\($0.key)=\($0.value)"] }
        let run = try ProgramRun(LinnetProgram.path, ["encode", "in.wav", "-o", "a.m4a", "--quiet"] + options, folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        for (command, input, output) in [("remux", "a.m4a", "b.m4a"), ("convert", "b.m4a", "c.m4a")] {
            let run = try LinnetProgram.run(command, input, "-o", output, "--quiet", folder: folder)
            #expect(run.exitCode == 0, "\(run.errorText)")
            let found = try Self.tags(output, folder).tags
            for (key, value) in fields { #expect(found[key] == value, "\(key) of \(output)") }
            let bytes = try bytes(ofFile: folder.path(output))
            for item in ["pcst", "catg", "keyw", "purl", "egid"] { #expect(bytes.firstRange(of: item.utf8) != nil, "\(item)") }
        }
    }
}
