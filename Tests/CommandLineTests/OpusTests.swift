// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import Foundation
import TestSupport
import Testing

/// Opus in all subcommands, compared with opusenc, opusdec and FFmpeg.
@Suite struct OpusTests {
    /// Returns the packets and the gapless information of an Ogg file.
    private func packets(_ path: String) throws -> (packets: [[UInt8]], valid: Int?) {
        var reader = try OggOpusReader(MemorySource(try bytes(ofFile: path)))
        var packets: [[UInt8]] = []
        while let unit = try reader.nextUnit() { packets.append(unit.accessUnit.payload) }
        return (packets, reader.metadata.gaplessInfo?.validFrames)
    }

    /// Runs linnet and expects success.
    private func linnet(_ words: [String], _ folder: TemporaryFolder) throws {
        let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
        #expect(run.exitCode == 0, "\(words): \(run.errorText)")
    }

    @Test(
        "The packets equal opusenc's, up to the padding",
        arguments: [
            (own: "", other: "", channels: 2), ("-b 128k --cbr", "--bitrate 128 --hard-cbr", 2), ("--constrained", "--cvbr", 1),
            ("-b 24k --frame-duration 60", "--bitrate 24 --framesize 60", 1), ("--frame-duration 2.5", "--framesize 2.5", 2),
            ("--complexity 3", "--comp 3", 2), ("", "", 6),
        ])
    func packetsOfOpusenc(own: String, other: String, channels: Int) throws {
        let opusenc = try ProgramRun.require("opusenc")
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 96_000, channels: channels, sampleRate: 48_000)
        try linnet(["encode", "--quiet", "a.wav", "-o", "own.opus"] + own.split(separator: " ").map(String.init), folder)
        let run = try ProgramRun(
            opusenc, ["--quiet"] + other.split(separator: " ").map(String.init) + ["a.wav", "other.opus"], folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let (ours, valid) = try packets(folder.path("own.opus"))
        let (theirs, otherValid) = try packets(folder.path("other.opus"))
        #expect(ours.count == theirs.count && valid == 96_000 && otherValid == 96_000)
        // The look-ahead of 80 ms and the end: opusenc extrapolates the signal, Linnet appends zeros.
        let same = ours.count * (2000 - 140) / 2000
        #expect(ours.prefix(same) == theirs.prefix(same))
    }

