// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Several files, start and end of recordings on the command line.
@Suite(.serialized) struct SplitTests {
    /// Writes white noise, mono, 48 kHz.
    private static func noise(_ folder: TemporaryFolder, frames: Int, silentFrom start: Int = .max) throws -> [Int16] {
        var random = SeededRandom(seed: 9)
        let samples = (0..<frames).map { $0 < start ? Int16.random(in: -8000...8000, using: &random) : 0 }
        try samples.withUnsafeBytes { Data($0) }.write(to: URL(filePath: folder.path("noise.raw")))
        return samples
    }

    private static func lines(_ run: ProgramRun) throws -> [[String: Any]] {
        try run.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
    }

    @Test("Files and their events follow each other without a gap")
    func record() throws {
        let folder = try TemporaryFolder()
        let samples = try Self.noise(folder, frames: 72_000)
        let run = try LinnetProgram.shell("linnet record --input noise.raw -o a.m4a --also b.wav --split 0.5 --json", folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        #expect(try folder.contents == ["a-2.m4a", "a-3.m4a", "a.m4a", "b-2.wav", "b-3.wav", "b.wav", "noise.raw"])
        let parts = try ["b.wav", "b-2.wav", "b-3.wav"].map { try RecordedFile.samples(folder.path($0)) }
        #expect(parts.map(\.count) == [24_000, 24_000, 24_000] && parts.flatMap { $0 } == samples)
        let finished = try Self.lines(run).filter { $0["event"] as? String == "fileFinished" }
        let names: Set<String> = ["a.m4a", "a-2.m4a", "a-3.m4a", "b.wav", "b-2.wav", "b-3.wav"]
        #expect(Set(finished.compactMap { $0["file"] as? String }) == names)
        #expect(finished.allSatisfy { $0["duration"] as? Double == 0.5 })
        let started = try Self.lines(run).filter { $0["event"] as? String == "fileStarted" }
        #expect(started.count == 6 && started.allSatisfy { ($0["time"] as? String)?.count == 24 })
    }

    @Test("A killed recording leaves its earlier files complete, and the last one playable")
    func killed() throws {
        let folder = try TemporaryFolder()
        let script = """
            '\(LinnetProgram.path)' record --input /dev/zero -o a.m4a --also a.wav --split 0.4 --quiet & recording=$!
            while ! test -e a-5.m4a || ! test -e a-5.wav; do sleep 0.05; done
            kill -KILL $recording; wait $recording
            """
        _ = try LinnetProgram.shell(script, folder: folder)
        for ending in ["m4a", "wav"] {
            for name in ["a", "a-2", "a-3", "a-4"] {
                let run = try LinnetProgram.run("decode", "\(name).\(ending)", "-o", "-", "--format", "raw", folder: folder)
                let other = try LinnetProgram.run("convert", "\(name).\(ending)", "-o", "-", "--format", "raw", folder: folder)
                #expect(other.exitCode == 0 && (run.exitCode == 0 || ending == "wav"), "\(name): \(run.errorText) \(other.errorText)")
            }
            #expect(try RecordedFile.samples(folder.path("a-4.wav")).count == 19_200)
        }
    }

    @Test("A level starts the recording, and silence ends it")
    func triggers() throws {
        let folder = try TemporaryFolder()
        _ = try Self.noise(folder, frames: 480_000, silentFrom: 24_000)
        let words = "--start-level -20 --stop-silence 0.5 --silence-level -60 --pre-roll 0"
        let run = try LinnetProgram.shell("linnet record --input noise.raw -o a.wav \(words) --json", folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        #expect(try abs(RecordedFile.samples(folder.path("a.wav")).count - 48_000) <= 960)
        let events = try Self.lines(run).compactMap { $0["event"] as? String }
        #expect(
            events.filter { ["waitingForLevel", "triggered", "finished"].contains($0) } == ["waitingForLevel", "triggered", "finished"])
        let quiet = try LinnetProgram.shell(
            "'\(LinnetProgram.path)' record --input /dev/zero -o b.wav --also b.m4a --start-level -20 & sleep 1; kill -INT $!; wait $!",
            folder: folder)
        #expect(quiet.errorText.contains("waiting for the start level\n"), "\(quiet.errorText)")
        #expect(quiet.errorText.contains("Recorded nothing: no sample exceeded the start level\n"), "\(quiet.errorText)")
        #expect(try !folder.contents.contains { $0.hasPrefix("b.") })
    }

    @Test(
        "Rules that cannot apply are refused before any output is created",
        arguments: [
            "-o a.m4a --split chapters", "-o a.m4a --split 0.1", "-o a.m4a --split-at 24:00",
            "-o a.m4a --split 10X", "-o a.m4a --split 1K", "-o 100%.m4a", "-o %D.m4a", "-o - --split 10m", "-o a.m4a --pre-roll 2",
            "-o a.m4a --silence-level -40", "-o a.m4a --stop-at noon", "-o a.m4a --stop-size 0", "-o a.dabp --dab 96k --split 10m",
        ])
    func refused(words: String) throws {
        let folder = try TemporaryFolder()
        let run = try LinnetProgram.shell("linnet record --input /dev/zero --seconds 0.2 \(words)", folder: folder)
        #expect(run.exitCode == 2 && run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
        #expect(try folder.contents.isEmpty)
    }

    @Test("Dated names get the time of the recording, and an existing file is refused")
    func names() throws {
        let folder = try TemporaryFolder()
        let words = "record --input /dev/zero --seconds 0.2 --quiet -o %Y/100%%_%m.wav"
        let run = try LinnetProgram.shell("TZ=Asia/Tokyo linnet \(words)", folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let now = try ProgramRun.shell("TZ=Asia/Tokyo date +%Y/100%%_%m.wav", folder: folder.url).text.trimmingCharacters(in: .newlines)
        #expect(try RecordedFile.samples(folder.path(now)).count == 9600)
        #expect(try LinnetProgram.shell("TZ=Asia/Tokyo linnet \(words)", folder: folder).exitCode == 7)
        #expect(try LinnetProgram.shell("TZ=Asia/Tokyo linnet \(words) --force", folder: folder).exitCode == 0)
    }

    @Test("A file is divided into parts of equal duration, sample for sample")
    func convert() throws {
        let folder = try TemporaryFolder()
        let samples = try Self.noise(folder, frames: 100_000)
        let run = try LinnetProgram.shell(
            "linnet convert --raw s16,48000,1 noise.raw -o parts --format wav --split 500ms --title Talk --quiet", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let names = (1...5).map { "parts/0\($0).wav" }
        #expect(try names.flatMap { try RecordedFile.samples(folder.path($0)) } == samples)
        let size = try LinnetProgram.shell("linnet convert --raw s16,48000,1 noise.raw -o parts --format m4a --split 10M", folder: folder)
        #expect(size.exitCode == 2 && size.errorText.contains("--split by size"), "\(size.errorText)")
    }
}
