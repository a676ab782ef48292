// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import JSONText
import TestSupport
import Testing

/// `linnet batch` to lossless formats.
@Suite struct BatchFormatTests {
    /// Creates a folder of a WAV file, a FLAC file with tags and a chapter, and an AAC file.
    private func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("in/deep"), withIntermediateDirectories: true)
        try folder.writeSignal("in/a.wav", frames: 11_025, sampleFormat: .int24)
        let made = try LinnetProgram.shell(
            """
            printf '0:00 One\\n0:00.2 Two\\n' >chapters.txt
            linnet convert in/a.wav -o in/deep/b.flac --title B --artist "Ä" --chapters chapters.txt --quiet
            linnet encode in/a.wav -o in/deep/c.m4a --title C --quiet
            """, folder: folder)
        #expect(made.exitCode == 0 && made.errorText.isEmpty, "\(made.errorText)")
        return folder
    }

    @Test("A batch has the bytes of convert; a second run skips all files", arguments: ["flac", "wav", "aiff", "oga"])
    func lossless(type: String) throws {
        let folder = try makeFolder()
        let words = ["in", "-o", "out", "-f", type, "--verify", "--results", "r.jsonl"]
        let first = try ProgramRun(LinnetProgram.path, ["batch"] + words, folder: folder.url)
        #expect(first.exitCode == 0 && first.text.hasPrefix("3 encoded, 0 unchanged, 0 failed"), "\(first.text)\(first.errorText)")
        for name in ["a.wav", "deep/b.flac", "deep/c.m4a"] {
            let one = try LinnetProgram.run("convert", "in/\(name)", "-o", "one.\(type)", "--force", "--quiet", folder: folder)
            #expect(one.exitCode == 0, "\(one.errorText)")
            let output = String(name.prefix { $0 != "." }) + "." + type
            #expect(try bytes(ofFile: folder.path("one.\(type)")) == bytes(ofFile: folder.path("out/\(output)")), "\(name)")
        }
        let lines = try bytes(ofFile: folder.path("r.jsonl")).split(separator: 10).map { try JSONValue(parsing: $0) }
        #expect(lines.count == 3 && lines.allSatisfy { $0["codec"]?.text == "PCM" && $0["bitRate"] == nil })
        #expect(lines.allSatisfy { $0["measures"]?["frames"]?.integer == 11_025 })
        let second = try ProgramRun(LinnetProgram.path, ["batch"] + words, folder: folder.url)
        #expect(second.text == "0 encoded, 3 unchanged, 0 failed\n")
    }

    @Test("Sample formats and paths in a list choose lossless outputs, and options of lossy codecs fail")
    func options() throws {
        let folder = try makeFolder()
        let list =
            "input,output,sample-format,codec,bitrate\nin/a.wav,x.flac,s16,,\nin/a.wav,y.m4a,s24,alac,\nin/a.wav,z.wav,,,64k\n"
            + "in/a.wav,u.m4a,s16,,\n"
        _ = try folder.write(Array(list.utf8), to: "list.csv")
        let run = try LinnetProgram.run("batch", "list.csv", "-o", "out", folder: folder)
        #expect(run.exitCode == 14 && run.text.hasPrefix("2 encoded, 0 unchanged, 2 failed"), "\(run.text)")
        #expect(run.errorText.contains("list.csv, line 4: --bitrate does not apply to WAV, which is lossless"), "\(run.errorText)")
        #expect(run.errorText.contains("line 5: --sample-format applies to WAV, AIFF, FLAC and Apple Lossless"), "\(run.errorText)")
        let probe = try LinnetProgram.run("probe", "out/x.flac", "out/y.m4a", folder: folder)
        #expect(probe.text.contains("16 bits") && probe.text.contains("24 bits"), "\(probe.text)")
        for words in [["-q", "40"], ["--preset", "speech"], ["--complexity", "3"], ["--crc"], ["--codec", "aac"]] {
            let refused = try ProgramRun(LinnetProgram.path, ["batch", "in", "-o", "no", "-f", "flac"] + words, folder: folder.url)
            #expect(refused.exitCode == 2 && refused.errorText.contains("does not apply to FLAC"), "\(refused.errorText)")
        }
    }
}
