// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// `--drc` and `--target-loudness`.
@Suite struct DynamicRangeTests {
    /// Writes `in.wav` and `in.aac`, whose access units have a gain of -6 dB and a program reference level of -23 dB.
    private static func files(_ folder: TemporaryFolder) throws {
        try folder.writeSignal("in.wav", frames: 22_050)
        try folder.writeSignal("plain.wav", frames: 22_050)
        let encoded = try LinnetProgram.run("encode", "plain.wav", "-o", "plain.aac", "--quiet", folder: folder)
        #expect(encoded.exitCode == 0, "\(encoded.errorText)")
        let frames = try #require(ADTSFrames(try bytes(ofFile: folder.path("plain.aac"))))
        var payload = DynamicRangePayload([-24])
        payload.referenceLevel = 92
        let configuration = AudioSpecificConfig(
            sampleRate: SamplingFrequencyIndex.standardRates[frames.frequencyIndex],
            channelConfiguration: ChannelConfiguration(rawValue: frames.channelConfiguration))
        var writer = try ADTSWriter(to: MemorySink(), configuration)
        for unit in frames.accessUnits { try writer.append(AccessUnit(DynamicRangePayload.insert([payload], into: unit))) }
        try writer.finish(nil)
        _ = try folder.write(writer.sink.bytes, to: "in.aac")
    }

    @Test("decode and convert apply gains and levels on request, and nothing by default")
    func decoding() throws {
        let folder = try TemporaryFolder()
        try Self.files(folder)
        func samples(_ words: String...) throws -> [Float] {
            let run = try ProgramRun(
                LinnetProgram.path,
                [words[0], words[1], "-o", "-", "-f", "raw", "--sample-format", "f32", "--quiet"] + words.dropFirst(2), folder: folder.url)
            #expect(run.exitCode == 0, "\(run.errorText)")
            return [Float](littleEndian: run.output)
        }
        let plain = try samples("decode", "plain.aac")
        #expect(plain.contains { abs($0) > 0.01 })
        #expect(try samples("decode", "in.aac") == plain)
        #expect(try samples("decode", "in.aac", "--drc", "off") == plain)
        for (words, decibels) in [
            (["--drc", "on"], -6.0206), (["--target-loudness", "-27LUFS"], -4), (["--drc=on", "--target-loudness=-27"], -10.0206),
        ] {
            let factor = Float(pow(10, decibels / 20))
            for command in ["decode", "convert"] {
                let run = try ProgramRun(
                    LinnetProgram.path, [command, "in.aac", "-o", "-", "-f", "raw", "--sample-format", "f32", "--quiet"] + words,
                    folder: folder.url)
                let found = [Float](littleEndian: run.output)
                #expect(run.exitCode == 0 && found.count == plain.count, "\(run.errorText)")
                #expect(zip(found, plain).allSatisfy { abs($0 - $1 * factor) < 1e-6 }, "\(command) \(words)")
            }
        }
    }

    @Test("Other inputs than AAC have a note with --drc on")
    func otherCodecs() throws {
        let folder = try TemporaryFolder()
        try Self.files(folder)
        let script = "linnet convert --quiet in.wav -o in.caf --codec alac"
        #expect(try LinnetProgram.shell(script, folder: folder).exitCode == 0)
        for (command, input, isNoted) in [("convert", "in.wav", true), ("decode", "in.caf", true), ("decode", "in.aac", false)] {
            let run = try LinnetProgram.run(command, input, "-o", "out.flac", "--force", "--drc", "on", folder: folder)
            let note = "linnet: note: --drc applies to AAC only, not to \(input)\n"
            #expect(run.exitCode == 0 && run.errorText.contains(note) == isNoted, "\(run.errorText)")
        }
    }

    @Test("The former spelling of decode has a note, and inputs without a loudness are refused")
    func spelling() throws {
        let folder = try TemporaryFolder()
        try Self.files(folder)
        let former = try LinnetProgram.run("decode", "in.aac", "-o", "a.wav", "--loudness", "-27LUFS", folder: folder)
        #expect(former.exitCode == 0 && former.errorText.contains("--target-loudness"), "\(former.errorText)")
        let current = try LinnetProgram.run("decode", "in.aac", "-o", "b.wav", "--target-loudness", "-27LUFS", folder: folder)
        #expect(current.exitCode == 0 && current.errorText.isEmpty, "\(current.errorText)")
        #expect(try bytes(ofFile: folder.path("a.wav")) == bytes(ofFile: folder.path("b.wav")))
        for (words, code) in [
            (["decode", "plain.aac", "-o", "c.wav", "--target-loudness=-20"], 10),
            (["convert", "in.wav", "-o", "c.wav", "--target-loudness=-20"], 10),
            (["encode", "in.wav", "-o", "c.aac", "--target-loudness=-20"], 10),
            (["convert", "in.aac", "-o", "c.wav", "--target-loudness=-20", "--normalize=-20"], 2),
            (["convert", "in.aac", "in.aac", "-o", "c.m4b", "--join", "--drc=on"], 2),
            (["decode", "in.aac", "-o", "c.wav", "--loudness=-20", "--target-loudness=-20"], 2),
            (["decode", "in.aac", "-o", "c.wav", "--drc=loud"], 2),
        ] {
            let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
            #expect(run.exitCode == code && run.errorText.split(separator: "\n").count == 1, "\(words): \(run.exitCode) \(run.errorText)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("c.wav")))
    }
}
