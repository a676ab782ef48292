// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import TestSupport
import Testing

/// Marks and clipped samples of `linnet record`: lines, notes and chapters.
@Suite struct RecordMarkTests {
    /// Shell lines that record from the file `in`, mark twice by signal, and wait for both marks in the file `log`.
    private static func marking(_ options: String) -> String {
        """
        waitfor() { for i in $(seq 600); do [ "$(grep -c "$1" log)" -ge $2 ] && return; sleep 0.05; done; exit 9; }
        '\(LinnetProgram.path)' record --input in \(options) >log & recording=$!
        waitfor '"levels"' 1; kill -USR1 $recording; waitfor '"mark"' 1
        waitfor '"levels"' 2; kill -USR1 $recording; waitfor '"mark"' 2
        """
    }

    private static func objects(_ folder: TemporaryFolder) throws -> [[String: Any]] {
        try String(decoding: bytes(ofFile: folder.path("log")), as: UTF8.self).split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test("SIGUSR1 sets marks, which are lines of JSON, chapters of the files and part of the last line")
    func marks() throws {
        let folder = try TemporaryFolder()
        let script = "ln -s /dev/zero in; " + Self.marking("-o a.m4a --also a.wav --json") + "; kill -TERM $recording; wait $recording"
        let run = try ProgramRun.shell(script, folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let objects = try Self.objects(folder)
        let marks = objects.filter { $0["event"] as? String == "mark" }
        #expect(marks.map { $0["title"] as? String } == ["Mark 1", "Mark 2"])
        let times = try marks.map { try #require($0["seconds"] as? Double) }
        try #require(times.count == 2)
        #expect(times[0] > 0.5 && times[1] > times[0] + 0.5)
        let last = try #require(objects.last)
        #expect(last["event"] as? String == "finished" && last["clippedSamples"] as? [Int] == [0] && last["clippedPlaces"] as? Int == 0)
        #expect((last["marks"] as? [[String: Any]])?.map { $0["seconds"] as? Double } == times)
        for name in ["a.m4a", "a.wav"] {
            let probe = try LinnetProgram.run("probe", "--json", name, folder: folder)
            let chapters = try #require(try probe.jsonObjects().first?["chapters"] as? [[String: Any]], "\(name): \(probe.errorText)")
            #expect(chapters.map { $0["title"] as? String } == ["Mark 1", "Mark 2"], "\(name)")
            for (chapter, time) in zip(chapters, times) { #expect(abs((chapter["start"] as? Double ?? 0) - time) < 0.001, "\(name)") }
        }
        // Editors read cue points, which FFmpeg does not.
        let wave = Data(try bytes(ofFile: folder.path("a.wav")))
        let cue = try #require(wave.range(of: Data("cue ".utf8)))
        #expect(wave.range(of: Data("labl".utf8)) != nil)
        let frame = wave[(cue.upperBound + 4 + 4 + 20)...].prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(abs(Double(frame) / 48_000 - times[0]) < 0.001)
    }

    @Test("The lines of marks survive a killed recording")
    func killed() throws {
        let folder = try TemporaryFolder()
        let script = "ln -s /dev/zero in; " + Self.marking("-o a.aac --json") + "; kill -KILL $recording"
        #expect(try ProgramRun.shell(script, folder: folder.url).exitCode == 0)
        #expect(try Self.objects(folder).count { $0["event"] as? String == "mark" } == 2)
    }

    @Test("A note has the marks that an output cannot store")
    func note() throws {
        let folder = try TemporaryFolder()
        let script = """
            linnet() { exec '\(LinnetProgram.path)' "$@"; }
            linnet record --input /dev/zero -o a.aac --also a.wav 2>log & recording=$!
            for i in $(seq 600); do [ "$(stat -c %s a.wav 2>/dev/null || echo 0)" -gt 50000 ] && break; sleep 0.05; done
            kill -USR1 $recording
            for i in $(seq 600); do grep -q 'mark at' log && break; sleep 0.05; done
            kill -TERM $recording; wait $recording; cat log
            """
        let run = try ProgramRun.shell(script, folder: folder.url)
        #expect(run.exitCode == 0)
        #expect(run.text.contains(/linnet: mark at 00:00:0\d\.\d+: Mark 1\n/), "\(run.text)")
        #expect(run.text.contains(/linnet: note: a\.aac cannot store the marks: 00:00:0\d\.\d+ Mark 1\n/), "\(run.text)")
        #expect(!run.text.contains("a.wav cannot"))
    }

    @Test("Clipping is reported once when it begins, in the summary, and as JSON")
    func clipping() throws {
        let folder = try TemporaryFolder()
        var samples = [Int16](repeating: 0, count: 2 * 48_000)
        for frame in [5000, 5001, 30_000, 30_001, 30_002] { samples[2 * frame + 1] = 32_767 }
        _ = try folder.write(samples.withUnsafeBytes { Array($0) }, to: "in")
        let run = try LinnetProgram.run("record", "--input", "in", "--channels", "2", "-o", "a.aac", folder: folder)
        #expect(run.exitCode == 0)
        let warning = /linnet: the recording clips since 0:0\d \(R\); lower the level of the input or --gain\n/
        #expect(run.errorText.matches(of: warning).count == 1, "\(run.errorText)")
        #expect(run.errorText.contains("kb/s, clipped 5 samples (2 places)\n"), "\(run.errorText)")
        let json = try LinnetProgram.run("record", "--input", "in", "--channels", "2", "-o", "b.aac", "--json", folder: folder)
        #expect(json.text.contains(#""clippedSamples": [0, 5], "clippedPlaces": 2"#), "\(json.text)")
    }

    @Test("Encoding floating-point samples beyond full scale is a warning, on any number of threads", arguments: ["1", "4"])
    func encode(threads: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 44_100 * 3, sampleFormat: .float32)
        // A gain of 12 dB.
        var bytes = try bytes(ofFile: folder.path("in.wav"))
        let start = try #require(Data(bytes).range(of: Data("data".utf8))).upperBound + 4
        bytes.withUnsafeMutableBytes { bytes in
            for offset in stride(from: start, to: bytes.count, by: 4) {
                bytes.storeBytes(of: 4 * bytes.loadUnaligned(fromByteOffset: offset, as: Float.self), toByteOffset: offset, as: Float.self)
            }
        }
        _ = try folder.write(bytes, to: "loud.wav")
        for (name, isLoud) in [("in.wav", false), ("loud.wav", true)] {
            let run = try LinnetProgram.run("encode", name, "-o", "out.m4a", "-y", "--threads", threads, folder: folder)
            #expect(run.exitCode == 0)
            let warning = /linnet: warning: loud\.wav exceeds full scale by \d+\.\d dB, which players clip; --normalize lowers it\n/
            #expect(run.errorText.contains(warning) == isLoud, "\(run.errorText)")
        }
        let run = try LinnetProgram.run(
            "encode", "loud.wav", "-o", "out.m4a", "-y", "--normalize", "-16LUFS", "--threads", threads, folder: folder)
        #expect(run.exitCode == 0 && !run.errorText.contains("exceeds"), "\(run.errorText)")
    }
}
