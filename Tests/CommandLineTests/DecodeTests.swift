// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// `linnet decode`.
@Suite struct DecodeTests {
    /// Writes a tone as an ADTS file and returns its number of access units.
    private func toneFile(_ folder: TemporaryFolder) throws -> Int {
        var signal = PCMBuffer(sampleRate: 16_000, channelCount: 1, frameCapacity: 8000)
        for frame in 0..<8000 { signal.samples[frame] = 0.3 * Float(sin(Double(frame) * 0.2)) }
        let encoder = try AACEncoder(
            AACEncoderConfiguration(sampleRate: 16_000, channelCount: 1, rateControl: .constant(bitRate: 32_000), effort: .fast))
        var writer = try ADTSWriter(to: MemorySink(), encoder.audioSpecificConfig)
        var count = 0
        /// Writes an access unit.
        func append(_ unit: AccessUnit) throws {
            try writer.append(unit)
            count += 1
        }
        try encoder.encode(signal, append)
        _ = try encoder.finish(append)
        try Data(writer.sink.bytes).write(to: folder.url.appendingPathComponent("tone.aac"))
        return count
    }

    /// Returns the sample frame count of a PCM file.
    private func frameCount(_ name: String, _ folder: TemporaryFolder) throws -> Int {
        let reader = try PCMFileReader(path: folder.url.appendingPathComponent(name).path)
        var count = 0
        var buffer = PCMBuffer(sampleRate: 16_000, channelCount: 1, frameCapacity: 4096)
        repeat {
            try reader.read(into: &buffer)
            count += buffer.frameCount
        } while buffer.frameCount > 0
        return count
    }

    @Test("Files and pipes get the same samples")
    func filesAndPipes() throws {
        let folder = try TemporaryFolder()
        let count = try toneFile(folder)
        #expect(try LinnetProgram.run("decode", "tone.aac", folder: folder).exitCode == 0)
        #expect(try frameCount("tone.wav", folder) == count * 1024)
        let pipe = try LinnetProgram.shell("linnet decode - -o - < tone.aac > pipe.wav", folder: folder)
        #expect(pipe.exitCode == 0)
        #expect(try frameCount("pipe.wav", folder) == count * 1024)
        #expect(try LinnetProgram.run("decode", "tone.aac", "-o", "part.flac", "--range", "0.1s-0:00.3", folder: folder).exitCode == 0)
        #expect(try frameCount("part.flac", folder) == 3200)
    }

    @Test("A file with an empty edit becomes PCM without sample frames")
    func nothing() throws {
        let folder = try TemporaryFolder()
        let encoder = try AACEncoder(
            AACEncoderConfiguration(sampleRate: 16_000, channelCount: 1, rateControl: .constant(bitRate: 32_000), effort: .fast))
        var writer = try MP4Writer(to: MemorySink(), .aac(encoder.audioSpecificConfig))
        /// Writes an access unit.
        func append(_ unit: AccessUnit) throws { try writer.append(unit) }
        let gapless = try encoder.finish(append)
        try writer.finish(gapless)
        try Data(writer.sink.bytes).write(to: folder.url.appendingPathComponent("nothing.m4a"))
        #expect(try LinnetProgram.run("decode", "nothing.m4a", folder: folder).exitCode == 0)
        #expect(try frameCount("nothing.wav", folder) == 0)
    }

    @Test("Each failure has its exit code")
    func failures() throws {
        let folder = try TemporaryFolder()
        _ = try toneFile(folder)
        #expect(try LinnetProgram.run("decode", "missing.aac", folder: folder).exitCode == 3)
        #expect(try LinnetProgram.run("decode", "tone.aac", "-o", "tone.mp3", folder: folder).exitCode == 2)
        #expect(try LinnetProgram.run("decode", "tone.aac", "--range", "5", folder: folder).exitCode == 2)
        #expect(try LinnetProgram.run("decode", "tone.aac", folder: folder).exitCode == 0)
        #expect(try LinnetProgram.run("decode", "tone.aac", folder: folder).exitCode == 7)
        #expect(try LinnetProgram.run("decode", "tone.wav", "-o", "x.wav", folder: folder).exitCode == 5)
        let cut = try LinnetProgram.shell("head -c 700 tone.aac > cut.aac; linnet decode cut.aac", folder: folder)
        #expect(cut.exitCode == 6)
        #expect(try frameCount("cut.wav", folder) > 0)
    }

