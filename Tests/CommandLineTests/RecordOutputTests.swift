// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The outputs and messages of `linnet record`.
@Suite(.serialized) struct RecordOutputTests {
    /// Writes white noise, mono, 48 kHz.
    private static func noise(_ folder: TemporaryFolder, seconds: Int) throws {
        var random = SeededRandom(seed: 5)
        let samples = (0..<seconds * 48_000).map { _ in Int16.random(in: -8000...8000, using: &random) }
        try samples.withUnsafeBytes { Data($0) }.write(to: URL(filePath: folder.path("noise.raw")))
    }

    @Test("All containers get the same recording, with the exact length where they store it")
    func containers() throws {
        let folder = try TemporaryFolder()
        try Self.noise(folder, seconds: 10)
        let script = """
            linnet record --quiet --input noise.raw -o out.aac --also out.m4a --also out.caf --also out.loas --also out.ts --also out.wav --seconds 2.345
            """
        let run = try LinnetProgram.shell(script, folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let samples = try RecordedFile.samples(folder.path("out.wav"))
        #expect(samples.count == 112_560)
        for ending in ["aac", "m4a", "caf", "loas", "ts"] {
            let decoded = try LinnetProgram.run("decode", "out.\(ending)", "-o", "\(ending).wav", folder: folder)
            #expect(decoded.exitCode == 0, "\(decoded.errorText)")
            let count = try RecordedFile.samples(folder.path("\(ending).wav")).count
            #expect(ending == "m4a" || ending == "caf" ? count == samples.count : count > samples.count, "\(ending): \(count)")
            let ffprobe = try ProgramRun.require("ffprobe")
            let arguments = ["-v", "error", "-count_packets", "-show_entries", "stream=codec_name,nb_read_packets", "-of", "csv=p=0"]
            let probe = try ProgramRun(ffprobe, arguments + ["out.\(ending)"], folder: folder.url)
            let units = try RecordedFile.accessUnitCount(folder.path("out.aac"))
            #expect(probe.errorText.isEmpty && (ending == "loas" || probe.text.hasPrefix("aac,\(units)\n")), "\(ending): \(probe)")
        }
        // An ordinary M4A without fragments: one index for all of it.
        let bytes = try Data(contentsOf: URL(filePath: folder.path("out.m4a")))
        #expect(bytes.suffix(20_000).range(of: Data("moov".utf8)) != nil && bytes.range(of: Data("mvex".utf8)) != nil)
    }

    @Test("A recording in Apple Lossless has the samples of WAV", arguments: ["m4a", "caf"])
    func appleLossless(type: String) throws {
        let folder = try TemporaryFolder()
        try Self.noise(folder, seconds: 2)
        let run = try LinnetProgram.shell(
            """
            linnet record --input noise.raw -o out.\(type) --codec alac --also out.wav --seconds 1.2345
            linnet convert --quiet out.\(type) -o back.wav && cmp out.wav back.wav
            """, folder: folder)
        #expect(run.exitCode == 0 && run.errorText.contains("\nRecorded 1.2 s to out.\(type), Apple Lossless, "), "\(run)")
        let refused = try LinnetProgram.shell(
            "linnet record --input noise.raw -o rtmp://localhost/live/key --codec alac; linnet record --input noise.raw -o a.aac --codec alac",
            folder: folder)
        #expect(refused.exitCode == 10 && refused.errorText.contains("live servers receive AAC or Opus"), "\(refused)")
    }

    @Test("Two names of one output file are refused", arguments: ["./out.wav", "x/../out.wav", "$PWD//out.wav"])
    func equalOutputs(other: String) throws {
        let folder = try TemporaryFolder()
        try Self.noise(folder, seconds: 1)
        let run = try LinnetProgram.shell("linnet record --force --input noise.raw -o out.wav --also \(other)", folder: folder)
        #expect(run.exitCode == 2 && run.errorText.contains("duplicate output "), "\(run.errorText)")
        #expect(try folder.contents == ["noise.raw"])
    }

    @Test("Settings that AAC does not support are rejected with the exit code of linnet encode", arguments: ["-b 1k", "-r 12345", "-c 7"])
    func refusedSettings(options: String) throws {
        let folder = try TemporaryFolder()
        try Self.noise(folder, seconds: 1)
        let run = try LinnetProgram.shell("linnet record --input noise.raw -o out.aac \(options)", folder: folder)
        #expect(run.exitCode == 10)
        #expect(run.errorText.contains(options.contains("b") ? "1000 bit/s" : options.contains("r") ? "12345 Hz" : "channel count 7"))
    }

    @Test("All containers except CAF can be written to a pipe")
    func pipes() throws {
        let folder = try TemporaryFolder()
        for (container, code) in [("adts", 0), ("loas", 0), ("m4a", 0), ("caf", 2)] as [(String, Int32)] {
            let script = "linnet record --quiet --input /dev/zero --seconds 1.5 -o - --container \(container) | cat > out.\(container)"
            let run = try LinnetProgram.shell(script, folder: folder)
            #expect(run.exitCode == code, "\(container): \(run.errorText)")
            if code == 0 { #expect(try RecordedFile.accessUnitCount(folder.path("out.\(container)")) >= 72) }
        }
    }

    @Test(
        "Invalid names are rejected before any output is created",
        arguments: ["-o a.mp3", "-o a.aac --also a.aac", "-o - --json", "-o - --also -"])
    func refused(words: String) throws {
        let folder = try TemporaryFolder()
        let run = try LinnetProgram.shell("linnet record --input /dev/zero --seconds 0.2 \(words)", folder: folder)
        #expect(run.exitCode == 2 && run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
        #expect(try folder.contents.isEmpty)
    }

    @Test("Channels that the input lacks are refused")
    func missingChannels() throws {
        let folder = try TemporaryFolder()
        try Self.noise(folder, seconds: 1)
        let run = try LinnetProgram.run(
            "record", "--input", "noise.raw", "--channels", "1", "--pick", "1,2", "-o", "a.wav", folder: folder)
        #expect(run.exitCode != 0 && run.errorText == "linnet: the device has no channel 2\n", "\(run.errorText)")
        #expect(try folder.contents == ["noise.raw"])
    }

    @Test("A full disk ends one output with a message; the other outputs are complete")
    func diskFull() throws {
        let folder = try TemporaryFolder()
        try Self.noise(folder, seconds: 10)
        let run = try LinnetProgram.shell("linnet record --input noise.raw --seconds 1.5 -o /dev/full --also good.wav", folder: folder)
        #expect(run.exitCode == 9)
        #expect(run.errorText.contains("linnet: /dev/full: no space is left; the recording until then is kept\n"), "\(run.errorText)")
        #expect(try RecordedFile.samples(folder.path("good.wav")).count == 72_000)
        let alone = try LinnetProgram.shell("linnet record --input noise.raw --seconds 60 -o /dev/full", folder: folder)
        #expect(alone.exitCode == 9)
        // The name determines the format.
        try FileManager.default.createSymbolicLink(atPath: folder.path("full.raw"), withDestinationPath: "/dev/full")
        let pcm = try LinnetProgram.shell(
            "linnet record --input noise.raw --seconds 60 --quiet -o full.raw --also /dev/full", folder: folder)
        #expect(pcm.exitCode == 9, "\(pcm.errorText)")
        for name in ["full.raw", "/dev/full"] {
            #expect(pcm.errorText.contains("linnet: \(name): no space is left; the recording until then is kept\n"), "\(pcm.errorText)")
        }
    }

    @Test("The message about a full disk names the file, and the summary counts it")
    func diskFullAfterSplit() throws {
        let folder = try TemporaryFolder()
        try Self.noise(folder, seconds: 10)
        try FileManager.default.createSymbolicLink(atPath: folder.path("out-2.aac"), withDestinationPath: "/dev/full")
        let run = try LinnetProgram.shell("linnet record --force --input noise.raw --split 1 -o out.aac", folder: folder)
        #expect(run.exitCode == 9)
        #expect(run.errorText.contains("out.aac: no space is left for out-2.aac; the recording until then is kept\n"), "\(run.errorText)")
        #expect(run.errorText.contains(" to out.aac (2 files), but only the start is stored"), "\(run.errorText)")
    }

    @Test("A stream whose segments cannot be written ends with an error", arguments: ["live", "event", "vod"])
    func unwritableSegments(type: String) throws {
        let folder = try TemporaryFolder()
        try Self.noise(folder, seconds: 10)
        // A segment exceeds the largest permitted file, the initialization segment and the playlist do not.
        let run = try LinnetProgram.shell(
            "(ulimit -f 8; linnet stream - --raw s16le,48000,1 -o hls:talk --hls-segment 2 --hls-type \(type) -b 96k --json) < noise.raw",
            folder: folder)
        #expect(run.exitCode == 8 && run.errorText.contains("linnet: hls:talk: cannot write"), "\(run.exitCode) \(run.errorText)")
        #expect(run.text.contains(#""state": "failed""#), "\(run.text.suffix(500))")
    }

    @Test("Events are printed as lines of JSON")
    func json() throws {
        let folder = try TemporaryFolder()
        try Self.noise(folder, seconds: 10)
        let run = try LinnetProgram.shell("linnet record --input noise.raw --seconds 2.5 -o out.aac --mute-at 1.2-9 --json", folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let lines = try run.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
        let events = lines.compactMap { $0["event"] as? String }
        #expect(events.first == "started" && events.last == "finished" && events.contains("muted"), "\(events)")
        #expect((lines.first?["format"] as? [String: Any])?["sampleRate"] as? Int == 48_000)
        let levels = lines.filter { $0["event"] as? String == "levels" }
        #expect(levels.count == 2)
        let peak = try #require((levels.first?["peak"] as? [Double])?.first)
        let rms = try #require((levels.first?["rms"] as? [Double])?.first)
        // Uniform noise up to 8000 has an RMS of 8000 divided by the square root of 3.
        #expect(abs(peak + 12.2) < 0.2 && abs(rms + 17.0) < 0.3, "\(levels)")
        let last = try #require(lines.last)
        #expect(last["frames"] as? Int == 120_000 && last["lostFrames"] as? Int == 0 && last["primingFrames"] as? Int == 2112)
        #expect(last["accessUnits"] as? Int == (try RecordedFile.accessUnitCount(folder.path("out.aac"))))
    }

    @Test("A reader or a recorder that is suspended for three seconds loses nothing", arguments: PrivateServer.kinds)
    func frozen(kind: String) throws {
        let folder = try TemporaryFolder()
        // Each frame holds its number, the lower half in the left channel.
        let count = 48_000 * 11
        let signal = (1...count).flatMap { [Int16(truncatingIfNeeded: $0), Int16(truncatingIfNeeded: $0 >> 16)] }
        try signal.withUnsafeBytes { Data($0) }.write(to: URL(filePath: folder.path("counted.raw")))
        // At 320 kb/s a pipe is full after a second and a half.
        let script = """
            rm -f pipe out.* record.txt; mkfifo pipe; cat pipe > out.aac & reader=$!
            "$linnet" record -o pipe --also out.wav -b 320k --device vstereo 2>record.txt & recording=$!
            listen record.txt; sleep 0.3
            pacat --raw --device=stereomic --format=s16le --rate=48000 --channels=2 --latency-msec=4000 counted.raw & player=$!
            sleep 1; kill -STOP $reader; sleep 3; kill -CONT $reader; sleep 1; kill -STOP $recording; sleep 3; kill -CONT $recording
            wait $player; sleep 1; kill -TERM $recording; wait $recording; wait $reader
            """
        let (numbers, heard) = try PrivateServer.attempt {
            let run = try PrivateServer.run(kind, script, in: folder)
            let told = try String(contentsOfFile: folder.path("record.txt"), encoding: .utf8)
            #expect(run.exitCode == 0, "\(run.errorText) \(told)")
            // The signal itself has eight runs of full-scale samples.
            #expect(told.split(separator: "\n").count == 3 && told.contains("clipped 16 samples (8 places)"), "\(told)")
            let samples = try RecordedFile.samples(folder.path("out.wav"))
            let numbers = stride(from: 0, to: samples.count - 1, by: 2).map {
                Int(UInt16(bitPattern: samples[$0])) | Int(samples[$0 + 1]) << 16
            }
            return (numbers, numbers.drop { $0 == 0 }.prefix(count))
        } isWhole: {
            $1.elementsEqual(1...count)
        }
        let isWhole = heard.elementsEqual(1...count)
        #expect(isWhole, "\(heard.count) of \(count) frames, the last \(heard.last ?? 0)")
        let units = try RecordedFile.accessUnitCount(folder.path("out.aac"))
        #expect((2112..<2112 + 1024).contains(units * 1024 - numbers.count))
    }

    @Test("A file with the header of an audio format is refused as samples, a pipe is not")
    func inputWithHeader() throws {
        let folder = try TemporaryFolder()
        for type in ["wav", "flac", "caf", "aiff"] { try folder.writeSignal("a.\(type)", frames: 9600, sampleRate: 48_000) }
        _ = try folder.write(Array("ID3\u{4}\0\0\0\0\0\u{4}".utf8) + [UInt8](repeating: 0, count: 9600), to: "a.mp3")
        let encode = try LinnetProgram.shell(
            "linnet encode a.wav -o a.m4a -q 40 --quiet && linnet encode a.wav -o a.opus --quiet", folder: folder)
        #expect(encode.exitCode == 0, "\(encode.errorText)")
        let record = "linnet record --seconds 0.1 -r 48000 -c 2 -o out.raw --quiet"
        for (type, name) in [
            ("wav", "WAV"), ("flac", "FLAC"), ("caf", "CAF"), ("aiff", "AIFF"), ("mp3", "an audio file"), ("m4a", "M4A"),
            ("opus", "Ogg Opus"),
        ] {
            let run = try LinnetProgram.shell("\(record) --input a.\(type)", folder: folder)
            let message = "--input reads 16-bit PCM without a header, and a.\(type) is \(name); use linnet convert"
            #expect(run.exitCode == 10 && run.errorText.contains(message), "\(run.errorText)")
        }
        #expect(try LinnetProgram.shell("\(record) --input - < a.wav", folder: folder).exitCode == 10)
        #expect(try !folder.contents.contains("out.raw"))
        let piped = try LinnetProgram.shell(
            "mkfifo pipe; cat a.wav > pipe & \(record) --input pipe; cat a.wav | \(record) -y --input -", folder: folder)
        #expect(piped.exitCode == 0, "\(piped.errorText)")
        let named = try LinnetProgram.shell(
            "cat a.wav | linnet record --seconds 0.1 -r 48000 -c 2 -o named.raw --input -", folder: folder)
        #expect(named.errorText.hasPrefix("Recording standard input to named.raw: "), "\(named.errorText)")
    }
}
