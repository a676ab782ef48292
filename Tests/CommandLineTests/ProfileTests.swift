// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// Profiles in `linnet encode`, `record` and `probe`.
@Suite struct ProfileTests {
    @Test(
        "The requested profile is encoded, named and recognised",
        arguments: [("he", "HE-AAC"), ("he-v2", "HE-AAC v2"), ("auto", "HE-AAC v2")], ["a.m4a", "a.caf", "a.loas"])
    func profiles(profile: (option: String, name: String), output: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 9_001)
        let words = ["encode", "in.wav", "-o", output, "-b", "20k", "--profile", profile.option]
        let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        #expect(run.text.hasPrefix("in.wav -> \(output): \(profile.name), 9001 frames, "))
        let probe = try ProgramRun(LinnetProgram.path, ["probe", output], folder: folder.url)
        #expect(probe.text.contains(profile.name), "\(probe.text)")
    }

    @Test("The automatic profile depends on the stereo width of a file")
    func stereo() throws {
        let folder = try TemporaryFolder()
        var (alike, wide): ([Int16], [Int16]) = ([], [])
        for frame in 0..<40_000 {
            let (left, right) = (Int16(frame % 97 * 50), Int16(frame % 61 * 70))
            alike += [left, left - left / 50]
            wide += [left, right]
        }
        for (name, samples, profile) in [("alike", alike, "HE-AAC v2"), ("wide", wide, "HE-AAC")] {
            _ = try folder.write(
                samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }, to: "\(name).pcm")
            let words = ["encode", "--raw", "s16le,48000,2", "\(name).pcm", "-b", "40k", "--profile", "auto"]
            let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
            #expect(run.text.contains(": \(profile), 40000 frames"), "\(run.text) \(run.errorText)")
        }
    }

    @Test(
        "Camera and loudspeaker presets have their documented rate, channels and bit rate",
        arguments: [("homekit-16", 16_000, 1, 24_000), ("homekit-24", 24_000, 1, 32_000), ("airplay", 44_100, 2, 128_000)], [1, 2, 6])
    func devicePresets(preset: (name: String, sampleRate: Int, channels: Int, bitRate: Int), channelCount: Int) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 100_000, channels: channelCount)
        let run = try ProgramRun(LinnetProgram.path, ["encode", "in.wav", "-o", "a.m4a", "--preset", preset.name], folder: folder.url)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let probe = try #require(LinnetProgram.run("probe", "--json", "a.m4a", folder: folder).jsonObjects().first)
        #expect(probe["objectType"] as? String == "AAC-ELD" && probe["sampleRate"] as? Int == preset.sampleRate)
        let channels = min(preset.channels, channelCount)
        #expect(probe["channels"] as? Int == channels)
        let bitRate = Double(preset.bitRate * channels / preset.channels)
        #expect(abs((probe["bitRate"] as? Double ?? 0) / bitRate - 1) < 0.1, "\(probe)")
    }

    @Test("Unsupported settings are refused with those that are supported")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 4_410)
        try folder.writeSignal("six.wav", frames: 441, channels: 6)
        let cases: [(words: [String], code: Int32, message: String)] = [
            (["in.wav", "--profile", "he3"], 2, "invalid --profile value 'he3'; use lc, he, he-v2, ld, eld, xhe, auto"),
            (["in.wav", "--signaling", "hierarchical"], 2, "--signaling applies to HE-AAC only; add --profile he, he-v2 or auto"),
            (
                ["in.wav", "--signaling", "hierarchical", "--profile", "he"], 10,
                "cannot write in.aac: ADTS cannot signal HE-AAC explicitly; M4A, CAF and LOAS can; omit --signaling, or write M4A, CAF or LOAS"
            ),
            (
                ["six.wav", "--profile", "he-v2"], 10,
                "cannot encode six.wav: HE-AAC v2 does not support 6 channels; AAC-LC and HE-AAC do"
            ),
            (
                ["in.wav", "--profile", "he", "--rate", "12000"], 10,
                "cannot encode in.wav: HE-AAC does not support a sample rate of 12000 Hz, only 16000, 22050, 24000, 32000, 44100, 48000, 64000, "
                    + "88200, 96000; AAC-LC does; --rate converts to one of these"
            ),
            (
                ["in.wav", "--profile", "he", "-b", "48k", "--bandwidth", "8k"], 10,
                "cannot encode in.wav: cannot set the bandwidth for HE-AAC; it is derived from the bit rate"
            ),
            (["in.wav", "--profile", "he-v2", "-b", "200k"], 10, "cannot encode in.wav: unsupported bit rate 200000 bit/s"),
        ]
        for (words, code, message) in cases {
            let run = try ProgramRun(LinnetProgram.path, ["encode"] + words, folder: folder.url)
            #expect(run.exitCode == code, "\(words): \(run.errorText)")
            #expect(run.errorText.hasPrefix("linnet: " + message), "\(words): \(run.errorText)")
        }
    }

    @Test("A recording has the requested signaling, if the container supports it")
    func recording() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write([UInt8](repeating: 0, count: 4 * 4_800), to: "in.pcm")
        let words = ["record", "--input", "in.pcm", "--rate", "48k", "--channels", "2", "-b", "32k", "--profile", "he-v2", "--quiet"]
        let refused = try ProgramRun(
            LinnetProgram.path, words + ["--signaling", "hierarchical", "-o", "a.aac", "--also", "a.wav"], folder: folder.url)
        let expected = "linnet: ADTS and MPEG-TS cannot signal HE-AAC explicitly; "
        #expect(refused.exitCode == 2 && refused.errorText.hasPrefix(expected), "\(refused.errorText)")
        // The first object type is 29 with hierarchical signaling, and 2 with backward-compatible signaling.
        for (signaling, first) in [("hierarchical", 29), ("compatible", 2)] {
            let name = "\(signaling).caf"
            let run = try ProgramRun(LinnetProgram.path, words + ["--signaling", signaling, "-o", name], folder: folder.url)
            #expect(run.exitCode == 0, "\(run.errorText)")
            let config = try CAFReader(MemorySource(bytes(ofFile: folder.path(name)))).configuration
            #expect(Int(try #require(config.audioSpecificConfig).serialized()[0] >> 3) == first)
        }
    }

    @Test(
        "A probe reports the decoded format, whether the container signals it or not",
        arguments: [("he", "HE-AAC", 1), ("he", "HE-AAC", 2), ("he-v2", "HE-AAC v2", 2)])
    func probes(option: String, name: String, channelCount: Int) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 30_000, channels: channelCount)
        for output in ["a.aac", "a.m4a", "a.caf", "a.loas"] {
            let words = ["encode", "in.wav", "-o", output, "-b", "32k", "--profile", option, "--quiet"]
            #expect(try ProgramRun(LinnetProgram.path, words, folder: folder.url).exitCode == 0)
            let probe = try ProgramRun(LinnetProgram.path, ["probe", "--json", "--frames", output], folder: folder.url)
            let parsed = try probe.jsonObjects()
            let file = try #require(parsed.first)
            let units = try #require(file["units"] as? [[String: Any]])
            #expect(file["objectType"] as? String == name && file["sampleRate"] as? Int == 44_100, "\(output)")
            #expect(file["coreSampleRate"] as? Int == 22_050 && file["channels"] as? Int == channelCount, "\(output)")
            #expect(file["coreChannels"] as? Int == (option == "he" ? channelCount : 1), "\(output)")
            #expect(file["frames"] as? Int == 2048 * units.count, "\(output)")
            #expect(units.allSatisfy { $0["frames"] as? Int == 2048 }, "\(output)")
            #expect(abs((file["seconds"] as? Double ?? 0) - Double(2048 * units.count) / 44_100) < 1e-5, "\(output)")
        }
        let text = try ProgramRun(LinnetProgram.path, ["probe", "a.aac"], folder: folder.url).text
        #expect(text.contains("Object type:   \(name), signaled implicitly\n"), "\(text)")
        #expect(text.contains("Sample rate:   44100 Hz, core 22050 Hz\n") && text.contains(" of 2048 frames, "), "\(text)")
    }
}
