// SPDX-License-Identifier: Apache-2.0

import Foundation
import PCMFiles
import TestSupport
import Testing

/// `--range` in all its subcommands, and the notes of encode.
@Suite struct RangeAndNoteTests {
    /// Runs the program with `--json` and returns the first object.
    private func result(_ words: [String], in folder: TemporaryFolder) throws -> [String: Any] {
        let run = try ProgramRun(LinnetProgram.path, words + ["--json"], folder: folder.url)
        #expect(run.exitCode == 0, "\(words): \(run.errorText)")
        return try #require(try run.jsonObjects().first)
    }

    @Test("A range means the same in encode, decode and remux", arguments: ["0.25-0.75", "0.25s-0:00.75"])
    func ranges(range: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 44_100)
        #expect(try result(["encode", "in.wav", "-o", "part.m4a", "--range", range], in: folder)["frames"] as? Int == 22_050)
        #expect(try result(["encode", "in.wav", "-o", "whole.m4a"], in: folder)["frames"] as? Int == 44_100)
        #expect(try result(["decode", "whole.m4a", "-o", "part.wav", "--range", range], in: folder)["frames"] as? Int == 22_050)
        _ = try result(["remux", "whole.m4a", "-o", "moved.m4a", "--range", range], in: folder)
        #expect(try result(["probe", "moved.m4a"], in: folder)["validFrames"] as? Int == 22_050)
        #expect(try result(["decode", "moved.m4a", "-o", "moved.wav"], in: folder)["frames"] as? Int == 22_050)
        let parts = try ["part.wav", "moved.wav"].map { try bytes(ofFile: folder.path($0)) }
        #expect(parts[0].count == parts[1].count)
        for command in ["encode", "decode", "remux", "play"] {
            let files = command == "encode" ? ["in.wav"] : ["in.wav", "x.m4a"]
            let run = try ProgramRun(LinnetProgram.path, [command] + files + ["--range", "5"], folder: folder.url)
            #expect(run.exitCode == 2 && run.errorText.contains("invalid --range value '5'; use a part like"), "\(run.errorText)")
        }
    }

    @Test("A range without a sample frame is an error in every command, and leaves no output", arguments: ["5-6", "0.01-0.010001"])
    func emptyRange(range: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 4410)
        _ = try result(["encode", "in.wav", "-o", "in.m4a"], in: folder)
        for (command, output) in [("encode", "x.aac"), ("decode", "x.wav"), ("convert", "x.flac"), ("remux", "x.caf")] {
            let run = try LinnetProgram.run(command, "in.m4a", "-o", output, "--range", range, folder: folder)
            #expect(run.exitCode == 10, "\(command)")
            #expect(run.errorText == "linnet: the time range starts after the end of in.m4a or is shorter than a sample frame\n")
        }
        #expect(try folder.contents == ["in.m4a", "in.wav"])
    }

    @Test("Mono HE-AAC v2 is encoded as HE-AAC, with a note")
    func profileNote() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 9_000, channels: 1)
        let run = try LinnetProgram.run("encode", "in.wav", "-o", "a.m4a", "--profile", "he-v2", "-b", "24k", folder: folder)
        #expect(run.exitCode == 0 && run.text.hasPrefix("in.wav -> a.m4a: HE-AAC, 9000 frames"), "\(run.text)")
        #expect(run.errorText.hasPrefix("linnet: note: in.wav: HE-AAC v2 ") && run.errorText.hasSuffix("HE-AAC\n"), "\(run.errorText)")
        let quiet = try LinnetProgram.run(
            "encode", "in.wav", "-o", "a.m4a", "--profile", "he-v2", "-b", "24k", "-y", "--quiet", folder: folder)
        #expect(quiet.exitCode == 0 && quiet.errorText.isEmpty && quiet.text.isEmpty)
    }

    @Test(
        "A sample rate that AAC does not support becomes the next higher or the highest one, with a note",
        arguments: [(192_000, 96_000), (37_800, 44_100)])
    func rateNote(found: Int, used: Int) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: found / 4, sampleRate: found)
        let run = try LinnetProgram.run("encode", "in.wav", "-o", "a.m4a", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(run.errorText.hasPrefix("linnet: note: in.wav: ") && run.errorText.contains("\(used) Hz"), "\(run.errorText)")
        let report = try result(["probe", "a.m4a"], in: folder)
        #expect(report["sampleRate"] as? Int == used && report["validFrames"] as? Int == used / 4)
    }
}
