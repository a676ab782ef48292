// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `linnet remux`.
@Suite struct RemuxTests {
    @Test("Access units pass through every container unchanged", arguments: ["m4a", "caf", "loas", "ts"])
    func roundTrip(container: String) throws {
        let folder = try TemporaryFolder()
        let stream = try adtsStream((0..<200).map { 20 + $0 * 7 % 400 }, sampleRate: 48_000, channels: 2)
        _ = try folder.write(stream, to: "a.aac")
        let there = try LinnetProgram.run("remux", "a.aac", "b.\(container)", folder: folder)
        #expect(there.exitCode == 0, "\(there.errorText)")
        #expect(there.text.hasPrefix("a.aac -> b.\(container): 200 access units, "))
        let back = try LinnetProgram.run("remux", "b.\(container)", "c.aac", folder: folder)
        #expect(back.exitCode == 0, "\(back.errorText)")
        #expect(try bytes(ofFile: folder.path("c.aac")) == stream)
        let piped = try LinnetProgram.run("remux", "b.\(container)", "-", "--format", "adts", "--quiet", folder: folder)
        #expect(piped.output == stream)
    }

    @Test("Encoder delay and padding are copied")
    func gapless() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 5000)
        #expect(try LinnetProgram.run("encode", "--quiet", "a.wav", "-o", "a.m4a", folder: folder).exitCode == 0)
        #expect(try LinnetProgram.run("remux", "--quiet", "a.m4a", "a.caf", folder: folder).exitCode == 0)
        let probe = try LinnetProgram.run("probe", "a.caf", folder: folder)
        #expect(probe.text.contains("Encoder delay: 2112 frames, then 5000 valid frames"))
    }

    @Test("Each error has one line, and leaves no output")
    func failures() throws {
        let folder = try TemporaryFolder()
        let change = try adtsStream([100, 100, 100]) + adtsStream([100, 100, 100], sampleRate: 48_000)
        _ = try folder.write(change, to: "change.aac")
        _ = try folder.write([9], to: "there.m4a")
        let cases: [(words: [String], code: Int32, message: String)] = [
            (["change.aac", "x.m4a"], 10, "change.aac changes its sample rate, channels or profile at access unit 3"),
            (["change.aac", "there.m4a"], 7, "there.m4a already exists; --force overwrites it"),
            (["change.aac", "change.aac"], 8, "change.aac is the input; --force replaces it"),
            (["none.aac", "x.m4a"], 3, "cannot open none.aac: No such file or directory"),
            (["change.aac", "x.wav"], 2, "cannot write x.wav; linnet decode writes .wav"),
            (["change.aac"], 2, "remux needs an input and an output, or inputs and -o OUT"),
        ]
        for (words, code, message) in cases {
            let run = try ProgramRun(LinnetProgram.path, ["remux"] + words, folder: folder.url)
            #expect(run.exitCode == code)
            #expect(run.errorText.hasPrefix("linnet: " + message), "\(run.errorText)")
        }
        #expect(try folder.contents == ["change.aac", "there.m4a"])
    }
}
