// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import Foundation
import TestSupport
import Testing

/// `--dab` of encoding commands, and commands that read superframes.
@Suite struct DABTests {
    /// Returns a folder with three seconds of a chord and noise in two channels at 48 kHz, and labels.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 1)
        var bytes: [UInt8] = []
        for frame in 0..<144_000 {
            for channel in 0..<2 {
                let phase = Double(frame) * (330 + 110 * Double(channel)) / 48_000
                let sample = Int16(5000 * sin(2 * .pi * phase) + 700 * Double.random(in: -1...1, using: &random))
                bytes += [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
            }
        }
        _ = try folder.write(bytes, to: "in.pcm")
        _ = try folder.write(Array("# labels\n0:00 Morning show\n\n1.5 Grüße aus Köln\n".utf8), to: "labels.txt")
        return folder
    }

    @Test(
        "An output that is not encoded for DAB+ names --dab",
        arguments: ["encode a.wav -o b.dabp -b 64k", "remux a.aac b.dabp", "record --input /dev/zero --seconds 1 -o b.dabp"])
    func withoutOption(words: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 8000, sampleRate: 48_000)
        let run = try LinnetProgram.shell("linnet encode a.wav --quiet; linnet \(words)", folder: folder)
        let message = "the container supports 960; encode for DAB+ with --dab RATE"
        #expect(run.exitCode == 10 && run.errorText.contains(message), "\(run.errorText)")
    }

    @Test("Encodes, probes, decodes and copies DAB+ superframes")
    func chain() throws {
        let folder = try Self.folder()
        let encode = "linnet encode --raw s16le,48000,2 in.pcm -o a.dabp --dab 72k --dab-labels labels.txt --quiet"
        let made = try LinnetProgram.shell(encode, folder: folder)
        #expect(made.exitCode == 0 && made.errorText.isEmpty, "\(made.errorText)")
        let bytes = try TestSupport.bytes(ofFile: folder.path("a.dabp"))
        #expect(bytes.count % (9 * 120) == 0)
        let probe = try #require(LinnetProgram.run("probe", "--json", "--frames", "a.dabp", folder: folder).jsonObjects().first)
        #expect(probe["container"] as? String == "DAB+" && probe["objectType"] as? String == "HE-AAC")
        let superframes = try #require(probe["dab"] as? [String: Any])
        #expect(superframes["bitRate"] as? Int == 72_000 && superframes["superframes"] as? Int == bytes.count / 1080)
        #expect(superframes["correctedBytes"] as? Int == 0)
        let labels = try #require(superframes["labels"] as? [[String: Any]])
        #expect(labels.map { $0["text"] as? String } == ["Morning show", "Grüße aus Köln"])
        #expect(labels.map { $0["characterSet"] as? Int } == [0, 15])
        let units = try #require(probe["units"] as? [[String: Any]])
        #expect(
            units.prefix(4).map { $0["unitInSuperframe"] as? Int } == [0, 1, 2, 0] && units.allSatisfy { $0["padBytes"] as? Int == 16 })
        let text = try LinnetProgram.run("probe", "a.dabp", folder: folder).text
        #expect(text.contains(" s: Morning show (EBU Latin)") && text.contains("of 120 ms at 72.0 kb/s, 0 bytes corrected"))

        let script = """
            linnet decode a.dabp -o b.wav --quiet && linnet remux a.dabp -o c.m4a --quiet && linnet remux c.m4a -o d.dabp --quiet \
            && linnet convert a.dabp -o e.flac --quiet && linnet report a.dabp -o f.html --quiet \
            && linnet encode --raw s16le,48000,2 in.pcm -o - --dab 72k --dab-labels labels.txt --quiet >g.dabp \
            && linnet convert --raw s16le,48000,2 in.pcm -o - --format dabp --dab 72k --dab-pad 16 --quiet | linnet probe - --quiet
            """
        let run = try LinnetProgram.shell(script, folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(try TestSupport.bytes(ofFile: folder.path("d.dabp")) == bytes)
        #expect(try TestSupport.bytes(ofFile: folder.path("g.dabp")) == bytes)
        let decoded = try TestSupport.bytes(ofFile: folder.path("b.wav"))
        #expect(decoded.count > 4 * 144_000)
        let streamed = try LinnetProgram.shell(
            "linnet stream --raw s16le,48000,2 in.pcm -o - --dab 72k --dab-labels labels.txt --quiet", folder: folder)
        #expect(streamed.exitCode == 0 && streamed.output == bytes, "\(streamed.errorText)")
    }

    @Test("Damage is corrected and counted, or concealed and reported")
    func damage() throws {
        let folder = try Self.folder()
        let encode = "linnet encode --raw s16le,48000,2 in.pcm -o a.dabp --dab 64k --quiet && linnet decode a.dabp -o a.wav --quiet"
        #expect(try LinnetProgram.shell(encode, folder: folder).exitCode == 0)
        let intact = try TestSupport.bytes(ofFile: folder.path("a.dabp"))
        var bytes = intact
        for index in stride(from: 3, to: bytes.count, by: 41) { bytes[index] ^= 0x5A }
        _ = try folder.write(bytes, to: "b.dabp")
        let corrected = try LinnetProgram.shell(
            "linnet decode b.dabp -o b.wav --quiet && cmp a.wav b.wav && linnet probe b.dabp", folder: folder)
        #expect(corrected.exitCode == 0 && corrected.text.contains("\((bytes.count - 3 + 40) / 41) bytes corrected"), "\(corrected.text)")
        // Eight bytes of each word of a superframe, all in its first access unit.
        bytes.replaceSubrange(9600..<10_560, with: intact[9600..<10_560])
        for index in 9700..<9764 { bytes[index] ^= 0x77 }
        _ = try folder.write(bytes, to: "c.dabp")
        let probe = try LinnetProgram.run("probe", "c.dabp", folder: folder)
        #expect(probe.exitCode == 6 && probe.text.contains("access unit with a wrong checksum"), "\(probe.exitCode) \(probe.text)")
        #expect(try LinnetProgram.shell("linnet decode c.dabp -o c.wav --quiet", folder: folder).errorText.contains("concealed"))
        let lengths = try ["a.wav", "c.wav"].map { try TestSupport.bytes(ofFile: folder.path($0)).count }
        #expect(lengths[0] == lengths[1])
    }

    @Test(
        "Unsuitable options are rejected with a hint",
        arguments: [
            ("--dab 70k", "multiple of 8k"), ("--dab 72k -b 64k", "dab"), ("--dab-pad 58", "--dab"), ("--dab 72k --dab-pad 1", "2 bytes"),
            ("--dab 8k --dab-pad 58", "use a higher --dab"), ("--dab 72k --dab-labels none.txt", "none.txt"),
            ("--dab 72k --dab-labels in.pcm", "line 1"),
        ])
    func refusals(options: String, message: String) throws {
        let folder = try Self.folder()
        let run = try LinnetProgram.shell("linnet encode --raw s16le,48000,2 in.pcm -o a.dabp --quiet \(options)", folder: folder)
        #expect(run.exitCode != 0 && run.errorText.contains(message), "\(run.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("a.dabp")))
    }

    @Test("dablin plays our DAB+ without errors in its log", arguments: selectedCases([8, 24, 40, 64, 72, 88, 128, 192], [1, 2]))
    func dablin(rate: Int, channelCount: Int) throws {
        guard try ProgramRun.shell("command -v dablin").exitCode == 0 else {
            print("dablin is missing: its test is skipped")
            return
        }
        let folder = try Self.folder()
        let labels = rate > 8 ? "--dab-labels labels.txt" : ""
        let encode = "linnet encode --raw s16le,48000,2 in.pcm -o a.dabp --dab \(rate)k --channels \(channelCount) \(labels) --quiet"
        #expect(try LinnetProgram.shell(encode, folder: folder).exitCode == 0)
        let stream = try TestSupport.bytes(ofFile: folder.path("a.dabp"))
        _ = try folder.write(EnsembleFrames.bytes(stream, subchannelIndex: rate / 8), to: "a.eti")
        let run = try ProgramRun.shell("dablin -f eti -R 1 -p -I a.eti >a.raw", folder: folder.url)
        #expect(run.exitCode == 0)
        let log = run.errorText.lowercased()
        #expect(log.contains("\(rate) kbit/s") && log.contains("eof reached"), "\(run.errorText)")
        // "resynced to stream" does not concern the stream: dablin plays in real time, and is late on a busy machine.
        for word in ["error", "fail", "ignored", "lost", "(rs", "x\u{8}"] { #expect(!log.contains(word), "\(word): \(run.errorText)") }
        // 32-bit floats of two channels: everything except the start of decoder and synchronisation.
        let frameCount = try TestSupport.bytes(ofFile: folder.path("a.raw")).count / 8
        #expect(frameCount >= stream.count / (rate / 8 * 120) * 5760 - 3 * 1920, "\(frameCount)")
    }
}