    @Test("A stream that changes its format is converted to its initial format")
    func formatChange() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 8000)
        #expect(try LinnetProgram.run("encode", "--quiet", "a.wav", folder: folder).exitCode == 0)
        let first = try PCMFileReader(path: folder.path("a.wav")).properties
        let count = try toneFile(folder)
        let run = try LinnetProgram.shell("cat a.aac tone.aac a.aac > all.aac; linnet decode all.aac", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(
            run.errorText.hasPrefix("linnet: note: all.aac changes its format 2 times; converted to \(first.sampleRate) Hz"))
        #expect(try LinnetProgram.run("decode", "a.aac", "-o", "one.wav", folder: folder).exitCode == 0)
        let found = try PCMFileReader(path: folder.path("all.wav")).properties
        #expect(found.sampleRate == first.sampleRate && found.channelCount == first.channelCount)
        let expected = 2 * (try PCMFileReader(path: folder.path("one.wav")).properties.frameCount ?? 0)
        let converted = Double(count * 1024 * first.sampleRate) / 16_000
        #expect(abs(Double((found.frameCount ?? 0) - expected) - converted) <= 4)
    }

    @Test("A stream that changes its format gets the same note in all commands", arguments: ["decode", "convert", "encode"])
    func formatChangeNote(command: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 24_000, channels: 1, sampleRate: 48_000)
        try folder.writeSignal("b.wav", frames: 24_000, sampleRate: 48_000)
        let joined = try LinnetProgram.shell(
            "linnet encode a.wav -o a.opus --quiet && linnet encode b.wav -o b.opus --quiet && cat a.opus b.opus > c.opus", folder: folder)
        #expect(joined.exitCode == 0, "\(joined.errorText)")
        let output = command == "encode" ? "out.aac" : "out.wav"
        let run = try LinnetProgram.run(command, "c.opus", "-o", output, folder: folder)
        #expect(run.errorText.contains("note: c.opus changes its format 1 time; converted to 48000 Hz, mono\n"), "\(run.errorText)")
        let json = try LinnetProgram.run(command, "c.opus", "-o", output, "--force", "--json", folder: folder).jsonObjects()
        #expect(json.first?["formatChanges"] as? Int == 1)
    }

    @Test("Several inputs go to a folder in parallel, with a line or JSON object each and the exit code of the first failure")
    func severalInputs() throws {
        let folder = try TemporaryFolder()
        for (index, name) in ["a", "b", "c"].enumerated() {
            try folder.writeSignal("\(name).wav", frames: 5000 * (index + 1))
            #expect(try LinnetProgram.run("encode", "--quiet", "\(name).wav", "-o", "\(name).m4a", folder: folder).exitCode == 0)
        }
        let text = try LinnetProgram.run("decode", "a.m4a", "b.m4a", "c.m4a", "-o", "out/", "--format", "flac", "-j", "3", folder: folder)
        #expect(text.exitCode == 0 && text.errorText.isEmpty, "\(text.errorText)")
        #expect(text.text.split(separator: "\n").count == 3)
        #expect(text.text.contains(/a\.m4a -> out\/a\.flac: 5000 frames, 0\.11 s, 44100 Hz, stereo, [0-9.]+x real time\n/))
        for (index, name) in ["a", "b", "c"].enumerated() {
            #expect(try PCMFileReader(path: folder.path("out/\(name).flac")).properties.frameCount == 5000 * (index + 1))
        }
        _ = try folder.write(Array(bytes(ofFile: folder.path("b.m4a")).prefix(40)), to: "damaged.m4a")
        let json = try LinnetProgram.run("decode", "a.m4a", "none.m4a", "damaged.m4a", "--json", "-y", folder: folder)
        #expect(json.exitCode == 3)
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [[String: Any]])
        #expect(parsed.map { $0["exitCode"] as? Int } == [nil, 3, 6])
        #expect(parsed[0]["output"] as? String == "a.wav" && parsed[0]["frames"] as? Int == 5000 && parsed[0]["channels"] as? Int == 2)
        #expect(parsed[0]["fileFormat"] as? String == "wav" && parsed[0]["sampleRate"] as? Int == 44_100)
        let quiet = try LinnetProgram.run("decode", "a.m4a", "b.m4a", "--quiet", "--force", folder: folder)
        #expect(quiet.exitCode == 0 && quiet.text.isEmpty && quiet.errorText.isEmpty)
    }

    @Test("Channels are mixed down as requested")
    func channels() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("six.wav", channels: 6)
        #expect(try LinnetProgram.run("encode", "--quiet", "six.wav", "-o", "six.m4a", folder: folder).exitCode == 0)
        for (words, count) in [([], 6), (["-c", "2"], 2), (["--channels", "1"], 1), (["--mono"], 1)] as [([String], Int)] {
            let run = try ProgramRun(LinnetProgram.path, ["decode", "six.m4a", "-o", "out.wav", "-y"] + words, folder: folder.url)
            #expect(run.exitCode == 0, "\(run.errorText)")
            #expect(try PCMFileReader(path: folder.path("out.wav")).properties.channelCount == count)
        }
    }

    @Test("Sample format and file format are as requested")
    func formats() throws {
        let folder = try TemporaryFolder()
        _ = try toneFile(folder)
        for file in ["wav", "flac", "caf", "aiff"] {
            let run = try LinnetProgram.run(
                "decode", "tone.aac", "-o", "out", "-f", file, "--sample-format", "s24", "--force", folder: folder)
            #expect(run.exitCode == 0, "\(run.errorText)")
            #expect(try PCMFileReader(path: folder.path("out")).properties.sampleRate == 16_000)
        }
        let cases: [(words: [String], message: String)] = [
            (["--format", "s16"], "--format is the file format; for the sample format use --sample-format s16"),
            (["--seconds", "1-2"], "unknown option --seconds; it is --range A-B now"),
            (["-o", "x.mp3"], "cannot write x.mp3: linnet does not write MP3; use .wav, .flac, .caf, .aiff or .raw, or --format"),
            (["--channels", "3"], "invalid --channels value '3'; use an integer, 1 to 2"),
        ]
        for (words, message) in cases {
            let run = try ProgramRun(LinnetProgram.path, ["decode", "tone.aac"] + words, folder: folder.url)
            #expect(run.exitCode == 2 && run.errorText.hasPrefix("linnet: " + message), "\(run.errorText)")
        }
    }

    @Test("Input without audio is named, and formats that need a file are rejected for pipes")
    func emptyInputAndPipe() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write([UInt8](), to: "empty.wav")
        let empty = try LinnetProgram.run("decode", "empty.wav", folder: folder)
        #expect(empty.exitCode == 5 && empty.errorText == "linnet: no audio in empty.wav: it is empty\n", "\(empty.errorText)")
        _ = try toneFile(folder)
        let piped = try LinnetProgram.shell("linnet decode tone.aac -o - --format aiff | wc -c", folder: folder)
        #expect(piped.text.contains("0") && piped.errorText.contains("cannot write AIFF to a pipe; use --format wav, flac or raw"))
    }
}
