// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioMetadata
import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Matroska and WebM files from FFmpeg.
@Suite struct MatroskaFileTests {
    /// Returns a folder with half a second of noise encoded by FFmpeg, and FFmpeg's decoded samples as `a.f32`.
    private func folder(_ options: String, to name: String) throws -> TemporaryFolder {
        try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let noise = "-f lavfi -i anoisesrc=d=0.5:r=44100:seed=3:a=0.3,lowpass=f=3000,aformat=channel_layouts=stereo"
        let run = try ProgramRun.shell(
            "ffmpeg -v error \(noise) \(options) -strict -2 -metadata title=Tïtle \(name) && ffmpeg -v error -i \(name) -f f32le a.f32",
            folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        return folder
    }

    private func theirs(_ folder: TemporaryFolder, sampleRate: Int) throws -> PCMBuffer {
        let reader = try PCMFileReader(
            path: folder.path("a.f32"), raw: AudioFormat(.float32, sampleRate: sampleRate, channelCount: 2))
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: 2, frameCapacity: 100_000)
        try reader.read(into: &buffer)
        return buffer
    }

    @Test("A part of a FLAC track has its own samples, although its frames have later numbers", arguments: ["b.mka", "b.mp4"])
    func partOfFLAC(name: String) throws {
        let folder = try folder("-c:a flac -frame_size 1000", to: "a.mka")
        let run = try ProgramRun.shell("ffmpeg -v error -ss 0.2 -i a.mka -c copy -strict -2 \(name)", folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        let whole = try theirs(folder, sampleRate: 44_100).channel(0)
        let file = try AudioFile(path: folder.path(name))
        var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 100_000)
        try file.read(into: &buffer)
        let part = buffer.channel(0)
        #expect((13_000..<15_000).contains(part.count) && file.warnings.isEmpty, "\(part.count): \(file.warnings)")
        // MP4 starts at about the requested time, Matroska at a frame.
        #expect((8000...8900).contains { whole.dropFirst($0).starts(with: part) })
    }

    /// The codecs, with the lengths of the signal: MP3 with its priming, and `nil` for those that FFmpeg stores in whole packets.
    @Test(
        "Every codec has FFmpeg's samples and length, from any position",
        arguments: [
            ("pcm_u8", "a.mka", 22_050), ("pcm_s16le", "a.mka", 22_050), ("pcm_s24be", "a.mkv", 22_050), ("pcm_s32le", "a.mka", 22_050),
            ("pcm_f32le", "a.mka", 22_050), ("flac", "a.mka", 22_050), ("alac", "a.mka", 22_050), ("libopus", "a.webm", 24_000),
            ("libvorbis", "a.webm", nil), ("libmp3lame", "a.mka", 22_050 + 1105), ("mp2", "a.mka", nil), ("aac", "a.mka", nil),
        ] as [(String, String, Int?)])
    func codecs(codec: String, name: String, frameCount: Int?) throws {
        let folder = try folder("-c:a \(codec)", to: name)
        let ours = try PCMBuffer(contentsOf: folder.path(name))
        let theirs = try theirs(folder, sampleRate: ours.sampleRate)
        #expect(ours.frameCount == frameCount ?? theirs.frameCount && theirs.frameCount == ours.frameCount, "\(codec)")
        let isExact = codec.hasPrefix("pcm") || codec == "flac" || codec == "alac"
        // Decoders round differently; the noise of AAC's substitution is random.
        let limit: Float = isExact ? 0 : codec == "aac" ? 0.2 : 0.002
        for channel in 0..<2 {
            let difference = zip(ours.channel(channel), theirs.channel(channel)).map { abs($0 - $1) }.max() ?? 1
            #expect(difference <= limit, "\(codec): \(difference)")
        }
        let file = try AudioFile(path: folder.path(name))
        #expect(file.properties.tags.title == "Tïtle" && file.properties.containerName.hasPrefix("Matroska ("))
        if let frameCount { #expect(file.properties.frameCount == frameCount) }
        try file.seek(toFrame: 15_000)
        var part = PCMBuffer(sampleRate: file.sampleRate, channelCount: 2, frameCapacity: 5000)
        #expect(try file.read(into: &part))
        let difference = zip(part.channel(0), ours.channel(0)[15_000...]).map { abs($0 - $1) }.max() ?? 1
        #expect(difference <= limit + 0.001, "\(codec): \(difference)")
    }

    @Test(
        "Remuxing copies the packets of FFmpeg's file",
        arguments: [("libopus", "webm", "opus"), ("aac", "mkv", "m4a"), ("alac", "mka", "caf")])
    func remux(codec: String, from: String, to: String) async throws {
        let film = codec == "aac" ? "-f lavfi -i testsrc=d=0.5:s=64x64 -c:v mpeg4" : ""
        let folder = try folder("\(film) -c:a \(codec)", to: "a.\(from)")
        let summary = try await FileRemuxer(input: folder.path("a.\(from)"), output: folder.path("b.\(to)")).run()
        func packets(_ name: String) throws -> [String] {
            let run = try ProgramRun(
                try ProgramRun.require("ffprobe"),
                [
                    "-v", "error", "-select_streams", "a", "-show_packets", "-show_data_hash", "md5", "-of", "default=nw=1",
                    folder.path(name),
                ])
            return run.text.split(separator: "\n").filter { $0.hasPrefix("data_hash") }.map(String.init)
        }
        let copied = try packets("b.\(to)")
        #expect(try copied == packets("a.\(from)") && copied.count == summary.accessUnitCount)
    }

    @Test("Damaged and cut files are read, and say so")
    func damage() throws {
        for codec in ["flac", "libvorbis"] {
            let folder = try folder("-c:a \(codec)", to: "a.mka")
            let bytes = try bytes(ofFile: folder.path("a.mka"))
            _ = try folder.write(Array(bytes.prefix(bytes.count * 3 / 4)), to: "cut.mka")
            let reader = try PCMFileReader.reading(.file(folder.path("cut.mka")))
            var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 2, frameCapacity: 100_000)
            try reader.read(into: &buffer)
            #expect((4000..<21_000).contains(buffer.frameCount), "\(codec): \(buffer.frameCount)")
            #expect(reader.warnings.contains { if case .damaged = $0 { true } else { false } }, "\(reader.warnings)")
        }
    }
}
