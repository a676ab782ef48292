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

    @Test("AAC-LC becomes xHE-AAC with the same samples in each container", arguments: ["m4a", "caf", "loas", "ts", "pipe.m4a"])
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

    @Test("Probe lists the stated loudness, the points where players can start, and the size of the configuration")
    func probe() throws {
        let folder = try TemporaryFolder()
        try encode(in: folder)
        let run = try LinnetProgram.shell(
            "linnet remux - b.loas --profile xhe --stated-loudness -18LUFS --access-points 0.5 --quiet < a.m4a && linnet probe b.loas && "
                + "linnet probe --json b.loas", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        for text in [
            "-18.0 LUFS\n", "up to 0.488 s apart\n", " bytes\n", #""accessPoints": 3,"#, #""largestAccessPointDistance": 0.487619"#,
            #""configurationBytes": "#,
        ] { #expect(run.text.contains(text), "\(text) in \(run.text)") }
    }

    @Test("A refusal names the reason and the remedy, and leaves no output")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try encode(in: folder)
        _ = try LinnetProgram.run("encode", "--quiet", "-b", "32k", "--profile", "he-v2", "a.wav", "-o", "he.m4a", folder: folder)
        let cases: [(words: [String], code: Int32, message: String)] = [
            (
                ["he.m4a", "x.m4a", "--profile", "xhe"], 10,
                "cannot recode he.m4a as xHE-AAC: it is HE-AAC v2, and only AAC-LC and HE-AAC can be recoded"
            ),
            (["a.m4a", "x.aac", "--profile", "xhe"], 10, "cannot write x.aac"),
            (
                ["-", "x.m4a", "--profile", "xhe"], 10,
                "cannot recode standard input as xHE-AAC: a pipe cannot be read twice to measure its loudness; state it with --stated-loudness"
            ),
            (["a.m4a", "x.m4a", "--stated-loudness", "-16"], 2, "--stated-loudness needs --profile xhe"),
            (["a.m4a", "x.m4a", "--access-points", "1"], 2, "--access-points needs --profile xhe"),
            (
                ["a.m4a", "x.m4a", "--profile", "xhe", "--access-points", "0"], 2,
                "invalid --access-points value '0'; use a number, 0.1 to 60"
            ),
            (["a.m4a", "x.m4a", "--profile", "he"], 2, "invalid --profile value 'he'; use xhe"),
            (["a.m4a", "a.m4a", "--join", "--profile", "xhe", "-o", "x.m4a"], 2, "--join and --profile exclude each other"),
        ]
        for (words, code, message) in cases {
            let run = try LinnetProgram.shell("cat a.m4a | linnet remux \(words.joined(separator: " "))", folder: folder)
            #expect(run.exitCode == code && run.errorText.hasPrefix("linnet: " + message), "\(run.exitCode): \(run.errorText)")
        }
        #expect(try folder.contents == ["a.m4a", "a.wav", "he.m4a"])
    }
}
