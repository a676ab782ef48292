// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The exit status of each subcommand for the same file.
@Suite struct ExitStatusTests {
    /// A file with the status of subcommands that read any audio, and of those that read access units only.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let status: Int32
        var unitStatus: Int32?
        /// Creates the file from `good.wav`, `good.m4a` and `good.flac`.
        let make: @Sendable (TemporaryFolder) throws -> Void
        var testDescription: String { name }
    }

    /// Writes the first bytes of a file to another one.
    private static func cut(_ original: String, to count: Int, as name: String, _ folder: TemporaryFolder) throws {
        _ = try folder.write(Array(try bytes(ofFile: folder.path(original)).prefix(count)), to: name)
    }

    /// Runs FFmpeg.
    private static func ffmpeg(_ words: String, _ folder: TemporaryFolder) throws {
        try ProgramRun.require("ffmpeg")
        let run = try ProgramRun.shell("ffmpeg -v error -nostdin \(words)", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
    }

    static let cases = [
        Case(name: "none.wav", status: 3) { _ in },
        Case(name: "empty.bin", status: 5) { _ = try $0.write([], to: "empty.bin") },
        Case(name: "text.txt", status: 5) { _ = try $0.write(Array("no audio\n".utf8), to: "text.txt") },
        Case(name: "film.mkv", status: 0, unitStatus: 12) { try ffmpeg("-i good.wav -c:a libvorbis film.mkv", $0) },
        Case(name: "ac3.mp4", status: 12) { try ffmpeg("-i good.wav -c:a ac3 ac3.mp4", $0) },
        Case(name: "silent.mp4", status: 12) { try ffmpeg("-f lavfi -i testsrc=d=0.2:s=64x64 -c:v mpeg4 silent.mp4", $0) },
        Case(name: "als.m4a", status: 12) { folder in
            // The AAC-LC configuration becomes MPEG-4 ALS: object type 31, and 36 - 32 in six bits.
            try ffmpeg("-i good.wav -c:a aac als.m4a", folder)
            var bytes = try bytes(ofFile: folder.path("als.m4a"))
            let tag = try #require(Data(bytes).range(of: Data("esds".utf8))).upperBound
            let info = try #require(bytes[tag...].indices.first { bytes[$0] == 5 && bytes[$0 + 1] & 0x80 != 0 })
            bytes.replaceSubrange(info + 5..<info + 7, with: [0xF8, 0x88])
            _ = try folder.write(bytes, to: "als.m4a")
        },
        Case(name: "order.mp4", status: 12) { folder in
            // A second edit repeats the start.
            try ffmpeg("-itsoffset 1 -i good.m4a -c copy order.mp4", folder)
            var bytes = try bytes(ofFile: folder.path("order.mp4"))
            let list = try #require(Data(bytes).range(of: Data("elst".utf8))).upperBound
            bytes.replaceSubrange(list + 8..<list + 16, with: [0, 0, 0, 100, 0, 0, 0x10, 0])
            bytes.replaceSubrange(list + 20..<list + 28, with: [0, 0, 0, 200, 0, 0, 0, 0])
            _ = try folder.write(bytes, to: "order.mp4")
        },
        Case(name: "head.m4a", status: 6) { try cut("good.m4a", to: 30, as: "head.m4a", $0) },
        Case(name: "cut.m4a", status: 6) { try cut("good.m4a", to: 3000, as: "cut.m4a", $0) },
        Case(name: "head.caf", status: 6) { folder in
            _ = try folder.write(Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + [0, 0, 0], to: "head.caf")
        },
        Case(name: "head.wav", status: 6, unitStatus: 5) { try cut("good.wav", to: 30, as: "head.wav", $0) },
        Case(name: "chunk.wav", status: 6, unitStatus: 5) { _ = try $0.write(Array("RIFF....WAVEfmt ".utf8), to: "chunk.wav") },
        Case(name: "cut.flac", status: 6, unitStatus: 5) { try cut("good.flac", to: 4000, as: "cut.flac", $0) },
        Case(name: "good.wav", status: 0, unitStatus: 5) { _ in },
        Case(name: "good.m4a", status: 0) { _ in },
    ]

    @Test("All subcommands have the same exit status for the same input", arguments: cases)
    func sameStatus(file: Case) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("good.wav", frames: 22_050)
        let setup = "linnet convert --quiet good.wav -o good.flac && linnet encode --quiet good.wav -o good.m4a"
        #expect(try LinnetProgram.shell(setup, folder: folder).exitCode == 0)
        try file.make(folder)
        let outputs = ["convert": "out.wav", "encode": "out.m4a", "decode": "out.wav", "remux": "out.aac"]
        for words in [["probe"], ["probe", "--check"], ["probe", "--json"], ["convert"], ["encode"], ["decode"], ["remux"]] {
            let output = outputs[words[0]].map { ["-o", $0, "--force"] } ?? []
            let run = try ProgramRun(LinnetProgram.path, words + [file.name] + output, folder: folder.url)
            // Copying needs neither a decoder nor an order. ADTS does not support ALS.
            if words == ["remux"], ["als.m4a", "order.mp4"].contains(file.name) { continue }
            let readsUnitsOnly = words == ["decode"] || words == ["remux"]
            let status = readsUnitsOnly ? file.unitStatus ?? file.status : file.status
            #expect(run.exitCode == status, "\(words) \(file.name): \(run.errorText)")
        }
    }

    @Test("An undecodable stream is described with the reason, and is not damaged")
    func unsupported() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("good.wav", frames: 22_050)
        try #require(Self.cases.first { $0.name == "als.m4a" }).make(folder)
        for words in [["probe"], ["probe", "--check"]] {
            let run = try ProgramRun(LinnetProgram.path, words + ["als.m4a"], folder: folder.url)
            #expect(run.text.contains("Unsupported:   audio object type 36 is not supported\n"), "\(run.text)")
            #expect(run.text.contains("Sample rate:   44100 Hz\n") && !run.text.contains("Damage"))
        }
    }
}
