// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `linnet record` with several sources.
@Suite(.serialized) struct SourceOptionTests {
    @Test("Layouts of two sources in four files, with a gain for each source", arguments: PrivateServer.kinds)
    func layouts(kind: String) throws {
        let folder = try TemporaryFolder()
        // Two frequencies, because equal ones with opposite phases would cancel in the mix.
        for (name, frequency) in [("mic", 440.0), ("stereomic", 450)] {
            let tone = (0..<48_000 * 30).map { Int16(29_000 * sin(Double($0) * 2 * .pi * frequency / 48_000)) }
            try tone.withUnsafeBytes { try Data($0).write(to: URL(filePath: folder.path(name + ".raw"))) }
        }
        let script = """
            player() { pacat --raw --device=$1 --format=s16le --rate=48000 --channels=1 --latency-msec=2000 $1.raw & }
            rm -f *.m4a *.wav *.txt; player mic; first=$!; player stereomic; second=$!; sleep 1.5
            "$linnet" record --source mic --source guest=vstereo --layout files,channels,mix --gain 0,-6 --seconds 3 --json \\
              -o talk.m4a --also both.wav --also mix.wav > events.txt
            "$linnet" record --source mic --source mic:vstereo --layout mix --seconds 2 -o loud.wav 2> summary.txt
            kill $first $second
            """
        let (left, right) = try PrivateServer.attempt {
            let run = try PrivateServer.run(kind, script, in: folder)
            #expect(run.exitCode == 0, "\(run.errorText)")
            let samples = try RecordedFile.samples(folder.path("both.wav"))
            return [0, 1].map { channel in stride(from: channel, to: samples.count, by: 2).map { Double(samples[$0]) } }
        } isWhole: { channels in
            // Losses of the server change the level.
            channels.allSatisfy { Self.level($0) > 5000 }
        }.pair
        #expect(left.count == 144_000)
        let ratio = Self.level(left) / Self.level(right)
        #expect(abs(20 * log10(ratio) - 6) < 0.3, "\(ratio)")
        let names = try folder.contents.filter { $0.hasSuffix(".m4a") }
        #expect(Set(names) == ["talk-mic.m4a", "talk-guest.m4a"], "\(names)")
        for name in names { #expect(try RecordedFile.accessUnitCount(folder.path(name)) >= 144_000 / 1024) }
        #expect(try RecordedFile.format(folder.path("mix.wav")).channelCount == 2)
        // The sum of both tones exceeds full scale.
        let peak = try RecordedFile.samples(folder.path("loud.wav")).map { Int($0.magnitude) }.max() ?? 0
        // -1 dBFS, rounded to an integer.
        #expect(peak > 26_000 && Double(peak) <= 32_768 * pow(10, -1 / 20.0) + 1, "\(peak)")
        try expectEvents(folder)
        let summary = try String(contentsOfFile: folder.path("summary.txt"), encoding: .utf8)
        #expect(summary.contains("\n  mic: clock ") && summary.contains("\n  mic-2: clock "), "\(summary)")
    }

    private func expectEvents(_ folder: TemporaryFolder) throws {
        let text = try String(contentsOfFile: folder.path("events.txt"), encoding: .utf8)
        let lines = try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
        let started = lines.filter { $0["event"] as? String == "started" }.compactMap { $0["source"] as? String }
        #expect(Set(started) == ["mic", "guest"], "\(text)")
        let sources = try #require(lines.last?["sources"] as? [[String: Any]], "\(text)")
        #expect(sources.compactMap { $0["name"] as? String } == ["mic", "guest"])
        #expect(sources.allSatisfy { $0["openings"] as? Int == 1 && $0["driftPPM"] is Double && $0["error"] == nil }, "\(sources)")
    }

    /// Returns the root mean square of the second half.
    private static func level(_ samples: [Double]) -> Double {
        let half = samples.suffix(samples.count / 2)
        return (half.reduce(0) { $0 + $1 * $1 } / Double(max(1, half.count))).squareRoot()
    }

    @Test("An unknown device is an error with the source's name, and leaves no file", arguments: PrivateServer.kinds)
    func unknownDevice(kind: String) throws {
        let folder = try TemporaryFolder()
        let run = try PrivateServer.run(
            kind, "\"$linnet\" record --source mic --source guest=nosuch --layout files --seconds 1 -o talk.m4a && exit 99 || exit $?",
            in: folder)
        #expect(
            ![0, 99].contains(run.exitCode) && run.errorText.contains("guest: ") && run.errorText.contains("nosuch"), "\(run.errorText)")
        #expect(try folder.contents == ["script"])
    }

    @Test(
        "Contradictions are refused before any output is created",
        arguments: [
            "--layout mix", "--source mic --layout mix", "--source mic --source system --layout stereo",
            "--source mic --source system --gain 0,-6,-6", "--source mic --source system --gain 0,loud",
            "--source mic --source system --device vmic", "--source mic --device vmic", "--source mic --source system --gaps skip",
            "--source =mic", "--source a/b=mic",
            "--source mic --source system --layout files -o -", "--source mic --source system --source app:x --layout channels",
            "--source mic --source system --pick 1", "--source mic --source system --input x.raw",
        ])
    func refused(words: String) throws {
        let folder = try TemporaryFolder()
        let output = words.contains("-o") ? "" : "-o out.m4a"
        let run = try LinnetProgram.shell("linnet record --seconds 0.2 \(output) \(words)", folder: folder)
        #expect(run.exitCode == 2 && run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
        #expect(try folder.contents.isEmpty)
    }
}

extension Array {
    fileprivate var pair: (Element, Element) { (self[0], self[1]) }
}
