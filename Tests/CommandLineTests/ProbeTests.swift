// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import Foundation
import TestSupport
import Testing

/// `linnet probe`.
@Suite struct ProbeTests {
    @Test("An intact stream is described by counted figures")
    func intact() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(adtsStream([Int](repeating: 371, count: 441)), to: "a.aac")
        let run = try LinnetProgram.run("probe", path)
        #expect(run.exitCode == 0)
        #expect(run.errorText.isEmpty)
        #expect(
            run.text == """
                File:          \(path)
                Container:     ADTS (MPEG-4)
                Object type:   AAC LC
                Sample rate:   44100 Hz
                Channels:      2 (FL FR)
                Access units:  441, 451584 frames
                Duration:      10.240 s
                Bit rate:      127.8 kb/s, 127.8 kb/s in the largest second, 130.2 kb/s with headers
                Encoder delay: not stored in ADTS

                """)
    }

    @Test("The table of access units has five columns")
    func frames() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(adtsStream([6, 362, 8184]), to: "a.aac")
        let run = try LinnetProgram.run("probe", "--frames", "a.aac", folder: folder)
        let table = """
              Num|     Profile| Frequency|  Channel| Size|
                0|      AAC LC|   44100Hz|        2|   13|
                1|      AAC LC|   44100Hz|        2|  369|
                2|      AAC LC|   44100Hz|        2| 8191|
            File:          a.aac
            """
        #expect(run.text.hasPrefix(table))
        #expect(run.exitCode == 0)
    }

    @Test("A file without access units has a note with --frames")
    func framesOfPCM() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav")
        let run = try LinnetProgram.run("probe", "--frames", "a.wav", folder: folder)
        #expect(run.exitCode == 0 && run.errorText == "linnet: note: a.wav has no access units that --frames could list\n")
    }

    @Test("JSON of several files can be parsed and has the same values")
    func json() throws {
        let folder = try TemporaryFolder()
        let stream = try adtsStream([100, 200, 300], sampleRate: 16_000, channels: 6, options: .init(isMPEG2: true))
        _ = try folder.write(stream, to: "a \"b\".aac")
        let run = try LinnetProgram.run("probe", "--json", "--frames", "a \"b\".aac", "-", input: stream, folder: folder)
        #expect(run.exitCode == 0)
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])
        #expect(parsed.map { $0["input"] as? String } == ["a \"b\".aac", "standard input"])
        for file in parsed {
            #expect(file["mpegVersion"] as? Int == 2)
            #expect(file["sampleRate"] as? Int == 16_000)
            #expect(file["channels"] as? Int == 6)
            #expect(file["frames"] as? Int == 3072)
            #expect(file["seconds"] as? Double == 0.192)
            #expect(file["payloadBytes"] as? Int == 600)
            #expect(file["bytes"] as? Int == 621)
            let units = try #require(file["units"] as? [[String: Any]])
            #expect(units.map { $0["size"] as? Int } == [107, 207, 307])
            #expect(units.map { $0["offset"] as? Int } == [0, 107, 314])
        }
    }

    @Test("Damage is listed with byte offsets and fails; tags are not damage")
    func damage() throws {
        let folder = try TemporaryFolder()
        let frames = try adtsStream([Int](repeating: 93, count: 30))
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20)
        let tagged = try LinnetProgram.run("probe", try folder.write(tag + frames, to: "tag.aac"))
        #expect(tagged.exitCode == 0)
        #expect(tagged.text.contains("Tag:           bytes 0 to 29: ID3v2 tag"))
        // The frame before the garbage also counts as damaged, because no valid header follows it.
        let garbage = [UInt8](repeating: 0x55, count: 50)
        let damaged = Array(frames[..<1000]) + garbage + Array(frames[1000...]) + Array(frames[..<40])
        let run = try LinnetProgram.run("probe", try folder.write(damaged, to: "bad.aac"))
        #expect(run.exitCode == 6)
        #expect(run.text.contains("Damage:        bytes 900 to 1049, at 0.209 s: no frame"))
        #expect(run.text.contains("Damage:        bytes 3050 to 3089, at 0.673 s: frame truncated by the end of the audio"))
        #expect(run.text.contains("Damaged:       190 of 3090 bytes in 2 ranges"))
        #expect(run.text.contains("Access units:  29, "))
    }

    @Test("An unreadable file has one line and an exit code; the others are probed")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let good = try folder.write(adtsStream([100, 100, 100]), to: "a.aac")
        let wave = try folder.write(Array("RIFF....WAVEfmt ".utf8), to: "a.wav")
        let cases: [(String, Int32, String)] = [
            (folder.path("none"), 3, "linnet: cannot open \(folder.path("none")): No such file or directory\n"),
            (folder.url.path, 4, "linnet: \(folder.url.path) is a directory, not a file\n"),
            (
                wave, 6,
                "linnet: the header of \(wave) is invalid: no data chunk up to byte 16\n"
            ),
        ]
        for (path, code, message) in cases {
            let run = try LinnetProgram.run("probe", path, good)
            #expect(run.exitCode == code)
            #expect(run.errorText == message)
            #expect(run.text.hasPrefix("File:          \(good)"))
        }
        #expect(try LinnetProgram.run("probe", "-", input: []).exitCode == 5)
    }

    @Test("A pipe that closes early ends the program quietly")
    func closedPipe() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(adtsStream([Int](repeating: 20, count: 20_000)), to: "a.aac")
        let run = try LinnetProgram.shell("set +o pipefail; linnet probe --frames a.aac | head -2; echo ${PIPESTATUS[0]}", folder: folder)
        #expect(run.text.hasSuffix("|   27|\n141\n"))
        #expect(run.errorText.isEmpty)
    }

    @Test("--check finds decoding errors, with position and time")
    func check() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 11_025)
        #expect(try LinnetProgram.run("encode", "--quiet", "a.wav", folder: folder).exitCode == 0)
        let intact = try LinnetProgram.run("probe", "--check", "a.aac", folder: folder)
        #expect(intact.exitCode == 0, "\(intact.text)")
        var stream = try bytes(ofFile: folder.path("a.aac"))
        var unit = 0
        var offset = 0
        while unit < 4 {
            offset += Int(stream[offset + 3] & 3) << 11 | Int(stream[offset + 4]) << 3 | Int(stream[offset + 5]) >> 5
            unit += 1
        }
        // The payload of the fifth access unit is overwritten: its first element is in no channel configuration.
        let length = Int(stream[offset + 3] & 3) << 11 | Int(stream[offset + 4]) << 3 | Int(stream[offset + 5]) >> 5
        for index in offset + 7..<offset + length { stream[index] = 0x5A }
        _ = try folder.write(stream, to: "a.aac")
        #expect(try LinnetProgram.run("probe", "a.aac", folder: folder).exitCode == 0)
        let damaged = try LinnetProgram.run("probe", "--check", "a.aac", folder: folder)
        #expect(damaged.exitCode == 6)
        #expect(damaged.text.contains("Damage:        bytes \(offset) to \(offset + length - 1), at 0.093 s: undecodable: "))
        #expect(damaged.text.contains("Damaged:       \(length) of \(stream.count) bytes in 1 range\n") && damaged.errorText.isEmpty)
        let quiet = try LinnetProgram.run("probe", "--check", "--quiet", "a.aac", folder: folder)
        #expect(quiet.exitCode == 6 && quiet.text.isEmpty)
        #expect(quiet.errorText == "linnet: warning: a.aac is damaged: \(length) of \(stream.count) bytes in 1 range\n")
    }

    @Test("--verbose lists the tools of each access unit, as text and JSON")
    func tools() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 11_025)
        #expect(try LinnetProgram.run("encode", "--quiet", "a.wav", folder: folder).exitCode == 0)
        let run = try LinnetProgram.run("probe", "--frames", "--verbose", "a.aac", folder: folder)
        #expect(run.exitCode == 0)
        let lines = run.text.split(separator: "\n")
        #expect(lines[1].hasPrefix("    0|      AAC LC|"))
        let element = try #require(lines.first { $0.hasPrefix("        ") && $0.contains(" bits") })
        #expect(element.contains("CPE 0: ") || element.contains("SCE 0: "))
        let channel = try #require(lines.first { $0.hasPrefix("            ") })
        #expect(channel.contains("sine, ") || channel.contains("KBD, "))
        let json = try LinnetProgram.run("probe", "--frames", "--verbose", "--json", "a.aac", folder: folder)
        let parsed = try json.jsonObjects()
        let units = try #require(parsed.first?["units"] as? [[String: Any]])
        for unit in units {
            let elements = try #require(unit["elements"] as? [[String: Any]])
            let channels = try #require(elements.first?["channels"] as? [[String: Any]])
            #expect(["long", "start", "short", "stop"].contains(channels.first?["windowSequence"] as? String))
            // All bits of the access unit belong to the element, except its id, END, fill elements and the alignment.
            let bits = try #require(elements.first?["bits"] as? Int)
            let payload = try #require(unit["payload"] as? Int)
            #expect(bits > 0 && bits <= payload * 8 - 6)
        }
    }

    @Test("Invalid checksums are damage with --check")
    func checksums() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 11_025)
        #expect(try LinnetProgram.run("encode", "--quiet", "--crc", "a.wav", folder: folder).exitCode == 0)
        #expect(try LinnetProgram.run("probe", "--check", "a.aac", folder: folder).exitCode == 0)
        var stream = try bytes(ofFile: folder.path("a.aac"))
        stream[7] ^= 0x40
        _ = try folder.write(stream, to: "a.aac")
        #expect(try LinnetProgram.run("probe", "a.aac", folder: folder).exitCode == 0)
        let run = try LinnetProgram.run("probe", "--check", "a.aac", folder: folder)
        #expect(run.exitCode == 6)
        #expect(run.text.contains("at 0.000 s: wrong checksum"))
        #expect(run.text.contains("in 1 range\n"))
    }
}
