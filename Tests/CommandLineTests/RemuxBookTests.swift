// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Joining and splitting without decoding, and splitting by size and silence.
@Suite struct RemuxBookTests {
    /// Returns the samples that FFmpeg decodes.
    private func samples(_ name: String, _ folder: TemporaryFolder) throws -> [UInt8] {
        try ProgramRun.shell("ffmpeg -v error -i '\(name)' -f s16le -", folder: folder.url).output
    }

    @Test("Apple Lossless is joined and split without a changed sample")
    func lossless() throws {
        let folder = try TemporaryFolder()
        for (index, length) in [44_100, 30_001].enumerated() { try folder.writeSignal("part\(index).wav", frames: length) }
        let made = try ProgramRun.shell("for n in 0 1; do ffmpeg -v error -i part$n.wav -c:a alac part$n.m4a; done", folder: folder.url)
        #expect(made.exitCode == 0, "\(made.errorText)")
        let run = try LinnetProgram.shell(
            """
            linnet remux part0.m4a part1.m4a --join -o book.m4b && linnet remux book.m4b -o out --split chapters --format m4a &&
            linnet decode book.m4b -o book.wav && linnet decode 'out/02 part1.m4a' -o two.wav
            """, folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let parts = try ["part0.wav", "part1.wav"].map { try samples($0, folder) }
        #expect(try samples("book.m4b", folder) == parts[0] + parts[1])
        #expect(try samples("book.wav", folder) == parts[0] + parts[1])
        #expect(try samples("two.wav", folder) == parts[1])
    }

    @Test("Parts in a format without tags have no note about numbers that the input does not have")
    func numbers() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 30_000)
        let run = try LinnetProgram.shell(
            "linnet encode a.wav -o a.loas && linnet remux a.loas -o out/ --split 0.3 && linnet convert a.wav -o out/ --split 0.3 -f raw",
            folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let tagged = try LinnetProgram.shell(
            "linnet encode a.wav -o b.m4a --track 3/4 && linnet remux b.m4a -o other/ --split 0.3 -f loas", folder: folder)
        #expect(tagged.exitCode == 0 && tagged.errorText.contains("LOAS is written without the track"), "\(tagged.errorText)")
    }

    @Test("An existing part prevents all others", arguments: ["convert a.wav", "remux a.aac"])
    func existingPart(words: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 30_000)
        #expect(try LinnetProgram.shell("linnet encode a.wav --quiet && mkdir out && touch out/02.m4a", folder: folder).exitCode == 0)
        let split = "linnet \(words) -o out --split 0.3 -f m4a --quiet"
        let refused = try LinnetProgram.shell("\(split); code=$?; ls out; exit $code", folder: folder)
        #expect(refused.exitCode == 7 && refused.text == "02.m4a\n", "\(refused.text)")
        #expect(refused.errorText == "linnet: out/02.m4a already exists; --force overwrites it\n")
        #expect(try LinnetProgram.shell("\(split) --force && ls out", folder: folder).text == "01.m4a\n02.m4a\n03.m4a\n")
    }

    @Test("A join of AAC has the length of its parts for FFmpeg, and a note in ADTS")
    func lengths() throws {
        let folder = try TemporaryFolder()
        for index in 0..<2 { try folder.writeSignal("part\(index).wav", frames: 44_100) }
        let run = try LinnetProgram.shell(
            "linnet encode part0.wav part1.wav -o . -f m4a && linnet remux part0.m4a part1.m4a --join -o whole.m4a", folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let duration = try ProgramRun.shell("ffprobe -v error -show_entries format=duration -of csv=p=0 whole.m4a", folder: folder.url)
        #expect(duration.text.hasPrefix("2.000000"), "\(duration.text)")
        let other = try LinnetProgram.shell("linnet remux part0.m4a part1.m4a --join -o whole.aac", folder: folder)
        #expect(other.exitCode == 0 && other.errorText.contains("ms of priming and padding remain between the parts"), "\(other.errorText)")
    }

    @Test("Files by size and between pauses are the whole", arguments: ["silence", "64K"])
    func pieces(rule: String) throws {
        let folder = try TemporaryFolder()
        let tone = [UInt8](repeating: 0x30, count: 2 * 8000 * 11)
        let samples = tone + [UInt8](repeating: 0, count: 2 * 8000 * 3) + tone
        let format = PCMOutputFormat(.wav, sampleFormat: .int16, sampleRate: 8000, channelCount: 1)
        let writer = try PCMFileWriter(path: folder.path("in.wav"), format: format, overwrites: true)
        try writer.append(bytes: samples)
        try writer.finish()
        let run = try LinnetProgram.run("convert", "in.wav", "-o", "out", "--split", rule, folder: folder)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
        #expect(names.count == (rule == "silence" ? 2 : 7))
        let parts = try names.map { try bytes(ofFile: folder.path("out/" + $0)) }
        #expect(rule == "silence" || parts.allSatisfy { $0.count <= 65_536 })
        #expect(try names.flatMap { try self.samples("out/" + $0, folder) } == samples)
    }

    @Test("An empty input is one empty part", arguments: ["0.5", "silence", "64K"])
    func empty(rule: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 0)
        let run = try LinnetProgram.shell(
            """
            linnet convert a.wav -o out/ --split \(rule) && linnet encode a.wav -o a.m4a && linnet remux a.m4a -o out/ --split \(rule) &&
            linnet decode out/01.m4a -o b.wav && ls out
            """, folder: folder)
        #expect(run.exitCode == 0 && run.text.hasSuffix("01.m4a\n01.wav\n"), "\(run.text)\(run.errorText)")
        for name in ["out/01.wav", "b.wav"] { #expect(try RecordedFile.samples(folder.path(name)).isEmpty) }
    }

    @Test(
        "Requests that cannot be fulfilled name the remedy",
        arguments: [
            ("convert a.wav -o out --format m4a --split 1M", 2, "then linnet remux FILE -o FOLDER --split 1M"),
            ("remux a.m4a b.m4a --join", 2, "use -o FILE"), ("remux a.m4a - --join -o x.m4a", 2, "needs files"),
            ("remux a.m4a b.m4a --join -o x.m4a", 10, "linnet convert --join decodes and encodes"),
            ("remux a.m4a b.m4a --split 10 -o out", 2, "--split needs one input file"),
            ("remux a.m4a --split chapters -o out", 2, "no chapters in a.m4a"),
            ("remux a.m4a --split 10 -o b.m4a", 2, "--split needs an output folder; b.m4a is a file name, b.m4a/ a folder"),
            ("convert a.m4a --split 10 -o b.flac", 2, "--split needs an output folder; b.flac is a file name, b.flac/ a folder"),
        ])
    func refused(words: String, exitCode: Int, text: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 5000)
        let made = try LinnetProgram.shell("linnet encode a.wav -o a.m4a && linnet encode a.wav -r 32000 -o b.m4a", folder: folder)
        #expect(made.exitCode == 0, "\(made.errorText)")
        let run = try LinnetProgram.shell("linnet " + words, folder: folder)
        #expect(Int(run.exitCode) == exitCode && run.errorText.contains(text), "\(run.errorText)")
    }
}
