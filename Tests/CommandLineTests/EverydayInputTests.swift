// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Inputs that users pass by mistake, through a pipe, or with texts of other programs.
@Suite struct EverydayInputTests {
    @Test(
        "A file without audio is named by its kind",
        arguments: [
            ("FF D8 FF E0", "a JPEG picture"), ("89 50 4E 47", "a PNG picture"), ("25 50 44 46", "a PDF document"),
            ("50 4B 03 04", "a ZIP archive"), ("0A 3C 21 44 4F 43 54 59 50 45 20 48 54 4D 4C", "an HTML page"),
            ("23 45 58 54 4D 33 55", "a playlist"), ("", "empty"),
        ], ["probe a.bin", "decode a.bin", "encode a.bin", "convert a.bin -o b.wav", "remux a.bin b.aac"])
    func kinds(file: (bytes: String, kind: String), words: String) throws {
        let folder = try TemporaryFolder()
        let front = file.bytes.split(separator: " ").compactMap { UInt8($0, radix: 16) }
        _ = try folder.write(front.isEmpty ? [] : front + [UInt8](repeating: 0x20, count: 500), to: "a.bin")
        let run = try LinnetProgram.shell("linnet \(words)", folder: folder)
        #expect(run.exitCode == 5 && run.errorText == "linnet: no audio in a.bin: it is \(file.kind)\n", "\(run.errorText)")
    }