/// A multiplex of one sub-channel for a transmitter (ETS 300 799, ETI-NI), complete enough for a receiver that knows the sub-channel.
enum EnsembleFrames {
    /// Returns frames of 24 ms, 6144 bytes each.
    static func bytes(_ stream: [UInt8], subchannelIndex: Int) -> [UInt8] {
        let size = 24 * subchannelIndex
        // Three blocks of fast information without any, each with its checksum.
        let block = checked([0xFF] + [UInt8](repeating: 0, count: 29))
        var result: [UInt8] = []
        for (index, start) in stride(from: 0, through: stream.count - size, by: size).enumerated() {
            var frame: [UInt8] = [0xFF] + (index % 2 == 0 ? [0x07, 0x3A, 0xB6] : [0xF8, 0xC5, 0x49])
            let wordCount = 2 + 24 + size / 4
            // One stream, transmission mode I, and the length; then sub-channel 1, with its length in words of 64 bits.
            let characterization: [UInt8] = [
                UInt8(index % 250), 0x81, UInt8(index % 8) << 5 | 1 << 3 | UInt8(wordCount >> 8), UInt8(wordCount & 255), 1 << 2, 0,
                0x22 << 2 | UInt8((size / 8) >> 8), UInt8(size / 8 & 255), 0, 0,
            ]
            frame += checked(characterization)
            frame += checked(block + block + block + stream[start..<start + size])
            frame += [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
            result += frame + [UInt8](repeating: 0x55, count: 6144 - frame.count)
        }
        return result
    }

    /// Returns bytes with their checksum.
    private static func checked(_ bytes: [UInt8]) -> [UInt8] {
        var value: UInt16 = 0xFFFF
        for byte in bytes {
            value ^= UInt16(byte) << 8
            for _ in 0..<8 { value = value & 0x8000 != 0 ? value << 1 ^ 0x1021 : value << 1 }
        }
        return bytes + [UInt8(~value >> 8), UInt8(~value & 255)]
    }
}
