// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Valid and unrecognisable inputs in one command.
@Suite struct MixedInputTests {
    @Test("Files encoded among hundreds of unrecognisable ones have the bytes of encoding them alone")
    func goodAmongUnrecognisable() throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 1200)
        let lengths = (0..<24).map { _ in Int.random(in: 5000...40_000, using: &random) }
        for (index, frames) in lengths.enumerated() {
            // FLAC goes through libsndfile, WAV does not.
            try folder.writeSignal(index % 2 == 0 ? "good\(index).flac" : "good\(index).wav", frames: frames)
        }
        for index in 0..<400 {
            let size = Int.random(in: 1...6000, using: &random)
            _ = try folder.write((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }, to: "bad\(index).wav")
        }
        let alone = try LinnetProgram.shell(
            "mkdir alone together && for file in good*; do linnet encode --quiet --threads 1 $file -o alone/ || exit; done", folder: folder)
        #expect(alone.exitCode == 0 && alone.errorText.isEmpty)
        // The names are sorted so that every thread gets both kinds.
        let together = try LinnetProgram.shell(
            "linnet encode --quiet --threads 8 --jobs 8 $(ls good* bad* | sort -t d -k 2 -V) -o together/", folder: folder)
        #expect(together.exitCode != 0)
        #expect(together.errorText.split(separator: "\n").filter { $0.contains("bad") }.count == 400)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("alone")).sorted()
        #expect(names.count == 24)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("together")).sorted() == names)
        for name in names {
            #expect(try bytes(ofFile: folder.path("together/\(name)")) == bytes(ofFile: folder.path("alone/\(name)")), "\(name)")
        }
    }

    @Test(
        "AAC after a tag of any length is read by every subcommand, from a file and from a pipe",
        arguments: [100, 32_758, 65_000, 65_526, 70_000, 3_000_000])
    func longTag(byteCount: Int) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 8000)
        #expect(try LinnetProgram.run("encode", "a.wav", "-o", "plain.aac", folder: folder).exitCode == 0)
        let tag =
            Array("ID3".utf8) + [4, 0, 0] + [21, 14, 7, 0].map { UInt8(byteCount >> $0 & 0x7F) } + [UInt8](repeating: 0, count: byteCount)
        let stream = try bytes(ofFile: folder.path("plain.aac"))
        _ = try folder.write(tag + stream, to: "a.aac")
        // Also a tag before a tag, up to the maximum length inside of a stream.
        _ = try folder.write((byteCount < 1 << 20 ? tag : []) + tag + stream, to: "b.aac")
        let script = """
            linnet decode plain.aac -o plain.wav --quiet
            for file in a b; do
              linnet decode $file.aac -o $file-decode.wav --quiet && linnet convert $file.aac -o $file-convert.wav --quiet &&
              linnet convert - -o $file-pipe.wav --quiet <$file.aac && cat $file.aac | linnet convert - -o $file-cat.wav --quiet &&
              linnet encode $file.aac -q 40 -o $file-file.aac --quiet && cat $file.aac | linnet encode - -q 40 -o $file-cat.aac --quiet &&
              linnet probe $file.aac >/dev/null && cat $file.aac | linnet probe - >/dev/null || exit
            done
            """
        let run = try LinnetProgram.shell(script, folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let plain = try RecordedFile.samples(folder.path("plain.wav"))
        for file in ["a", "b"] {
            #expect(try RecordedFile.samples(folder.path(file + "-decode.wav")) == plain)
            let converted = try bytes(ofFile: folder.path(file + "-convert.wav"))
            #expect(try bytes(ofFile: folder.path(file + "-pipe.wav")) == converted)
            #expect(try bytes(ofFile: folder.path(file + "-cat.wav")) == converted)
            #expect(try bytes(ofFile: folder.path(file + "-cat.aac")) == bytes(ofFile: folder.path(file + "-file.aac")))
        }
    }

    @Test(
        "MPEG audio in a transport stream is read from files and pipes, and named by AAC-only commands",
        arguments: ["mp2", "libmp3lame"])
    func transportStream(codec: String) throws {
        try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 22_050)
        let script = """
            ffmpeg -v error -i in.wav -c:a \(codec) a.ts && linnet convert a.ts -o a.wav --quiet && cat a.ts | linnet convert - -o b.wav --quiet &&
            linnet encode a.ts -q 40 -o a.aac --quiet && cat a.ts | linnet encode - -q 40 -o b.aac --quiet && linnet probe a.ts
            """
        let run = try LinnetProgram.shell(script, folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty && run.text.contains("MPEG-TS (MPEG audio)"), "\(run.errorText)")
        #expect(try RecordedFile.samples(folder.path("a.wav")).count >= 2 * 22_050)
        #expect(try bytes(ofFile: folder.path("a.wav")) == bytes(ofFile: folder.path("b.wav")))
        #expect(try bytes(ofFile: folder.path("a.aac")) == bytes(ofFile: folder.path("b.aac")))
        for words in [["decode", "a.ts"], ["remux", "a.ts", "-o", "c.m4a"]] {
            let refusal = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
            #expect(refusal.exitCode == 5 && refusal.errorText.hasSuffix("linnet convert reads it\n"), "\(refusal.errorText)")
        }
    }
}
