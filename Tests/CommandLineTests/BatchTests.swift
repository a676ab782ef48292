// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import LinnetCommand
import TestSupport
import Testing

/// `linnet batch`.
@Suite struct BatchTests {
    /// Creates a folder with three inputs in `in`.
    private func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("in/deep"), withIntermediateDirectories: true)
        for (index, name) in ["in/a.wav", "in/deep/b.wav", "in/deep/c.flac"].enumerated() {
            try folder.writeSignal(name, frames: 11_025 * (index + 1))
        }
        return folder
    }

    @Test("A folder becomes a mirrored tree with the bytes of encode; a second run skips all files")
    func tree() throws {
        let folder = try makeFolder()
        let first = try LinnetProgram.run("batch", "in", "-o", "out", "-b", "64k", "--results", "r.jsonl", folder: folder)
        #expect(first.exitCode == 0 && first.errorText.isEmpty)
        #expect(first.text.hasPrefix("3 encoded, 0 unchanged, 0 failed; 0:02 of audio in "))
        for (input, output) in [("in/a.wav", "out/a.m4a"), ("in/deep/b.wav", "out/deep/b.m4a"), ("in/deep/c.flac", "out/deep/c.m4a")] {
            #expect(try LinnetProgram.run("encode", input, "-b", "64k", "-o", "one.m4a", "--force", folder: folder).exitCode == 0)
            #expect(try bytes(ofFile: folder.path("one.m4a")) == bytes(ofFile: folder.path(output)))
        }
        let lines = try bytes(ofFile: folder.path("r.jsonl")).split(separator: 10).map { try JSONValue(parsing: $0) }
        #expect(lines.count == 3 && lines.allSatisfy { $0["status"]?.text == "done" && $0["sha256"]?.text?.count == 64 })
        let second = try LinnetProgram.run("batch", "in", "-o", "out", "-b", "64k", folder: folder)
        #expect(second.text == "3 encoded, 0 unchanged, 0 failed\n".replacing("3 encoded, 0", with: "0 encoded, 3"))
        let other = try LinnetProgram.run("batch", "in", "-o", "out", "-b", "65k", "--dry-run", folder: folder)
        #expect(other.text.contains("settings   in/deep/b.wav -> out/deep/b.m4a\n"))
    }

    @Test("Outputs in the folder of their inputs are not inputs of the next batch")
    func outputsBesideInputs() throws {
        let folder = try makeFolder()
        func batch(_ words: String) throws -> String {
            let run = try LinnetProgram.shell("linnet batch \(words)", folder: folder)
            #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
            return run.text
        }
        // Outputs whose inputs are elsewhere remain inputs.
        #expect(try batch("in -o lib -f wav").hasPrefix("3 encoded"))
        #expect(try batch("lib -o lib").hasPrefix("3 encoded"))
        #expect(try batch("in -o in").hasPrefix("3 encoded, 0 unchanged, 0 failed"))
        #expect(try batch("in -o ./in") == "0 encoded, 3 unchanged, 0 failed\n")
        #expect(try batch("in -o in -f opus").hasPrefix("3 encoded, 0 unchanged, 0 failed"))
    }

    @Test("A list has settings for each file; bad lines and files fail alone")
    func list() throws {
        let folder = try makeFolder()
        let list = """
            input,output,bitrate,codec,title
            in/a.wav,x/first.aac,64k,,
            in/deep/b.wav,,,opus,A title
            in/none.wav,,,,
            in/deep/c.flac,c.m4a,nonsense,,
            """
        _ = try folder.write(Array(list.utf8), to: "list.csv")
        let run = try LinnetProgram.run("batch", "list.csv", "-o", "out", "--results", "r.jsonl", "--json", folder: folder)
        #expect(run.exitCode == ExitCode.someFailed.rawValue)
        #expect(run.errorText.contains("linnet: list.csv, line 5: invalid --bitrate value 'nonsense'"))
        #expect(run.errorText.contains("linnet: cannot open in/none.wav"))
        let summary = try JSONValue(parsing: run.output)
        #expect(summary["done"]?.integer == 2 && summary["failed"]?.integer == 2)
        let probe = try LinnetProgram.run("probe", "out/x/first.aac", "out/in/deep/b.opus", "--json", folder: folder)
        #expect(probe.exitCode == 0 && probe.text.contains("A title"))
        let lines = try bytes(ofFile: folder.path("r.jsonl")).split(separator: 10).map { try JSONValue(parsing: $0) }
        let codes = Dictionary(lines.map { ($0["input"]?.text ?? "", $0["error"]?["code"]?.integer) }) { first, _ in first }
        #expect(codes["in/none.wav"] == 3 && codes["in/deep/c.flac"] == 2)
        _ = try folder.write(Array("{\"input\": \"none\"}\n".utf8), to: "bad.jsonl")
        #expect(try LinnetProgram.run("batch", "bad.jsonl", "-o", "out", folder: folder).exitCode == ExitCode.allFailed.rawValue)
    }

    @Test("Loudness is changed and stored as by encode")
    func loudness() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 66_150)
        let options = ["--normalize", "-20LUFS", "--true-peak", "-2", "--loudness"]
        let batch = try ProgramRun(LinnetProgram.path, ["batch", "a.wav", "-o", "out"] + options, folder: folder.url)
        #expect(batch.exitCode == 0, "\(batch.errorText)")
        let one = try ProgramRun(LinnetProgram.path, ["encode", "a.wav", "-o", "one.m4a"] + options, folder: folder.url)
        // The message has the loudness of the decoded file.
        #expect(one.exitCode == 0 && ["-19.9 LUFS", "-20.0 LUFS", "-20.1 LUFS"].contains(where: one.text.contains), "\(one.text)")
        #expect(try bytes(ofFile: folder.path("out/a.m4a")) == bytes(ofFile: folder.path("one.m4a")))
    }

    @Test("Cluster lists skip files with invalid settings or duplicate outputs; the results name them")
    func refusedByCluster() throws {
        let folder = try makeFolder()
        let list = "input,output,bitrate\nin/a.wav,a.m4a,64k\nin/deep/b.wav,b.m4a,nonsense\nin/deep/c.flac,a.m4a,\nin/a.wav\n"
        _ = try folder.write(Array(list.utf8), to: "list.csv")
        let run = try LinnetProgram.run("batch", "list.csv", "-o", "out", "--slurm", "--dry-run", folder: folder)
        #expect(run.exitCode == ExitCode.someFailed.rawValue)
        #expect(run.errorText.contains("list.csv, line 3: invalid --bitrate value 'nonsense'"))
        #expect(run.errorText.contains("\(folder.url.path)/out/a.m4a is already the output of \(folder.url.path)/in/a.wav"))
        #expect(run.errorText.contains("list.csv, line 5: 1 field, "))
        let shards = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/.linnet-slurm")).filter { $0.hasPrefix("shard-") }
        let lines = try shards.flatMap { try bytes(ofFile: folder.path("out/.linnet-slurm/" + $0)).split(separator: 10) }
        #expect(try lines.map { try JSONValue(parsing: $0)["input"]?.text } == [folder.url.path + "/in/a.wav"])
        let status = try LinnetProgram.run("batch", "-o", "out", "--status", folder: folder)
        #expect(status.text.hasPrefix("shard 1       unsubmitted 0 of 1 files done"), "\(status)")
        let merged = try LinnetProgram.run("batch", "-o", "out", "--merge", folder: folder)
        #expect(merged.exitCode == ExitCode.allFailed.rawValue && merged.text.contains("3 failed, 1 interrupted"), "\(merged.text)")
        let results = try bytes(ofFile: folder.path("out/.linnet-slurm/results.jsonl")).split(separator: 10).map {
            try JSONValue(parsing: $0)
        }
        #expect(results.compactMap { $0["status"]?.text }.sorted() == ["failed", "failed", "failed", "interrupted"])
        #expect(results.compactMap { $0["error"]?["message"]?.text }.contains { $0.contains("invalid --bitrate value 'nonsense'") })
        #expect(results.compactMap { $0["error"]?["step"]?.text } == ["settings", "settings", "settings"])
    }

    @Test("A cluster task tells apart whether some or all files failed", arguments: ["--contribute --parts parts", "--slurm --dry-run"])
    func failedTasks(options: String) throws {
        let folder = try makeFolder()
        let lines = ["in/deep/b.wav,b.m4a,nonsense", "in/a.wav,a.m4a,64k"]
        for (count, status) in [(1, ExitCode.allFailed), (2, .someFailed)] {
            let list = (["input,output,bitrate"] + lines.prefix(count)).joined(separator: "\n")
            _ = try folder.write(Array(list.utf8), to: "list.csv")
            let run = try LinnetProgram.shell("linnet batch list.csv -o out\(count) \(options)", folder: folder)
            #expect(run.exitCode == status.rawValue, "\(run)")
        }
    }

    @Test("A task in another folder finds the files that options name")
    func taskInOtherFolder() throws {
        let folder = try makeFolder()
        _ = try folder.write(Array("La".utf8), to: "lyrics.txt")
        let run = try LinnetProgram.shell(
            """
            linnet batch in/a.wav -o out --lyrics-file lyrics.txt --slurm --dry-run && script=$PWD/out/.linnet-slurm/task.sh
            (cd / && SLURM_ARRAY_TASK_ID=1 SLURM_RESTART_COUNT=3 bash "$script") && linnet probe out/in/a.m4a
            """, folder: folder)
        #expect(run.exitCode == 0 && run.text.contains("Lyrics:        La"), "\(run.errorText)")
    }

    @Test("The options of a file replace the command line's; its other tags are added")
    func ownOptions() throws {
        let folder = try makeFolder()
        _ = try folder.write(Array("input,artist,tag\nin/a.wav,Own,MOOD=calm\nin/deep/b.wav,,\n".utf8), to: "list.csv")
        let words = ["batch", "list.csv", "-o", "out", "--artist", "All", "--tag", "LABEL=Own"]
        #expect(try ProgramRun(LinnetProgram.path, words, folder: folder.url).exitCode == 0)
        let probe = try LinnetProgram.run("probe", "out/in/a.m4a", "out/in/deep/b.m4a", "--json", folder: folder)
        let tags = try probe.jsonObjects().map { try #require($0["tags"] as? [String: String]) }
        #expect(tags.map { $0["artist"] } == ["Own", "All"] && tags.map { $0["MOOD"] } == ["calm", nil])
        #expect(tags.map { $0["LABEL"] } == ["Own", "Own"])
    }

    @Test("A cluster task without files of its own encodes segments of a shared one; a task stopped before its files is not complete")
    func emptyShards() throws {
        let folder = try TemporaryFolder()
        // Fifteen minutes at 8 kHz.
        try folder.writeSignal("long.wav", frames: 7_200_000, channels: 1, sampleRate: 8000)
        let plan = try LinnetProgram.run(
            "batch", "long.wav", "-o", "out", "-b", "20k", "--slurm", "--array", "2", "--dry-run", folder: folder)
        #expect(plan.text.hasPrefix("not submitted: 2 shards, 1 files shared by all"))
        let script = """
            export SLURM_RESTART_COUNT=3
            cd out/.linnet-slurm
            for SLURM_ARRAY_TASK_ID in 1 2; do (export SLURM_ARRAY_TASK_ID; bash task.sh); echo $?; done
            ls parts/*/*.part | wc -l
            bash finish.sh
            # SIGTERM after the shared files.
            cp shared.jsonl shard-1.jsonl
            sed 's/^stopped=$/stopped=1/' task.sh >late.sh
            SLURM_ARRAY_TASK_ID=1 bash late.sh; echo $?
            """
        let run = try ProgramRun.shell(script, folder: folder.url)
        let lines = run.text.split(separator: "\n")
        #expect(lines.prefix(2) == ["0", "0"] && (Int(lines[2]) ?? 0) > 0 && lines.last == "143", "\(run.text) \(run.errorText)")
        #expect(lines.contains { $0.hasPrefix("1 encoded, 0 unchanged, 0 failed, 0 interrupted") })
        #expect(FileManager.default.fileExists(atPath: folder.path("out/long.m4a")))
    }

    @Test(
        "Invalid command lines are rejected before any work",
        arguments: [
            ["in"], ["-"], ["-", "-o", "out"], ["-o", "out"], ["in", "-o", "out", "-b", "x"], ["in", "-o", "out", "--memory", "0"],
            ["in", "-o", "out", "--noise-limit", "3"],
            ["in", "-o", "out", "--crc"], ["in", "-o", "out", "--codec", "opus", "--profile", "he"],
        ])
    func usage(words: [String]) throws {
        let folder = try makeFolder()
        let run = try ProgramRun(LinnetProgram.path, ["batch"] + words, folder: folder.url)
        #expect(run.exitCode == 2 && run.errorText.hasPrefix("linnet: "))
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }

    @Test("SIGTERM finishes or abandons current files, marks the rest, and ends the program by the signal")
    func termination() throws {
        let folder = try TemporaryFolder()
        for index in 0..<12 { try folder.writeSignal("\(index).wav", frames: 441_000) }
        let script = """
            '\(LinnetProgram.path)' batch . -o out --effort best --jobs 2 --grace 0.2 --results r.jsonl & program=$!
            for i in {1..6000}; do sleep 0.02; [ -s r.jsonl ] && break; done
            kill -TERM $program; wait $program; echo $?
            """
        let run = try ProgramRun.shell(script, folder: folder.url)
        #expect(run.text.hasSuffix("143\n"))
        #expect(run.errorText.contains("linnet: interrupted"))
        let lines = try bytes(ofFile: folder.path("r.jsonl")).split(separator: 10).map { try JSONValue(parsing: $0) }
        #expect(lines.count == 12 && lines.contains { $0["status"]?.text == "interrupted" })
        let outputs = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
        #expect(outputs.filter { $0.hasSuffix(".m4a") }.count == lines.filter { $0["status"]?.text == "done" }.count)
        #expect(outputs.filter { $0.hasPrefix(".linnet-") }.isEmpty)
    }

    @Test("Killed five times and resumed: the bytes of one run, and no complete output is encoded again")
    func killed() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
        for index in 0..<14 { try folder.writeSignal("in/\(index).wav", frames: 20_000 * (index + 1)) }
        let script = """
            run() { exec '\(LinnetProgram.path)' batch in --quiet --effort best --jobs 2 "$@"; }
            whole() { for f in out/*.m4a; do [ -f $f.linnet.json ] && stat -c '%n %i' $f; done | sort; }
            (run -o once) || exit 1
            for wait in 0.3 0.5 0.7 0.4 0.6; do
                run -o out & program=$!
                sleep $wait; kill -KILL $program; wait $program 2>/dev/null
                whole >whole-$wait 2>/dev/null
            done
            (run -o out) || exit 1
            whole >whole-end
            for wait in 0.3 0.5 0.7 0.4 0.6; do [ -z "$(comm -23 whole-$wait whole-end)" ] || exit 2; done
            [ -z "$(find out -name '.linnet-*')" ] || exit 3
            for f in once/*.m4a; do cmp $f out/${f#once/} || exit 4; done
            ls out/*.m4a | wc -l
            """
        let run = try ProgramRun.shell(script, folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(run.text.hasPrefix("14\n"))
    }

    @Test("--prune removes only outputs of missing inputs; --dry-run lists them")
    func prune() throws {
        let folder = try makeFolder()
        #expect(try LinnetProgram.run("batch", "in", "-o", "out", "-b", "64k", folder: folder).exitCode == 0)
        try FileManager.default.moveItem(atPath: folder.path("in/deep/b.wav"), toPath: folder.path("in/deep/d.wav"))
        try FileManager.default.moveItem(atPath: folder.path("in/a.wav"), toPath: folder.path("in/e.wav"))
        // A changed output and an output of another program are the user's own files.
        _ = try folder.write([1, 2, 3], to: "out/a.m4a")
        _ = try folder.write([1, 2, 3], to: "out/own.m4a")
        let before = try folder.contents
        let listed = try LinnetProgram.run("batch", "in", "-o", "out", "-b", "64k", "--prune", "--dry-run", folder: folder)
        #expect(listed.text.contains("stale      out/deep/b.m4a\n") && !listed.text.contains("out/own.m4a"), "\(listed.text)")
        #expect(try folder.contents == before)
        let missing = try LinnetProgram.run("batch", "in", "nowhere.csv", "-o", "out", "-b", "64k", "--prune", folder: folder)
        #expect(missing.exitCode != 0)
        #expect(FileManager.default.fileExists(atPath: folder.path("out/deep/b.m4a")))
        let pruned = try LinnetProgram.run("batch", "in", "-o", "out", "-b", "64k", "--prune", folder: folder)
        #expect(pruned.exitCode == 0 && pruned.text.contains("removed    out/deep/b.m4a\n"), "\(pruned.text)\(pruned.errorText)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).sorted()
        #expect(
            names == [
                "a.m4a", "a.m4a.linnet.json", "deep", "deep/c.m4a", "deep/c.m4a.linnet.json", "deep/d.m4a", "deep/d.m4a.linnet.json",
                "e.m4a", "e.m4a.linnet.json", "own.m4a",
            ])
        #expect(try LinnetProgram.run("batch", "in", "-o", "out", "--prune", "--status", folder: folder).exitCode == 2)
    }

    @Test("A missing source may be a folder, so --prune removes nothing")
    func missingSource() throws {
        let folder = try makeFolder()
        let words = ["batch", "in/deep", "in/a.wav", "-o", "out", "-b", "64k"]
        #expect(try ProgramRun(LinnetProgram.path, words, folder: folder.url).exitCode == 0)
        try FileManager.default.moveItem(atPath: folder.path("in/deep"), toPath: folder.path("gone"))
        let run = try ProgramRun(LinnetProgram.path, words + ["--prune", "--results", "r.jsonl"], folder: folder.url)
        #expect(run.exitCode == ExitCode.someFailed.rawValue && !run.text.contains("removed"), "\(run.text)")
        #expect(run.errorText.contains("cannot open in/deep: No such file or directory"), "\(run.errorText)")
        #expect(run.errorText.contains("nothing is pruned"), "\(run.errorText)")
        #expect(FileManager.default.fileExists(atPath: folder.path("out/b.m4a")))
        let lines = try bytes(ofFile: folder.path("r.jsonl")).split(separator: 10).map { try JSONValue(parsing: $0) }
        #expect(lines.compactMap { $0["error"]?["step"]?.text } == ["open"])
    }

    @Test("Outputs of a list collide in any form of their paths, and must be below the output folder")
    func outputPaths() throws {
        let folder = try makeFolder()
        let outputs = [
            "x/y.m4a", "./x/y.m4a", "z/../x/y.m4a", "x//y.m4a", "\(folder.url.path)/out/x/y.m4a", "../in/y.m4a", "x/../../y.m4a",
            "\(folder.url.path)/y.m4a", "\(folder.url.path)/out/z.m4a", "..",
        ]
        let list = "input,output\n" + outputs.map { "in/a.wav,\($0)\n" }.joined()
        _ = try folder.write(Array(list.utf8), to: "list.csv")
        let run = try LinnetProgram.run("batch", "list.csv", "-o", "./out", folder: folder)
        #expect(run.exitCode == ExitCode.someFailed.rawValue && run.text.hasPrefix("2 encoded, 0 unchanged, 8 failed"), "\(run.text)")
        for path in ["./out/./x/y.m4a", "./out/z/../x/y.m4a", "./out/x//y.m4a", outputs[4]] {
            #expect(run.errorText.contains("\(path) is already the output of in/a.wav\n"), "\(run.errorText)")
        }
        for (line, path) in [(7, outputs[5]), (8, outputs[6]), (9, outputs[7]), (11, "..")] {
            let message = "linnet: list.csv, line \(line): the output \(path) is not below the output folder\n"
            #expect(run.errorText.contains(message), "\(run.errorText)")
        }
        #expect(try folder.contents == ["in", "list.csv", "out"])
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).filter { $0.hasSuffix(".m4a") }.sorted()
        #expect(names == ["x/y.m4a", "z.m4a"])
    }

    @Test("A damaged input is status 6 when it is encoded, and done when the batch is repeated")
    func damagedInput() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 66_150)
        #expect(try LinnetProgram.run("encode", "a.wav", "-o", "a.aac", "--quiet", folder: folder).exitCode == 0)
        var stream = try bytes(ofFile: folder.path("a.aac"))
        for index in stream.count / 2..<stream.count / 2 + 200 { stream[index] = 0x55 }
        _ = try folder.write(stream, to: "a.aac")
        for (exitCode, status) in [(ExitCode.damagedInput, "done"), (.success, "unchanged")] {
            let run = try LinnetProgram.run("batch", "a.aac", "-o", "out", "--results", "r.jsonl", folder: folder)
            #expect(run.exitCode == exitCode.rawValue, "\(run.errorText)")
            let result = try JSONValue(parsing: try bytes(ofFile: folder.path("r.jsonl")))
            #expect(result["status"]?.text == status && result["inputDamaged"] == .bool(true))
        }
    }
}
