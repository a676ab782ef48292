// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import TestSupport
import Testing

/// Encoded files that end too early.
@Suite struct CutInputTests {
    @Test("A WAV file that is cut off in its format chunk is named as such", arguments: [20, 24, 35])
    func formatChunk(size: Int) throws {
        let folder = try TemporaryFolder()
        let header = Array("RIFF....WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 2, 0] + [UInt8](repeating: 0, count: 12)
        _ = try folder.write(Array(header.prefix(size)), to: "cut.wav")
        let run = try LinnetProgram.run("convert", "cut.wav", "-o", "b.flac", folder: folder)
        let message = "linnet: the header of cut.wav is invalid: the file is cut off in the fmt chunk, at byte \(size)\n"
        #expect(run.exitCode == 6 && run.errorText == message, "\(run.errorText)")
    }

    @Test("A file cut between access units is damaged in all commands")
    func betweenUnits() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 30_000)
        #expect(try LinnetProgram.run("encode", "--quiet", "a.wav", "-o", "a.m4a", folder: folder).exitCode == 0)
        let whole = try bytes(ofFile: folder.path("a.m4a"))
        var reader = try MP4Reader(MemorySource(whole))
        var ends: [Int] = []
        while let event = try reader.nextEvent() {
            if case .accessUnit(let unit) = event { ends.append(unit.byteRange.upperBound) }
        }
        _ = try folder.write(Array(whole[..<ends[19]]), to: "cut.m4a")
        let missing = ends.count - 20
        for words in [["decode", "-o", "b.wav"], ["convert", "-o", "b.flac"], ["remux", "-o", "b.aac"], ["encode", "-o", "c.aac"]] {
            let run = try ProgramRun(LinnetProgram.path, words + ["cut.m4a"], folder: folder.url)
            #expect(run.exitCode == 6, "\(words)")
            #expect(
                words[0] == "encode"
                    ? run.errorText.contains("cut.m4a is damaged: \(missing) damaged or missing access units\n")
                    : run.errorText.contains("\(missing) access units of cut.m4a are missing: the file is cut off or its index is"),
                "\(run.errorText)")
        }
        let probe = try LinnetProgram.run("probe", "cut.m4a", folder: folder)
        #expect(probe.exitCode == 6)
        #expect(probe.text.contains("Damage:        byte \(ends[19]), at"))
        #expect(probe.text.contains("s: \(missing) access units after the end of the audio\n"))
    }

    @Test("A false packet size in a complete CAF file is named as a possible reason")
    func falsePacketSize() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 30_000)
        #expect(try LinnetProgram.run("encode", "--quiet", "a.wav", "-o", "a.caf", folder: folder).exitCode == 0)
        var file = try bytes(ofFile: folder.path("a.caf"))
        // The sizes of the packets follow a chunk header and a table header. The first of two bytes becomes 16383.
        let table = try #require(file.indices.last { file[$0...].starts(with: "pakt".utf8) })
        let size = try #require((table + 36..<file.count - 1).first { file[$0] & 0x80 != 0 })
        (file[size], file[size + 1]) = (0xFF, 0x7F)
        _ = try folder.write(file, to: "b.caf")
        let run = try LinnetProgram.run("decode", "b.caf", folder: folder)
        #expect(run.exitCode == 6)
        #expect(run.errorText.contains("of b.caf are missing: the file is cut off or its index is damaged\n"), "\(run.errorText)")
    }

    @Test("A cut Ogg page is damage")
    func page() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 192_000, channels: 1, sampleRate: 48_000)
        #expect(try LinnetProgram.run("encode", "--quiet", "a.wav", "-o", "a.opus", folder: folder).exitCode == 0)
        _ = try folder.write(Array(try bytes(ofFile: folder.path("a.opus")).dropLast(500)), to: "cut.opus")
        let run = try LinnetProgram.run("decode", "cut.opus", folder: folder)
        #expect(run.exitCode == 6)
        #expect(run.errorText.contains("bytes of cut.opus outside access units"))
    }

    @Test(
        "Access units lost in damaged bytes are concealed, so that later ones keep their time", arguments: ["aac", "loas", "opus", "ts"])
    func lostUnits(format: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 300_000, channels: 1, sampleRate: 48_000)
        #expect(try LinnetProgram.run("encode", "--quiet", "a.wav", "-b", "64k", "-o", "a.\(format)", folder: folder).exitCode == 0)
        var file = try bytes(ofFile: folder.path("a.\(format)"))
        var random = SeededRandom(seed: 11)
        for index in file.count / 2..<file.count / 2 + 2000 { file[index] = UInt8.random(in: 0...255, using: &random) }
        _ = try folder.write(file, to: "b.\(format)")
        for name in ["a", "b"] {
            let run = try LinnetProgram.run("decode", "\(name).\(format)", "-o", "\(name)2.wav", folder: folder)
            #expect(run.exitCode == (name == "a" ? 0 : 6))
            #expect(name == "a" || run.errorText.contains("missing access units of b.\(format)\n"), "\(run.errorText)")
        }
        let (whole, damaged) = (try bytes(ofFile: folder.path("a2.wav")), try bytes(ofFile: folder.path("b2.wav")))
        // Ogg has a count; elsewhere the mean size of access units gives it within two units.
        #expect(abs(whole.count - damaged.count) <= (format == "opus" ? 0 : 2 * 2048))
        if format == "opus" { #expect(whole.suffix(96_000) == damaged.suffix(96_000)) }
    }

    @Test("AAC in CAF that is cut off before its packet table is decoded, but not copied")
    func halfCAF() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 200_000)
        #expect(try LinnetProgram.run("encode", "--quiet", "a.wav", "-o", "a.caf", folder: folder).exitCode == 0)
        let whole = try bytes(ofFile: folder.path("a.caf"))
        _ = try folder.write(Array(whole[..<(whole.count / 2)]), to: "half.caf")
        for words in [["decode", "-o", "b.wav"], ["convert", "-o", "c.wav"], ["encode", "-o", "c.m4a"]] {
            let run = try ProgramRun(LinnetProgram.path, words + ["half.caf"], folder: folder.url)
            #expect(run.exitCode == 6, "\(words): \(run.errorText)")
        }
        #expect((80_000..<130_000).contains(try bytes(ofFile: folder.path("b.wav")).count / 4))
        #expect(try LinnetProgram.run("probe", "--frames", "half.caf", folder: folder).text.split(separator: "\n").count > 80)
        for words in [["remux", "half.caf", "copy.m4a"], ["gain", "half.caf", "--gain", "2", "-o", "copy.caf"]] {
            let copy = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
            let message = "half.caf is damaged: it is cut off before its packet table; decode and re-encode it\n"
            #expect(copy.exitCode == 6 && copy.errorText.hasSuffix(message), "\(copy.errorText)")
        }
    }
}
