// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// Damaged and cut PCM, FLAC and MP3 files: all decodable audio, a line about missing parts, and exit status 6.
@Suite struct DamagedInputTests {
    /// Sample frames per file.
    private static let frames = 200_000

    /// Returns a folder with intact files, damaged ones (`d.…`) and cut ones (`c.…`).
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: Self.frames)
        let run = try ProgramRun.shell("flac -s --blocksize=4096 a.wav -o a.flac && lame --quiet -b 128 a.wav a.mp3", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        for name in ["flac", "mp3", "wav"] {
            var bytes = try bytes(ofFile: folder.path("a." + name))
            _ = try folder.write(Array(bytes.prefix(bytes.count * 2 / 3)), to: "c." + name)
            var random = SeededRandom(seed: 4)
            for index in bytes.count / 2..<bytes.count / 2 + 3000 { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            _ = try folder.write(bytes, to: "d." + name)
        }
        return folder
    }

    /// Returns the frames of a WAV file of 16 or 32 bits and two channels.
    private func frameCount(_ folder: TemporaryFolder, _ name: String) throws -> Int {
        let run = try ProgramRun.shell("soxi -s \(name) 2>/dev/null", folder: folder.url)
        return Int(run.text.split(separator: "\n").first ?? "") ?? -1
    }

    @Test("encode and convert keep the length of a damaged file", arguments: ["d.flac", "d.mp3"])
    func damaged(name: String) throws {
        let folder = try folder()
        for words in [["convert", name, "-o", "out.wav"], ["encode", name, "-o", "out.m4a"], ["convert", name, "-o", "out2.m4a"]] {
            let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
            #expect(run.exitCode == 6, "\(words)")
            #expect(run.errorText.hasPrefix("linnet: warning: \(name) is damaged: ") && run.errorText.contains("are lost and silent"))
            #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
            #expect(run.text.contains("\(Self.frames) frames"), "\(run.text)")
        }
        #expect(try frameCount(folder, "out.wav") == Self.frames)
    }

    @Test("encode and convert read a cut file to its end", arguments: ["c.flac", "c.mp3", "c.wav"])
    func cut(name: String) throws {
        let folder = try folder()
        for words in [["convert", name, "-o", "out.wav"], ["encode", name, "-o", "out.m4a"]] {
            let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
            #expect(run.exitCode == 6, "\(words)")
            #expect(run.errorText.contains("warning: \(name) ends after "), "\(run.errorText)")
            #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
        }
        #expect((Self.frames / 2..<Self.frames * 3 / 4).contains(try frameCount(folder, "out.wav")))
    }

    /// Writes an HE-AAC file in ADTS with one invalid bit in the SBR data of its first access unit.
    ///
    /// - Returns: The number of access units without a high band.
    private func writeWithoutHighBand(_ folder: TemporaryFolder) throws -> Int {
        try folder.writeSignal("a.wav", frames: 8000)
        _ = try LinnetProgram.run("encode", "a.wav", "-o", "a.aac", "--profile", "he", "-b", "48k", "-y", folder: folder)
        var bytes = try bytes(ofFile: folder.path("a.aac"))
        let length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
        let decoder = try AACDecoder(AudioSpecificConfig(sampleRate: 22_050, channelConfiguration: ChannelConfiguration(rawValue: 2)))
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        // SBR data is the last element of an access unit.
        let bit = (56..<8 * length).reversed().first { bit in
            var unit = Array(bytes[7..<length])
            unit[bit / 8 - 7] ^= 0x80 >> UInt8(bit % 8)
            decoder.reset()
            let result = decoder.decode(unit.span, into: &buffer)
            return result.damage == nil && result.lacksHighBand
        }
        let found = try #require(bit)
        bytes[found / 8] ^= 0x80 >> UInt8(found % 8)
        _ = try folder.write(bytes, to: "a.aac")
        let file = try FileDecoder(bytes: bytes)
        while try file.next() != nil {}
        #expect(file.statistics.damagedUnitCount == 0 && !file.statistics.isIntact)
        return file.statistics.highBandLossCount
    }

    @Test("Undecodable high bands are counted in text and JSON")
    func highBand() throws {
        let folder = try TemporaryFolder()
        let count = try writeWithoutHighBand(folder)
        try #require(count > 0)
        let text = "lost the high band and any parametric stereo"
        for words in [["decode", "a.aac", "-o", "out.wav"], ["convert", "a.aac", "-o", "out2.wav"], ["probe", "--check", "a.aac"]] {
            let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
            #expect(run.exitCode == 6 && (run.errorText + run.text).contains(text), "\(words): \(run.errorText)")
            let json = try ProgramRun(LinnetProgram.path, words + ["--json"] + (words[0] == "probe" ? [] : ["-y"]), folder: folder.url)
            #expect(try json.jsonObjects().first?["highBandLosses"] as? Int == count, "\(json.text)")
        }
    }

    @Test("probe lists damaged parts of PCM by their positions in JSON", arguments: ["d.flac", "d.mp3"])
    func probe(name: String) throws {
        let run = try LinnetProgram.run("probe", "--check", "--json", name, folder: try folder())
        #expect(run.exitCode == 6)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
        let parts = try #require(object["damage"] as? [[String: Any]])
        #expect(object["isChecked"] as? Bool == true && !parts.isEmpty, "\(run.text)")
        // The damage is in the middle of the file.
        let seconds = try #require(parts.first?["seconds"] as? Double)
        #expect((1.5..<3).contains(seconds), "\(parts)")
    }

    @Test("batch, report and compare report it as well")
    func others() throws {
        let folder = try folder()
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: folder.path("d.flac"), toPath: folder.path("in/d.flac"))
        let batch = try LinnetProgram.run("batch", "in", "-o", "out", folder: folder)
        #expect(batch.exitCode == 6 && batch.errorText.contains("warning: in/d.flac is damaged: "))
        #expect(batch.text.contains("1 encoded, 0 unchanged, 0 failed, 1 from damaged inputs"), "\(batch.text)")
        let report = try LinnetProgram.run("report", "in/d.flac", "-o", "r.html", folder: folder)
        #expect(report.exitCode == 6 && report.errorText.contains("warning: in/d.flac is damaged: "))
        #expect(try String(contentsOfFile: folder.path("r.html"), encoding: .utf8).contains("<h3>Damage</h3>"))
        let compare = try LinnetProgram.run("compare", "a.flac", "in/d.flac", folder: folder)
        #expect(compare.exitCode == 6 && compare.errorText.contains("warning: in/d.flac is damaged: "))
    }
}
