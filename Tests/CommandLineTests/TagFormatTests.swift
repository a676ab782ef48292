// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Every tag of every format, written and read by mutagen, through every command.
@Suite struct TagFormatTests {
    /// Inputs with the command that creates them from a WAV file.
    static let inputs: [String: String] = [
        "a.wav": "true", "a.mp3": "lame --quiet a.wav a.mp3", "b.mp3": "lame --quiet a.wav b.mp3", "a.flac": "flac -s a.wav -o a.flac",
        "a.ogg": "oggenc -Q a.wav -o a.ogg", "a.opus": "opusenc --quiet a.wav a.opus", "a.aiff": "sox a.wav a.aiff",
        "a.m4a": "ffmpeg -v error -i a.wav a.m4a",
    ]

    private func make(_ name: String, _ folder: TemporaryFolder) throws {
        try folder.writeSignal("a.wav", frames: 22_050)
        let run = try ProgramRun.shell(Self.inputs[name] ?? "false", folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        try Mutagen.write(name, version: name == "b.mp3" ? 3 : 4, folder: folder)
    }

    private func expected(_ input: String, _ output: String, _ tags: Mutagen.Tags) -> Mutagen.Tags {
        var tags = tags
        let formats = [input, output].map { ($0 as NSString).pathExtension }
        let gains = ["track": -6.5, "album": 1.25]
        for (kind, gain) in gains where formats.contains("opus") {
            for suffix in ["gain", "peak"] { tags.tags["replaygain_\(kind)_\(suffix)"] = nil }
            tags.tags["r128_\(kind)_gain"] = nil
            if formats[1] == "opus" {
                tags.tags["r128_\(kind)_gain"] = [String(Int((gain - 5) * 256))]
            } else {
                tags.tags["replaygain_\(kind)_gain"] = [(gain < 0 ? "" : "+") + String(format: "%.2f dB", gain)]
            }
        }
        if formats.contains("m4a") {
            // It has no kinds or descriptions. The front cover comes first.
            for index in tags.pictures.indices {
                tags.pictures[index].text = ""
                if tags.pictures[index].kind != 3 { tags.pictures[index].kind = 0 }
            }
            tags.pictures.sort { $0.kind < $1.kind }
        }
        return tags
    }

    private func compare(_ input: String, _ outputs: [String], _ folder: TemporaryFolder) throws {
        let all = try Mutagen.dump([input] + outputs, folder: folder)
        try #require(all.count == outputs.count + 1)
        for (output, tags) in zip(outputs, all.dropFirst()) {
            var found = tags
            // Mutagen changes equal descriptions to make them unique.
            if input.hasSuffix("m4a") { for index in found.pictures.indices { found.pictures[index].text = "" } }
            let expected = expected(input, output, all[0])
            for name in Set(expected.tags.keys).union(found.tags.keys) {
                #expect(found.tags[name] == expected.tags[name], "\(name) of \(input) in \(output)")
            }
            #expect(found.pictures == expected.pictures, "\(input) in \(output)")
        }
    }

    @Test("Mutagen writes the expected tags", arguments: ["a.wav", "a.mp3", "a.flac", "a.ogg", "a.aiff"])
    func script(name: String) throws {
        let folder = try TemporaryFolder()
        try make(name, folder)
        #expect(try Mutagen.dump(name, folder: folder) == Mutagen.expected(folder: folder))
    }

    /// The formats that each command writes.
    private static let formats = [
        "convert": ["flac", "wav", "aiff", "m4a", "opus"], "encode": ["m4a", "opus"], "decode": ["flac", "wav", "aiff"],
    ]

    @Test("Conversion, encoding, decoding and copying keep every tag and picture", arguments: inputs.keys.sorted())
    func everyCommand(input: String) throws {
        let folder = try TemporaryFolder()
        try make(input, folder)
        let type = (input as NSString).pathExtension
        let isCoded = ["m4a", "opus"].contains(type)
        var runs = Self.formats.filter { $0.key != "decode" || isCoded }
        if isCoded { runs["remux"] = [type] }
        for (command, formats) in runs {
            for format in formats {
                let run = try LinnetProgram.run(command, input, "-o", "\(command).\(format)", folder: folder)
                #expect(run.exitCode == 0 && !run.errorText.contains("left out"), "\(run.errorText)")
            }
        }
        try compare(input, runs.flatMap { command, formats in formats.map { "\(command).\($0)" } }, folder)
    }

    @Test("FLAC in Ogg keeps every tag and picture, and FFmpeg finds the tags")
    func oggFLAC() throws {
        let folder = try TemporaryFolder()
        try make("a.flac", folder)
        let run = try LinnetProgram.shell(
            """
            linnet convert --quiet a.flac -o out.oga && linnet convert --quiet out.oga -o out.flac
            ffprobe -v error -show_entries stream_tags=title out.oga | grep -i '^tag:title='
            """, folder: folder)
        #expect(run.text.dropFirst("tag:title=".count) == "Lied ü ♫\n", "\(run.text) \(run.errorText)")
        try compare("a.flac", ["out.flac"], folder)
    }

    @Test("A batch keeps every tag and picture")
    func batch() throws {
        let folder = try TemporaryFolder()
        try make("a.flac", folder)
        let run = try LinnetProgram.shell("mkdir in; cp a.flac in; linnet batch in -o out -b 128k", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        try compare("a.flac", ["out/a.m4a"], folder)
    }

    @Test("Metadata that an output cannot store is named in one line and in JSON")
    func notes() throws {
        let folder = try TemporaryFolder()
        try make("a.flac", folder)
        let run = try LinnetProgram.run("encode", "a.flac", "-o", "out.aac", folder: folder)
        #expect(
            run.exitCode == 0 && run.errorText.hasPrefix("linnet: note: a.flac: ADTS is written without the title, artist, "),
            "\(run.errorText)")
        #expect(run.errorText.split(separator: "\n").count == 1)
        let json = try LinnetProgram.run("convert", "a.flac", "-o", "out.caf", "--json", folder: folder)
        #expect(json.text.contains("CAF is written without the cover, other pictures\""), "\(json.text)")
        #expect(try LinnetProgram.run("encode", "a.flac", "-o", "b.aac", "--no-tags", folder: folder).errorText.isEmpty)
    }

    @Test("A tag before ADTS is read")
    func adts() throws {
        let folder = try TemporaryFolder()
        try make("a.mp3", folder)
        // The tag precedes the first frame of MPEG audio. Its size has seven bits per byte.
        let script =
            "linnet encode -y --no-tags a.wav -o b.aac && "
            + "/usr/bin/python3 -c \"d = open('a.mp3', 'rb').read(); n = 10 + sum(d[6 + i] << (21 - 7 * i) for i in range(4)); "
            + "open('a.aac', 'wb').write(d[:n] + open('b.aac', 'rb').read())\" && linnet remux a.aac out.m4a"
        let run = try LinnetProgram.shell(script, folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        var expected = expected("a.mp3", "out.m4a", try Mutagen.dump("a.mp3", folder: folder))
        expected.tags["encoder"] = nil
        #expect(try Mutagen.dump("out.m4a", folder: folder) == expected)
    }
}