    @Test("A WAV file without samples says so")
    func noDataChunk() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 10)
        _ = try folder.write(Array(try bytes(ofFile: folder.path("a.wav")).prefix(36)), to: "b.wav")
        let run = try LinnetProgram.run("convert", "b.wav", "-o", "c.wav", folder: folder)
        #expect(run.errorText == "linnet: the header of b.wav is invalid: no data chunk up to byte 36\n")
    }

    @Test("24 valid bits in 32 are not rounded to 24 bits", arguments: [24, 32])
    func validBits(count: UInt8) throws {
        let folder = try TemporaryFolder()
        let format: [UInt8] = [0xFE, 0xFF, 1, 0, 0x80, 0xBB, 0, 0, 0, 0xEE, 2, 0, 4, 0, 32, 0, 22, 0, count, 0, 4, 0, 0, 0]
        let guid: [UInt8] = [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        var file = Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0x7F]
        file += Array("WAVEfmt ".utf8) + [40, 0, 0, 0]
        file += format
        file += guid
        // 4800 frames of 4 bytes.
        file += Array("data".utf8) + [0x00, 0x4B, 0, 0]
        for frame in 0..<4800 { file += [0, UInt8(frame & 0x7F), UInt8(frame >> 7 & 0x7F), 0] }
        _ = try folder.write(file, to: "a.wav")
        let run = try LinnetProgram.run("convert", "a.wav", "-o", "b.flac", folder: folder)
        #expect(run.exitCode == 0 && run.errorText.contains("samples are rounded") == (count == 32), "\(run.errorText)")
        let probe = try LinnetProgram.run("probe", "a.wav", folder: folder)
        #expect(probe.text.contains(count == 24 ? "24 valid bits in 32" : "32 bits\n"), "\(probe.text)")
    }

    @Test("Probe describes PCM from a pipe by reading all of it", arguments: ["a.wav", "a.flac", "a.aiff"])
    func pipe(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal(name, frames: 4410)
        let run = try LinnetProgram.shell("cat \(name) | linnet probe - --json", folder: folder)
        let report = try #require(try run.jsonObjects().first)
        let size = try bytes(ofFile: folder.path(name)).count
        #expect(report["frames"] as? Int == 4410 && report["bytes"] as? Int == size)
        let text = try LinnetProgram.shell("cat \(name) | linnet probe -", folder: folder)
        #expect(text.exitCode == 0 && text.text.hasPrefix("File:          standard input\n"), "\(text.errorText)")
    }

    @Test("WAV over 4 GiB with a pipe's size has the length of the file")
    func longWave() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 10)
        let file = try bytes(ofFile: folder.path("a.wav"))
        let name = try #require(file.indices.first { file[$0...].starts(with: "data".utf8) })
        let path = try folder.write(file[..<(name + 4)] + [0xFF, 0xFF, 0xFF, 0xFF], to: "b.wav")
        try #require(truncate(path, off_t(name + 8 + 4 * 1_500_000_000)) == 0)
        let run = try LinnetProgram.run("probe", "b.wav", "--json", folder: folder)
        #expect(try run.jsonObjects().first?["frames"] as? Int == 1_500_000_000, "\(run.errorText)")
    }

    @Test(
        "Encrypted audio is named without advice that does not help",
        arguments: [("drms", " (FairPlay)"), ("aavd", " (Audible)"), ("enca", "")])
    func encrypted(code: String, name: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4410)
        #expect(try LinnetProgram.run("encode", "a.wav", "-o", "a.m4a", folder: folder).exitCode == 0)
        let file = try bytes(ofFile: folder.path("a.m4a"))
        let place = try #require(file.indices.dropLast(4).first { Array(file[$0..<$0 + 4]) == Array("mp4a".utf8) })
        _ = try folder.write(file[..<place] + Array(code.utf8) + file[(place + 4)...], to: "b.m4a")
        let run = try LinnetProgram.run("decode", "b.m4a", folder: folder)
        #expect(run.exitCode == 12 && run.errorText == "linnet: b.m4a is encrypted\(name) and cannot be decoded without its key\n")
    }

    @Test("Report warns of a reference that has nothing in common with a file, or cannot be compared")
    func unrelatedReference() throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: 5)
        for name in ["a", "b"] {
            let noise = (0..<96_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = try folder.write(noise, to: name + ".raw")
            let raw = try LinnetProgram.run("convert", "--raw", "s16le,48000,1", name + ".raw", "-o", name + ".wav", folder: folder)
            #expect(raw.exitCode == 0, "\(raw.errorText)")
        }
        let run = try LinnetProgram.run("report", "--reference", "a.wav", "b.wav", "-o", "r.html", folder: folder)
        #expect(run.exitCode == 0 && run.errorText == "linnet: warning: b.wav and the reference have nothing in common\n")
        #expect(try LinnetProgram.run("convert", "b.wav", "-c", "2", "-o", "c.wav", folder: folder).exitCode == 0)
        let other = try LinnetProgram.run("report", "--reference", "a.wav", "c.wav", "-o", "s.html", folder: folder)
        #expect(other.errorText.hasPrefix("linnet: warning: cannot compare c.wav with the reference: "), "\(other.errorText)")
        let same = try LinnetProgram.run("report", "--reference", "a.wav", "a.wav", "-o", "t.html", folder: folder)
        #expect(same.exitCode == 0 && same.errorText.isEmpty, "\(same.errorText)")
    }

    @Test(
        "Chapters after the end are noted",
        arguments: ["encode a.wav -o b.m4a", "convert a.wav -o b.flac", "remux a.m4a b.m4a", "remux he.m4a b.m4a"])
    func lateChapters(words: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 88_200)
        let encoding = "linnet encode a.wav -o a.m4a && linnet encode a.wav -o he.m4a --profile he -b 48k"
        #expect(try LinnetProgram.shell(encoding, folder: folder).exitCode == 0)
        _ = try folder.write(Array("0:00 A\n0:01 B\n0:03 C\n".utf8), to: "c.txt")
        let run = try LinnetProgram.shell("linnet \(words) --chapters c.txt", folder: folder)
        #expect(run.exitCode == 0 && run.errorText.hasPrefix("linnet: note: 1 chapter starts after the end of b."), "\(run.errorText)")
    }

    @Test("A list of chapters in Latin-1 is read, with a note unless --quiet is given, and a title that is not UTF-8 is refused")
    func otherEncodings() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4410)
        _ = try folder.write(Array("0:00 Gr".utf8) + [0xFC, 0xDF, 0x65, 0x0A], to: "c.txt")
        let run = try LinnetProgram.run("encode", "a.wav", "-o", "b.m4a", "--chapters", "c.txt", folder: folder)
        #expect(run.errorText == "linnet: note: c.txt is not UTF-8; read as Latin-1\n")
        let quiet = try LinnetProgram.run("encode", "a.wav", "-o", "d.m4a", "--chapters", "c.txt", "--quiet", folder: folder)
        #expect(quiet.exitCode == 0 && quiet.errorText.isEmpty, "\(quiet.errorText)")
        #expect(try LinnetProgram.run("probe", "b.m4a", folder: folder).text.contains("00:00:00.000 Grüße\n"))
        let title = try LinnetProgram.shell("linnet encode a.wav -o c.m4a --title $'a\\xffb'", folder: folder)
        #expect(title.exitCode == 2 && title.errorText.contains("it is not UTF-8"), "\(title.errorText)")
    }

    @Test("Probe names tags in words, and kinds of pictures")
    func tagNames() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 4410)
        _ = try folder.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 20), to: "p.png")
        let run = try LinnetProgram.shell(
            "linnet convert a.wav -o b.flac --album-artist X --tag MOVEMENTNAME=M --tag ISRC=I --tag ALBUMARTISTSORT=S "
                + "--picture back=p.png",
            folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let text = try LinnetProgram.run("probe", "b.flac", folder: folder).text
        #expect(text.contains("Album artist:  X\n") && text.contains("Movement name: M\n"), "\(text)")
        #expect(text.contains("ISRC:          I\n"), "\(text)")
        #expect(text.contains("Album artist sort: S\n") && text.contains("Picture:       back cover, image/png"), "\(text)")
    }
}
