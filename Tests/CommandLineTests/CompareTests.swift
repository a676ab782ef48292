// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `linnet compare`.
@Suite struct CompareTests {
    /// The output of `--json`.
    private struct Report: Decodable {
        struct NoiseToMask: Decodable {
            var mean: Double
            var percentile95: Double
        }
        struct Band: Decodable {
            var from: Double
            var noiseToMask: [String: Double]
        }
        var delay: Int?
        var frames: Int
        var isIdentical: Bool
        var signalToNoise: Double?
        var testBandwidth: Double
        var levelDifferences: [Double?]
        var noiseToMask: NoiseToMask?
        var bands: [Band]
    }

    private func report(_ words: String..., folder: TemporaryFolder) throws -> Report {
        let run = try ProgramRun(LinnetProgram.path, ["compare"] + words + ["--json"], folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        return try JSONDecoder().decode(Report.self, from: Data(run.output))
    }

    @Test("Encoded files are compared at the right delay, whether the container stores it or not")
    func coded() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 30_000)
        for (name, delay) in [("a.aac", 2112), ("a.m4a", 0)] {
            #expect(try LinnetProgram.run("encode", "--quiet", "-b", "128k", "a.wav", "-o", name, folder: folder).exitCode == 0)
            let report = try report("a.wav", name, folder: folder)
            #expect(report.delay == delay && report.frames == 30_000 && !report.isIdentical)
            // Tones with noise at 128 kb/s: slightly and measurably damaged.
            let mean = try #require(report.noiseToMask).mean
            #expect(mean > -25 && mean < 3)
            #expect(try #require(report.signalToNoise) > 6)
            #expect(report.bands.allSatisfy { Set($0.noiseToMask.keys) == ["channel1", "channel2", "middle", "side"] })
            // The files do not correlate at the wrong delay.
            let shifted = try self.report("a.wav", name, "--offset", "\(delay + 40)", folder: folder)
            #expect(try #require(shifted.noiseToMask).mean > mean + 5)
        }
    }

    @Test("The same samples in files of other formats are identical")
    func same() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 20_000)
        try folder.writeSignal("a.flac", frames: 20_000)
        let report = try report("a.wav", "a.flac", folder: folder)
        #expect(report.isIdentical && report.signalToNoise == nil && report.levelDifferences == [0, 0])
        #expect(try #require(report.noiseToMask).percentile95 == -30)
        let text = try LinnetProgram.run("compare", "a.wav", "a.flac", folder: folder).text
        #expect(text.contains("Signal to noise: no noise"))
        #expect(text.contains("Delay:           none"))
    }

    @Test("Equal parts of files of different lengths are not identical files", arguments: ["shorter", "longer"])
    func partly(relation: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("long.wav", frames: 20_000)
        #expect(try LinnetProgram.run("convert", "long.wav", "-o", "short.wav", "--range", "0-0.3", folder: folder).exitCode == 0)
        let names = relation == "shorter" ? ["long.wav", "short.wav"] : ["short.wav", "long.wav"]
        let found = try report(names[0], names[1], folder: folder)
        #expect(!found.isIdentical && found.signalToNoise == nil && found.frames == 13_230)
        let text = try LinnetProgram.run("compare", names[0], names[1], folder: folder).text
        let result = "the compared samples are identical; \(names[1]) is 6770 frames (0.154 s) \(relation)\n"
        #expect(text.hasSuffix("Result:          \(result)"), "\(text)")
    }

    @Test("The delay of a silent test is unknown, and two silent files are identical")
    func silence() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 20_000)
        let silent = try LinnetProgram.run("convert", "a.wav", "-o", "s.wav", "--channel-map", "0,0", folder: folder)
        #expect(silent.exitCode == 0, "\(silent.errorText)")
        let unknown = try report("a.wav", "s.wav", folder: folder)
        #expect(unknown.delay == nil && unknown.frames == 20_000)
        let text = try LinnetProgram.run("compare", "a.wav", "s.wav", folder: folder).text
        #expect(text.contains("Delay:           unknown: the files have nothing in common\n"), "\(text)")
        #expect(text.contains("Level:           silent, silent\n"), "\(text)")
        let swapped = try LinnetProgram.run("compare", "s.wav", "a.wav", folder: folder).text
        #expect(swapped.contains("Level:           silent reference, silent reference\n"), "\(swapped)")
        let same = try report("s.wav", "s.wav", folder: folder)
        #expect(same.isIdentical && same.delay == 0)
    }

    @Test("A given offset at which the files do not match is named")
    func wrongOffset() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 20_000)
        let silent = try LinnetProgram.run("convert", "a.wav", "-o", "s.wav", "--channel-map", "0,0", folder: folder)
        #expect(silent.exitCode == 0, "\(silent.errorText)")
        for (offset, name) in [("5000", "5000 frames late"), ("-70", "70 frames early"), ("0", "none")] {
            let text = try LinnetProgram.run("compare", "a.wav", "s.wav", "--offset", offset, folder: folder).text
            #expect(text.contains("Delay:           \(name), as given; there the files have nothing in common\n"), "\(text)")
        }
    }

    @Test("A reference in a pipe is called standard input", arguments: [(1, "1 channel"), (2, "2 channels")])
    func pipe(count: Int, channels: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 22_050, channels: count)
        let run = try LinnetProgram.shell("cat a.wav | linnet compare - a.wav | head -n 1", folder: folder)
        #expect(run.text == "Reference:       standard input (44100 Hz, \(channels))\n", "\(run.text)\(run.errorText)")
    }

    @Test("Another sample rate is converted to the reference's")
    func rates() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 40_000, channels: 1, sampleRate: 44_100)
        #expect(try ProgramRun.shell("ffmpeg -v error -nostdin -i a.wav -ar 96000 -c:a pcm_s24le b.wav", folder: folder.url).exitCode == 0)
        let report = try report("a.wav", "b.wav", folder: folder)
        #expect(report.delay == 0 && report.frames >= 39_999)
        #expect(try #require(report.signalToNoise) > 25)
    }

    @Test("The drawing is written, and replaces a file only with --force")
    func picture() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 20_000)
        #expect(try LinnetProgram.run("compare", "a.wav", "a.wav", "--drawing", "a.svg", folder: folder).exitCode == 0)
        let svg = String(decoding: try bytes(ofFile: folder.path("a.svg")), as: UTF8.self)
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n") && svg.contains("a.wav against a.wav"))
        #expect(try LinnetProgram.run("compare", "a.wav", "a.wav", "--drawing", "a.svg", folder: folder).exitCode == 7)
        let piped = try LinnetProgram.run("compare", "a.wav", "a.wav", "--drawing", "-", folder: folder)
        #expect(piped.text == svg)
    }

    @Test("Files that cannot be compared give one line and an exit code")
    func failures() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("one.wav", frames: 3000, channels: 1)
        try folder.writeSignal("two.wav", frames: 3000, channels: 2)
        try folder.writeSignal("empty.wav", frames: 0, channels: 1)
        let cases: [(words: [String], code: Int32, message: String)] = [
            (["one.wav", "two.wav"], 10, "cannot compare two.wav: it has 2 channels and the reference 1"),
            (["two.wav", "one.wav"], 10, "cannot compare one.wav: it has 1 channel and the reference 2"),
            (["one.wav", "empty.wav"], 10, "cannot compare empty.wav: it is empty"),
            (["empty.wav", "one.wav"], 10, "cannot compare one.wav: the reference is empty"),
            (["one.wav"], 2, "compare needs a reference and a test file"),
            (
                ["one.wav", "one.wav", "--offset", "5000"], 10,
                "cannot compare one.wav: at an offset of 5000 frames it does not overlap the reference"
            ),
            (["one.wav", "none.wav"], 3, "cannot open none.wav: No such file or directory"),
            (["one.wav", "one.wav", "--drawing", "a.png"], 2, "invalid picture name a.png; use a name that ends in .svg"),
            (["-", "-"], 2, "only one file can be standard input"),
        ]
        for (words, code, message) in cases {
            let run = try ProgramRun(LinnetProgram.path, ["compare"] + words, folder: folder.url)
            #expect(run.exitCode == code)
            #expect(run.errorText.hasPrefix("linnet: " + message), "\(run.errorText)")
        }
        #expect(try folder.contents == ["empty.wav", "one.wav", "two.wav"])
    }

    @Test("compare and report show their stage on a terminal, and erase it before the results")
    func stage() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 3000)
        try ProgramRun.require("script")
        let compare = "script -qec \"'\(LinnetProgram.path)' compare a.wav a.wav\" /dev/null </dev/null"
        let compared = try ProgramRun.shell(compare, folder: folder.url).text
        for stage in ["reading a.wav", "comparing a.wav with the reference"] {
            #expect(compared.contains("\r\(stage)\u{1B}[K"), "\(compared)")
        }
        #expect(compared.contains("\r\u{1B}[KReference: "), "\(compared)")
        let report = "script -qec \"'\(LinnetProgram.path)' report a.wav\" /dev/null </dev/null"
        let reported = try ProgramRun.shell(report, folder: folder.url).text
        #expect(reported.contains("\ranalyzing a.wav\u{1B}[K") && reported.contains("\r\u{1B}[Ka.wav -> a.html"), "\(reported)")
        // Pipes have no bars.
        #expect(try LinnetProgram.run("compare", "a.wav", "a.wav", folder: folder).errorText.isEmpty)
    }
}