    @Test("A copy of Opus may be called .ogg, one of AAC may not")
    func oggName() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 48_000, sampleRate: 48_000)
        let run = try LinnetProgram.shell(
            """
            linnet encode a.wav -o a.opus --quiet && linnet remux a.opus b.ogg --quiet && linnet encode a.wav -o a.m4a --quiet &&
            linnet remux b.ogg -o parts --split 0.5 --quiet && ls parts
            """, folder: folder)
        #expect(run.exitCode == 0 && run.text == "01.ogg\n02.ogg\n", "\(run.text)\(run.errorText)")
        #expect(try packets(folder.path("b.ogg")) == packets(folder.path("a.opus")))
        let refused = try LinnetProgram.run("remux", "a.m4a", "d.ogg", folder: folder)
        let message = "cannot write d.ogg: Ogg Opus does not support"
        #expect(refused.exitCode == 10 && refused.errorText.contains(message), "\(refused.errorText)")
    }

    @Test("A copy without a place for the output gain is refused", arguments: ["ts", "caf"])
    func outputGain(type: String) throws {
        let folder = try TemporaryFolder()
        let configuration = OpusConfiguration(mapping: try OpusChannelMapping(channelCount: 1), preSkip: 312, outputGain: -1536)
        var writer = OggOpusWriter(to: MemorySink(), configuration)
        let start = MediaTime(value: 0, timescale: 48_000)
        try writer.append(AccessUnit(payload: [0x08, 0xFF, 0xFE], presentationTime: start, duration: 960))
        try writer.finish()
        _ = try folder.write(writer.sink.bytes, to: "a.opus")
        let run = try LinnetProgram.run("remux", "a.opus", "-o", "b.\(type)", folder: folder)
        #expect(run.exitCode == 10 && run.errorText.contains("no place for the output gain of -6.00 dB; copy it to M4A or Ogg Opus"))
        #expect(try folder.contents == ["a.opus"])
        #expect(try LinnetProgram.run("remux", "a.opus", "-o", "b.m4a", folder: folder).exitCode == 0)
    }

    @Test("opusenc's files decode to opusdec's samples, from files and pipes", arguments: [1, 2, 6])
    func decodesAsOpusdec(channels: Int) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 50_001, channels: channels, sampleRate: 48_000)
        let script = """
            \(try ProgramRun.require("opusenc")) --quiet a.wav a.opus &&
            \(try ProgramRun.require("opusdec")) --quiet --float a.opus expected.wav
            """
        #expect(try ProgramRun.shell(script, folder: folder.url).exitCode == 0)
        try linnet(["decode", "--quiet", "a.opus", "-o", "own.raw", "--sample-format", "f32"], folder)
        // Only WAV files of opusdec have the channels in the order of WAV; their samples are at the end.
        let expected = Array(try bytes(ofFile: folder.path("expected.wav")).suffix(50_001 * 4 * channels))
        #expect(try bytes(ofFile: folder.path("own.raw")) == expected)
        let piped = try ProgramRun.shell(
            "cat a.opus | \(LinnetProgram.path) decode --quiet - -o - -f raw --sample-format f32", folder: folder.url)
        #expect(piped.output == expected)
    }

    @Test("Encoded Opus has the exact length in opusdec, at any rate", arguments: [8000, 11_025, 16_000, 44_100, 48_000, 96_000])
    func lengths(rate: Int) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: rate, channels: 2, sampleRate: rate)
        try linnet(["encode", "--quiet", "a.wav", "-o", "a.opus"], folder)
        let run = try ProgramRun(
            try ProgramRun.require("opusdec"), ["--quiet", "--rate", "48000", "--float", "a.opus", "a.raw"], folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(try bytes(ofFile: folder.path("a.raw")).count == 48_000 * 8)
        try linnet(["decode", "--quiet", "a.opus", "-o", "own.raw", "--sample-format", "f32"], folder)
        #expect(try bytes(ofFile: folder.path("own.raw")).count == 48_000 * 8)
    }

    @Test("Remuxing through all containers keeps packets and length, and FFmpeg plays each", arguments: ["m4a", "caf", "ts"])
    func remuxing(name: String) throws {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 30_000, channels: 2, sampleRate: 48_000)
        try linnet(["encode", "--quiet", "a.wav", "-o", "a.opus"], folder)
        try linnet(["remux", "--quiet", "a.opus", "-o", "b.\(name)"], folder)
        try linnet(["remux", "--quiet", "b.\(name)", "-o", "c.opus"], folder)
        let (first, valid) = try packets(folder.path("a.opus"))
        let (last, validAfter) = try packets(folder.path("c.opus"))
        #expect(first == last && valid == 30_000 && validAfter == 30_000)
        for file in ["a.opus", "b.\(name)"] {
            try linnet(["decode", "--quiet", "-y", file, "-o", "own.raw", "--sample-format", "f32"], folder)
            let own = try bytes(ofFile: folder.path("own.raw"))
            #expect(own.count == 30_000 * 8)
            let run = try ProgramRun(
                ffmpeg, ["-v", "error", "-y", "-i", file, "-f", "f32le", "other.raw"], folder: folder.url)
            #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(file): \(run.errorText)")
            // FFmpeg keeps the pre-skip in CAF and MPEG-TS, and the padding in all but Ogg.
            let other = try bytes(ofFile: folder.path("other.raw"))
            #expect(other.count >= own.count)
        }
    }

    @Test("FFmpeg's files in MP4 and MPEG-TS keep their packets in Ogg")
    func filesOfFFmpeg() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 30_000, channels: 2, sampleRate: 48_000)
        try linnet(["encode", "--quiet", "a.wav", "-o", "a.opus"], folder)
        let (expected, _) = try packets(folder.path("a.opus"))
        for (file, options) in [("a.mp4", ""), ("f.mp4", "-movflags frag_keyframe+empty_moov"), ("a.ts", "")] {
            let script = "\(try ProgramRun.require("ffmpeg")) -v error -y -i a.opus -c copy \(options) \(file)"
            #expect(try ProgramRun.shell(script, folder: folder.url).exitCode == 0)
            try linnet(["remux", "--quiet", "-y", file, "-o", "b.opus"], folder)
            let (found, valid) = try packets(folder.path("b.opus"))
            #expect(found == expected && valid == 30_000, "\(file)")
        }
    }

    @Test("Tags and cover are kept in Ogg; options of the other codec are rejected")
    func options() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4000)
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47] + (0..<500).map { UInt8($0 & 255) }
        _ = try folder.write(picture, to: "cover.png")
        try linnet(["encode", "--quiet", "a.wav", "-o", "a.opus", "--title", "Ü", "--cover", "cover.png"], folder)
        let tags = try OggOpusReader(MemorySource(try bytes(ofFile: folder.path("a.opus")))).metadata.tags
        #expect(tags.title == "Ü" && tags.cover?.bytes == picture && tags.encoder?.hasPrefix("Linnet ") == true)
        for (words, message) in [
            (["-o", "b.opus", "-q", "50"], "--quality applies to AAC only"), (["-o", "b.aac", "--dtx"], "--dtx applies to Opus only"),
            (["-o", "b.opus", "--codec", "aac"], "Ogg files hold Opus, not AAC"),
        ] {
            let run = try ProgramRun(LinnetProgram.path, ["encode", "a.wav"] + words, folder: folder.url)
            #expect(run.exitCode == 2 && run.errorText.contains(message), "\(run.errorText)")
        }
    }

    @Test("An Opus recording has its exact length", arguments: ["take.opus", "take.m4a", "take.caf"])
    func recording(name: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write([UInt8](repeating: 0, count: 48_000 * 2), to: "in.pcm")
        let words = ["record", "--quiet", "--input", "in.pcm", "--rate", "48000", "--mono", "--codec", "opus", "-b", "32k", "-o", name]
        try linnet(words, folder)
        try linnet(["decode", "--quiet", name, "-o", "own.raw", "--sample-format", "s16"], folder)
        #expect(try bytes(ofFile: folder.path("own.raw")).count == 48_000 * 2)
    }
}
