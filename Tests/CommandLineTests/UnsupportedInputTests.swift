// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Foundation
import TestSupport
import Testing

/// Intact files of other codecs and with other tracks, made by FFmpeg.
@Suite struct UnsupportedInputTests {
    /// Runs FFmpeg in a folder.
    private func ffmpeg(_ arguments: String, in folder: TemporaryFolder) throws {
        try ProgramRun.require("ffmpeg")
        let run = try ProgramRun.shell("ffmpeg -v error -nostdin -y \(arguments)", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
    }

    @Test("A file of another codec is named, and is unsupported, not damaged", arguments: ["decode", "probe", "remux"])
    func otherCodec(command: String) throws {
        let folder = try TemporaryFolder()
        try ffmpeg("-f lavfi -i sine=d=1 -c:a ac3 a.mp4", in: folder)
        let words = command == "remux" ? ["remux", "a.mp4", "b.aac"] : [command, "a.mp4"]
        let run = try ProgramRun(LinnetProgram.path, words, folder: folder.url)
        #expect(run.exitCode == 12, "\(run.errorText)")
        #expect(run.errorText == "linnet: a.mp4 holds AC-3 audio, which is not supported\n")
        #expect(try folder.contents == ["a.mp4"])
    }

    @Test("The bit rate with headers doesn't count the pictures of a film")
    func film() throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f lavfi -i testsrc=size=640x360:duration=3 -f lavfi -i sine=duration=3 -c:v mpeg4 -b:v 1M -c:a aac -b:a 64k film.mp4",
            in: folder)
        let run = try LinnetProgram.run("probe", "--json", "film.mp4", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        let report = try #require((try JSONSerialization.jsonObject(with: Data(run.output)) as? [[String: Any]])?.first)
        let rate = try #require(report["bitRate"] as? Double)
        let total = try #require(report["totalBitRate"] as? Double)
        #expect(total > rate && total < 1.5 * rate, "\(rate) \(total)")
        let decoded = try LinnetProgram.run("decode", "film.mp4", "--quiet", folder: folder)
        #expect(decoded.exitCode == 0, "\(decoded.errorText)")
    }
}
