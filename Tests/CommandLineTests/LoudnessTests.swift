// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `--loudness`, `--normalize` and `--true-peak`.
@Suite struct LoudnessTests {
    @Test("Messages about invalid and enormous samples name no option that was given or does not help")
    func invalidSamples() throws {
        let folder = try TemporaryFolder()
        for (sample, code, end) in [(Float.nan, 0, "beyond full scale or not a number\n"), (3e38, 6, "; lower its level first\n")] {
            var samples = (0..<44_100).map { 0.1 * Float(sin(Double($0) * 0.05)) }
            samples[1000] = sample
            _ = try folder.write(samples.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian) { Array($0) } }, to: "in.pcm")
            let run = try LinnetProgram.shell(
                "linnet convert --raw f32,44100,1 in.pcm -o out.flac --force --quiet --normalize -16LUFS", folder: folder)
            #expect(run.exitCode == code && run.errorText.hasSuffix(end), "\(run.errorText)")
        }
    }

    @Test("Encoding with a loudness, and probing it, as text and as JSON")
    func normalize() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 132_300)
        let encoded = try LinnetProgram.run(
            "encode", "in.wav", "-o", "out.m4a", "--normalize", "-16LUFS", "--true-peak=-1dBTP", "--loudness", folder: folder)
        #expect(encoded.exitCode == 0, "\(encoded.errorText)")
        // The message has the loudness of the decoded file.
        #expect(["-15.9 LUFS", "-16.0 LUFS", "-16.1 LUFS"].contains(where: encoded.text.contains), "\(encoded.text)")
        let probed = try LinnetProgram.run("probe", "--loudness", "--json", "out.m4a", folder: folder)
        let file = try probed.jsonObjects()
        let loudness = try #require(file.first?["loudness"] as? [String: Any])
        // The noise of the signal has more bandwidth than the file.
        #expect(abs(try #require(loudness["integrated"] as? Double) - -16) < 0.7)
        #expect(loudness["truePeak"] is Double && loudness["range"] is Double)
        let tags = try #require(file.first?["tags"] as? [String: String])
        #expect(tags["replayGain"]?.hasPrefix("-2.0") == true, "\(tags)")
        let text = try LinnetProgram.run("probe", "--loudness", "out.m4a", folder: folder).text
        #expect(text.contains("\nLoudness:      -16") && text.contains("\nTrue peak:     "), "\(text)")
    }

    @Test("Track and album gains become loudness boxes with peaks in M4A")
    func album() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 22_050)
        let run = try LinnetProgram.shell(
            """
            linnet convert in.wav -o in.flac --quiet --tag REPLAYGAIN_TRACK_GAIN='-3.00 dB' --tag REPLAYGAIN_ALBUM_GAIN='+1.25 dB' \
                --tag REPLAYGAIN_ALBUM_PEAK=0.5
            linnet convert in.flac -o out.m4a --quiet && linnet probe --json out.m4a
            """, folder: folder)
        let file = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any], "\(run.errorText)")
        let stated = try #require(file["statedLoudness"] as? [String: Any], "\(file.keys.sorted())")
        #expect(stated["integrated"] as? Double == -15)
        let album = try #require((stated["albumEntries"] as? [[String: Any]])?.first)
        #expect(album["integrated"] as? Double == -19.25)
        #expect(abs(try #require(album["truePeak"] as? Double) - -6.02) <= 1 / 32)
        let bytes = try bytes(ofFile: folder.path("out.m4a"))
        #expect(["tlou", "alou"].allSatisfy { bytes.firstRange(of: $0.utf8) != nil })
    }

    @Test("Converting with --normalize reports the loudness; pipes are rejected")
    func convert() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 66_150)
        let run = try LinnetProgram.run("convert", "in.wav", "-o", "out.flac", "--normalize", "-20LUFS", "--json", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let file = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]]).first
        let loudness = try #require(file?["loudness"] as? [String: Any])
        #expect(abs(try #require(loudness["integrated"] as? Double) - -20) < 0.1 && file?["gain"] is Double)
        let piped = try LinnetProgram.shell("cat in.wav | linnet convert - -o piped.wav --normalize -20; echo $?; ls", folder: folder)
        #expect(piped.text == "5\nin.wav\nout.flac\n" && piped.errorText.contains("standard input"), "\(piped.errorText)")
    }

    @Test(
        "Values out of range, a limit without a loudness and standard input are rejected in one line",
        arguments: [
            ["encode", "in.wav", "--normalize", "loud"], ["encode", "in.wav", "--normalize", "3"],
            ["encode", "in.wav", "--true-peak", "-1"], ["convert", "in.wav", "-o", "o.wav", "--normalize", "3"],
            ["convert", "in.wav", "-o", "o.wav", "--true-peak", "-1"],
            ["probe", "--loudness", "-"],
        ])
    func refusals(words: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav")
        let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
        #expect(run.exitCode == 2, "\(run.errorText)")
        #expect(run.errorText.split(separator: "\n").count == 1)
    }
}
