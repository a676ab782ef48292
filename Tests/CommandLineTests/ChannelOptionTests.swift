// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import TestSupport
import Testing

/// Channel counts, and bit rates of archives with several counts.
@Suite struct ChannelOptionTests {
    @Test("encode and decode --channels 2 mix 5.1 to stereo, keep stereo, and keep mono with a note", arguments: [(6, 2), (2, 2), (1, 1)])
    func stereo(channels: Int, expected: Int) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 30_000, channels: channels, sampleRate: 48_000)
        for format in ["m4a", "opus"] {
            let run = try LinnetProgram.run("encode", "--json", "-c", "2", "a.wav", "-o", "a.\(format)", folder: folder)
            #expect(run.exitCode == 0, "\(run.errorText)")
            let parsed = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])
            #expect(parsed[0]["channels"] as? Int == expected && parsed[0]["frames"] as? Int == 30_000)
            let note = "1 channel instead of the requested 2, as in the input; linnet convert adds channels"
            #expect(run.errorText.contains(note) == (channels == 1), "\(run.errorText)")
            let decoded = try LinnetProgram.run("decode", "-y", "-c", "2", "a.\(format)", "-o", "b.wav", folder: folder)
            #expect(decoded.errorText.contains(note) == (expected == 1), "\(decoded.errorText)")
        }
    }

    @Test("Mixes 5.1 without speakers as 5.1; notes that ten channels are averaged", arguments: [1, 2])
    func unnamedSpeakers(count: Int) throws {
        let folder = try TemporaryFolder()
        let layout = ChannelLayout([.left, .right, .center, .lowFrequency, .backLeft, .backRight])
        try folder.writeSignal("named.wav", frames: 3000, channels: 6, layout: layout)
        for name in ["unnamed.wav", "unnamed.aiff", "unnamed.caf"] {
            try folder.writeSignal(name, frames: 3000, channels: 6)
            for input in ["named.wav", name] {
                let words = ["convert", "-y", "-c", "\(count)", "--sample-format", "f32", input, "-o", input + ".out.wav"]
                let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
                #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
            }
            #expect(try bytes(ofFile: folder.path("named.wav.out.wav")) == bytes(ofFile: folder.path(name + ".out.wav")), "\(name)")
        }
        try folder.writeSignal("ten.wav", frames: 3000, channels: 10)
        let refused = try LinnetProgram.run("encode", "ten.wav", folder: folder)
        #expect(refused.exitCode == 10 && refused.errorText.contains("; --channels 2 mixes them"), "\(refused.errorText)")
        for (command, output) in [("convert", "ten.out.wav"), ("encode", "ten.m4a"), ("encode", "ten.opus")] {
            let run = try LinnetProgram.run(command, "-y", "-c", "\(count)", "ten.wav", "-o", output, folder: folder)
            #expect(run.exitCode == 0 && run.errorText.contains("10 channels without a layout have no default one"), "\(run.errorText)")
        }
    }

    @Test("--scale-bitrate gives mono half of the stereo rate, 5.1 five halves, within the codec's limits")
    func scaled() throws {
        let folder = try TemporaryFolder()
        for (channels, asked, expected) in [(1, "320k", 160_000), (2, "320k", 320_000), (6, "128k", 320_000), (1, "600k", 288_000)] {
            try folder.writeSignal("a\(channels).wav", frames: 48_000, channels: channels, sampleRate: 48_000)
            let run = try LinnetProgram.run(
                "encode", "--json", "--scale-bitrate", "-b", asked, "a\(channels).wav", "-o", "a\(channels)-\(asked).m4a", folder: folder)
            let parsed = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]], "\(run.errorText)")
            #expect(parsed[0]["targetBitRate"] as? Int == expected, "\(channels) channels")
        }
        #expect(try LinnetProgram.run("encode", "--scale-bitrate", "a1.wav", folder: folder).exitCode == 2)
        #expect(try LinnetProgram.run("batch", "--quiet", ".", "-o", "out", "--scale-bitrate", "-b", "320k", folder: folder).exitCode != 14)
    }
}
