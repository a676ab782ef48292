// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Each subcommand once with each output container, through files and pipes.
@Suite struct SubcommandSmokeTests {
    /// The extensions of output containers.
    private static let containers = ["aac", "m4a", "caf", "loas"]

    /// Runs the program, expecting success without a message, and returns its standard output.
    @discardableResult
    private func run(_ words: [String], in folder: TemporaryFolder, input: [UInt8]? = nil) throws -> ProgramRun {
        let run = try ProgramRun(LinnetProgram.path, words, input: input, folder: folder.url)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(words): \(run.exitCode) \(run.errorText)")
        return run
    }

    /// The sample frames of a PCM file.
    private func frameCount(_ name: String, in folder: TemporaryFolder) throws -> Int {
        try #require(try PCMFileReader(path: folder.path(name)).properties.frameCount)
    }

    @Test(
        "A file can be encoded, probed, remuxed to every container, decoded and compared",
        arguments: selectedCases(containers, [("lc", 1), ("lc", 2), ("lc", 6), ("he", 2), ("he-v2", 2)]))
    func everything(container: String, profile: (name: String, channelCount: Int)) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 30_000, channels: profile.channelCount)
        let coded = "a.\(container)"
        try run(["encode", "in.wav", "-o", coded, "--profile", profile.name, "-b", "\(48 * profile.channelCount)k"], in: folder)
        try run(["probe", "--check", coded], in: folder)
        for other in Self.containers {
            let moved = "b.\(other)"
            try run(["remux", coded, "-o", moved, "-y"], in: folder)
            let probe = try run(["probe", "--check", "--json", coded, moved], in: folder)
            let reports = try #require(try JSONSerialization.jsonObject(with: Data(probe.output)) as? [[String: Any]])
            #expect(Set(reports.map { $0["accessUnits"] as? Int }).count == 1, "\(coded) to \(moved)")
            #expect(Set(reports.map { $0["payloadBytes"] as? Int }).count == 1, "\(coded) to \(moved)")
            for format in ["wav", "flac"] {
                let decoded = "\(other).\(format)"
                try run(["decode", moved, "-o", decoded], in: folder)
                // Only M4A and CAF store the trimming, and only if both do.
                let isTrimmed = ["m4a", "caf"].contains(container) && ["m4a", "caf"].contains(other)
                let frames = try frameCount(decoded, in: folder)
                #expect(isTrimmed ? frames == 30_000 : frames > 30_000, "\(decoded): \(frames)")
            }
        }
        let comparison = try run(["compare", "in.wav", coded, "--json"], in: folder)
        let figures = try #require(try JSONSerialization.jsonObject(with: Data(comparison.output)) as? [String: Any])
        #expect(figures["channels"] as? Int == profile.channelCount)
    }

    @Test("Pipes give the same output as files", arguments: containers)
    func pipes(container: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 22_050)
        try run(["encode", "-q", "60", "in.wav", "-o", "a.\(container)", "--quiet"], in: folder)
        let coded = try bytes(ofFile: folder.path("a.\(container)"))
        try run(["decode", "a.\(container)", "-o", "a.wav"], in: folder)
        let decoded = try run(["decode", "-", "-o", "-", "--quiet"], in: folder, input: coded)
        let file = try PCMFileReader(path: folder.write(decoded.output, to: "pipe.wav")).properties
        let frames = try frameCount("a.wav", in: folder)
        #expect(file.sampleRate == 44_100 && file.channelCount == 2)
        #expect(Array(decoded.output.suffix(4 * frames)) == Array(try bytes(ofFile: folder.path("a.wav")).suffix(4 * frames)))
        let probe = try run(["probe", "-"], in: folder, input: coded)
        #expect(probe.text.contains("standard input"))
        let moved = try run(["remux", "-", "-", "--format", "adts", "--quiet"], in: folder, input: coded)
        try run(["remux", "a.\(container)", "b.aac", "--quiet"], in: folder)
        #expect(try moved.output == bytes(ofFile: folder.path("b.aac")))
    }

    @Test("A recording from a file is complete in every container")
    func recording() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write([UInt8](repeating: 0, count: 4 * 24_000), to: "in.pcm")
        let outputs = Self.containers.map { "a.\($0)" } + ["a.wav"]
        let also = outputs.dropFirst().flatMap { ["--also", $0] }
        let words = ["record", "--input", "in.pcm", "--rate", "48k", "--channels", "2", "--quiet", "-o", outputs[0]] + also
        try run(words, in: folder)
        try run(["probe", "--check"] + outputs.dropLast(), in: folder)
        #expect(try frameCount("a.wav", in: folder) == 24_000)
    }

    @Test("Every subcommand shows its help, and none runs without what it needs")
    func help() throws {
        for name in ["record", "encode", "decode", "remux", "compare", "probe", "play", "devices", "codecs"] {
            #expect(try LinnetProgram.run(name, "--help").text.contains("Usage: linnet \(name)"))
        }
        for name in ["encode", "decode", "remux", "compare", "probe", "play"] {
            let run = try LinnetProgram.run(name)
            #expect(run.exitCode == 2 && run.errorText.hasSuffix("(see linnet \(name) --help)\n"))
        }
    }
}
