// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// `linnet remux --profile xhe`.
@Suite struct RemuxProfileTests {
    private static let raw = ["-o", "-", "-f", "raw", "--sample-format", "f32", "--keep-delay", "--quiet"]

    /// Writes an AAC-LC file without noise substitution.
    private func encode(in folder: TemporaryFolder) throws {
        try folder.writeSignal("a.wav", frames: 60_000)
        let run = try LinnetProgram.run(
            "encode", "--quiet", "-b", "192k", "--no-noise-substitution", "a.wav", "-o", "a.m4a", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
    }

    @Test("AAC-LC becomes xHE-AAC with the same samples in each container", arguments: ["m4a", "caf", "loas", "pipe.m4a"])
    func containers(ending: String) throws {
        let folder = try TemporaryFolder()
        try encode(in: folder)
        let name = "b.\(ending)"
        let run =
            ending == "pipe.m4a"
            ? try LinnetProgram.shell("linnet remux a.m4a - --format m4a --profile xhe --quiet | cat > \(name)", folder: folder)
            : try LinnetProgram.run("remux", "a.m4a", name, "--profile", "xhe", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let probe = try LinnetProgram.run("probe", "--json", name, folder: folder).jsonObjects().first
        #expect(probe?["objectType"] as? String == "xHE-AAC")
        let before = try ProgramRun(LinnetProgram.path, ["decode", "a.m4a"] + Self.raw, folder: folder.url)
        let after = try ProgramRun(LinnetProgram.path, ["decode", name] + Self.raw, folder: folder.url)
        #expect(before.exitCode == 0 && after.exitCode == 0 && before.output == after.output && !before.output.isEmpty)
    }

    @Test("A refusal names the reason and the remedy, and leaves no output")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try encode(in: folder)
        _ = try LinnetProgram.run("encode", "--quiet", "-b", "32k", "--profile", "he", "a.wav", "-o", "he.m4a", folder: folder)
        let cases: [(words: [String], code: Int32, message: String)] = [
            (["he.m4a", "x.m4a", "--profile", "xhe"], 10, "cannot recode he.m4a as xHE-AAC: it is HE-AAC, and only AAC-LC can be recoded"),
            (["a.m4a", "x.aac", "--profile", "xhe"], 10, "cannot write x.aac"),
            (["a.m4a", "x.m4a", "--profile", "he"], 2, "invalid --profile value 'he'; use xhe"),
            (["a.m4a", "a.m4a", "--join", "--profile", "xhe", "-o", "x.m4a"], 2, "--join and --profile exclude each other"),
        ]
        for (words, code, message) in cases {
            let run = try ProgramRun(LinnetProgram.path, ["remux"] + words, folder: folder.url)
            #expect(run.exitCode == code && run.errorText.hasPrefix("linnet: " + message), "\(run.exitCode): \(run.errorText)")
        }
        #expect(try folder.contents == ["a.m4a", "a.wav", "he.m4a"])
    }
}
