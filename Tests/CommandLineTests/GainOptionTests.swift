// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMetadata
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Gain, album gain, default bit rates and notes about several files.
@Suite struct GainOptionTests {
    /// Writes a sine of an amplitude, as 32-bit floating point.
    private func writeTone(_ name: String, amplitude: Float, seconds: Int, _ folder: TemporaryFolder) throws {
        let format = PCMOutputFormat(.wav, sampleFormat: .float32, sampleRate: 8000, channelCount: 1)
        let writer = try PCMFileWriter(path: folder.path(name), format: format, overwrites: true)
        var buffer = PCMBuffer(sampleRate: 8000, channelCount: 1, frameCapacity: 8000 * seconds)
        for frame in 0..<8000 * seconds { buffer.samples[frame] = amplitude * sinf(Float(frame % 8) * .pi / 4) }
        buffer.frameCount = 8000 * seconds
        try writer.append(buffer)
        try writer.finish()
    }

    @Test("A gain scales samples, and the number of clipped ones is in the warning")
    func gain() throws {
        let folder = try TemporaryFolder()
        try writeTone("a.wav", amplitude: 0.5, seconds: 1, folder)
        let run = try LinnetProgram.shell("linnet convert a.wav -o b.wav --gain -6.020599913 --sample-format f32", folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let samples = try ["a.wav", "b.wav"].map { name in
            let reader = try PCMFileReader(path: folder.path(name))
            var buffer = PCMBuffer(sampleRate: 8000, channelCount: 1, frameCapacity: 8000)
            try reader.read(into: &buffer)
            return buffer.channel(0)
        }
        #expect(samples[1].count == 8000 && zip(samples[0], samples[1]).allSatisfy { abs($0 / 2 - $1) < 1e-6 })
        // Two of eight samples have the full amplitude, and four 0.7 of it.
        let loud = try LinnetProgram.run("convert", "a.wav", "-o", "c.wav", "--gain", "8", "--sample-format", "s16", folder: folder)
        #expect(loud.errorText.contains("clipped 2000 samples of a.wav"), "\(loud.errorText)")
        let encoded = try LinnetProgram.run("encode", "a.wav", "-o", "c.m4a", "--gain", "12", folder: folder)
        #expect(encoded.errorText.contains("a.wav exceeds full scale by 6.0 dB"), "\(encoded.errorText)")
        #expect(try LinnetProgram.run("encode", "a.wav", "--gain", "1", "--normalize", "-16", folder: folder).exitCode == 2)
    }

    @Test("A gain without encoding refuses an output named as another format")
    func otherFormat() throws {
        let folder = try TemporaryFolder()
        try writeTone("a.wav", amplitude: 0.1, seconds: 1, folder)
        try #require(LinnetProgram.run("encode", "a.wav", "-o", "a.m4a", "--quiet", folder: folder).exitCode == 0)
        #expect(try LinnetProgram.run("gain", "a.m4a", "--gain", "-3", "-o", "b.m4b", folder: folder).exitCode == 0)
        let run = try LinnetProgram.run("gain", "a.m4a", "--gain", "-3", "-o", "c.wav", folder: folder)
        #expect(run.exitCode == 2, "\(run.errorText)")
        #expect(run.errorText.hasPrefix("linnet: linnet gain keeps the format of a.m4a; use -o FILE.m4a"), "\(run.errorText)")
    }

    @Test(
        "A file that is not AAC gets the remedy for its format",
        arguments: [
            ("a.wav", "its format is WAV; use linnet convert --gain"), ("a.opus", "its format is Ogg Opus; use linnet convert --gain"),
            ("o.m4a", "the codec is Opus, not AAC; use linnet convert --gain"),
            ("a.ts", "MPEG-TS has no place for it; copy the audio to M4A, CAF, ADTS or LOAS with linnet remux"),
        ])
    func notAAC(name: String, remedy: String) throws {
        let folder = try TemporaryFolder()
        try writeTone("a.wav", amplitude: 0.5, seconds: 1, folder)
        let encode = "linnet encode a.wav --quiet"
        let made = try LinnetProgram.shell("\(encode) -o a.opus && \(encode) --codec opus -o o.m4a && \(encode) -o a.ts", folder: folder)
        #expect(made.exitCode == 0, "\(made.errorText)")
        let run = try LinnetProgram.run("gain", name, "--gain", "-3", folder: folder)
        #expect(run.exitCode == 10 && run.errorText == "linnet: cannot change the gain of \(name): \(remedy)\n", "\(run.errorText)")
    }

    @Test("An album gain is the loudness of all files together, with the highest peak", arguments: ["flac", "m4a", "opus"])
    func album(type: String) throws {
        let folder = try TemporaryFolder()
        try writeTone("a.wav", amplitude: 0.5, seconds: 6, folder)
        try writeTone("b.wav", amplitude: 0.25, seconds: 3, folder)
        let command = type == "flac" ? "convert" : "encode"
        let run = try LinnetProgram.run(command, "a.wav", "b.wav", "-o", "out", "-f", type, "--album-gain", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let tags = try ["a", "b"].map { try AudioTags(contentsOf: folder.path("out/\($0).\(type)")) }
        let gains = try tags.map { try #require($0.albumReplayGain) }
        #expect(gains[0].gain == gains[1].gain)
        let tracks = try tags.map { try #require($0.replayGain).gain }
        #expect(abs(tracks[1] - tracks[0] - 6.02) < 0.05)
        // 57 windows of the first file and 27 of the second, a quarter as strong: BS.1770 without windows across files.
        let expected = tracks[0] - 10 * log10((57 + 27 * 0.25) / 84)
        #expect(abs(gains[0].gain - expected) < 0.05, "\(gains) \(tracks)")
        if type != "opus" { #expect(abs((gains[1].peak ?? 0) - 0.5) < 0.01) }
    }

    @Test("An album is normalized with one gain")
    func normalizedAlbum() throws {
        let folder = try TemporaryFolder()
        try writeTone("a.wav", amplitude: 0.5, seconds: 4, folder)
        try writeTone("b.wav", amplitude: 0.25, seconds: 4, folder)
        let run = try LinnetProgram.run(
            "convert", "a.wav", "b.wav", "-o", "out", "-f", "wav", "--album-gain", "--normalize", "-20", "--json", folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let gains = try run.jsonObjects().compactMap { $0["gain"] as? Double }
        #expect(gains.count == 2 && gains[0] == gains[1] && gains[0] < -5, "\(gains)")
    }

    @Test(
        "In a batch, each folder is an album; a changed file renews its folder",
        arguments: [("flac", []), ("wav", ["--normalize", "-20"])])
    func batch(type: String, words: [String]) throws {
        let folder = try TemporaryFolder()
        for name in ["in/A", "in/B"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        for (name, amplitude) in [("A/a", Float(0.5)), ("A/b", 0.25), ("B/c", 0.125)] {
            try writeTone("in/\(name).wav", amplitude: amplitude, seconds: 1, folder)
        }
        let batch = ["batch", "in", "-o", "out", "-f", type, "--album-gain"] + words
        let run = try ProgramRun(LinnetProgram.path, batch, folder: folder.url)
        #expect(run.exitCode == 0 && run.text.hasPrefix("3 encoded"), "\(run.text)\(run.errorText)")
        for album in [["A/a", "A/b"], ["B/c"]] {
            let inputs = album.map { "in/\($0).wav" }
            let one = try ProgramRun(
                LinnetProgram.path, ["convert"] + inputs + ["-o", "one/", "-f", type, "--album-gain"] + words, folder: folder.url)
            #expect(one.exitCode == 0, "\(one.errorText)")
            for name in album {
                let single = folder.path("one/\(name.suffix(1)).\(type)")
                #expect(try bytes(ofFile: folder.path("out/\(name).\(type)")) == bytes(ofFile: single), "\(name)")
            }
        }
        #expect(try ProgramRun(LinnetProgram.path, batch, folder: folder.url).text == "0 encoded, 3 unchanged, 0 failed\n")
        try writeTone("in/A/b.wav", amplitude: 0.5, seconds: 1, folder)
        let listed = try ProgramRun(LinnetProgram.path, batch + ["--dry-run"], folder: folder.url)
        #expect(listed.text.contains("settings   in/A/a.wav") && listed.text.contains("in/A/b.wav") && !listed.text.contains("in/B/c.wav"))
        let shared = try ProgramRun(LinnetProgram.path, batch + ["--slurm"], folder: folder.url)
        #expect(shared.exitCode == 2 && shared.errorText.contains("--album-gain and --slurm exclude each other"), "\(shared.errorText)")
    }

    @Test("HE-AAC has lower default bit rates, and a hint names the profile for low rates")
    func rates() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 22_050)
        for (profile, rate) in [("he", 64_000), ("he-v2", 32_000), ("lc", 120_000)] {
            let run = try LinnetProgram.run("encode", "a.wav", "-o", "\(profile).m4a", "--profile", profile, "--json", folder: folder)
            #expect(try run.jsonObjects().first?["targetBitRate"] as? Int == rate, "\(run.text)")
        }
        let hint = try LinnetProgram.run("encode", "a.wav", "-o", "low.m4a", "-b", "32k", folder: folder)
        #expect(hint.errorText.contains("32.0 kb/s is little for AAC-LC; --profile auto chooses HE-AAC"), "\(hint.errorText)")
        #expect(try LinnetProgram.run("encode", "a.wav", "-o", "lc2.m4a", "-b", "32k", "--profile", "lc", folder: folder).errorText.isEmpty)
    }

    @Test("Equal notes of several files are one line")
    func several() throws {
        let folder = try TemporaryFolder()
        for name in ["a.wav", "b.wav"] { try folder.writeSignal(name, frames: 3000) }
        let made = try LinnetProgram.shell(
            "linnet convert a.wav b.wav -o in -f flac --date 2026 && linnet encode in/a.flac in/b.flac -o out",
            folder: folder)
        #expect(made.exitCode == 0, "\(made.errorText)")
        #expect(made.errorText == "linnet: note: 2 files: ADTS is written without the date\n", "\(made.errorText)")
    }
}
