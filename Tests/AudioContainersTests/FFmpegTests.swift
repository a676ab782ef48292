// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// A stream encoded by FFmpeg, and FFmpeg's output for files with the same access units.
struct FFmpegStream {
    let ffmpeg: String
    let folder: TemporaryFolder
    let configuration: AudioSpecificConfig
    let accessUnits: [AccessUnit]

    /// Encodes one second of changing tones.
    init(sampleRate: Int, channels: Int) throws {
        ffmpeg = try ProgramRun.require("ffmpeg")
        folder = try TemporaryFolder()
        let tones = (0..<channels).map { "0.4*sin(\(300 + 200 * $0)*t*(3+t))" }.joined(separator: "|")
        let path = folder.path("original.aac")
        let run = try ProgramRun(
            ffmpeg,
            ["-v", "error", "-f", "lavfi", "-i", "aevalsrc=\(tones):s=\(sampleRate):d=1", "-c:a", "aac", "-b:a", "96k", path])
        try #require(run.exitCode == 0, "\(run.errorText)")
        let events = adtsEvents([UInt8](try Data(contentsOf: URL(filePath: path))))
        configuration = try #require(events.configurations.first)
        accessUnits = events.accessUnits.map(\.accessUnit)
        #expect(events.skips.isEmpty && accessUnits.count > 5)
    }

    /// Returns the samples that FFmpeg decodes from files, without warnings.
    ///
    /// One process decodes all, because starting it dominates.
    func decoded(_ names: [String]) throws -> [[UInt8]] {
        let inputs = names.flatMap { ["-i", folder.path($0)] }
        let outputs = names.indices.flatMap { ["-map", "\($0):a", "-f", "s16le", folder.path("\($0).pcm")] }
        let run = try ProgramRun(ffmpeg, ["-v", "error", "-y"] + inputs + outputs)
        #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(names): \(run.errorText)")
        return try names.indices.map { try bytes(ofFile: folder.path("\($0).pcm")) }
    }

    /// Returns a file into which FFmpeg copied the access units of another one.
    func copied(to name: String, from original: String = "original.aac", _ options: [String] = []) throws -> [UInt8] {
        let run = try ProgramRun(
            ffmpeg, ["-v", "error", "-i", folder.path(original), "-c", "copy"] + options + [folder.path(name)])
        try #require(run.exitCode == 0, "\(name): \(run.errorText)")
        return [UInt8](try Data(contentsOf: URL(filePath: folder.path(name))))
    }

    func save(_ bytes: [UInt8], as name: String) throws { try Data(bytes).write(to: URL(filePath: folder.path(name))) }
}

@Suite struct FFmpegTests {
    static let kinds: [(rate: Int, channels: Int)] = [(44_100, 2), (8000, 1), (48_000, 6)]

    @Test("FFmpeg decodes all our containers to the samples of its own stream", arguments: kinds.indices)
    func written(kind: Int) throws {
        let stream = try FFmpegStream(sampleRate: Self.kinds[kind].rate, channels: Self.kinds[kind].channels)
        func write(_ writer: some ContainerWriter<MemorySink>, _ name: String) throws {
            var writer = writer
            for accessUnit in stream.accessUnits { try writer.append(accessUnit) }
            try writer.finish()
            try stream.save(writer.sink.bytes, as: name)
        }
        let config = stream.configuration
        try write(ADTSWriter(to: MemorySink(), config), "adts.aac")
        try write(ADTSWriter(to: MemorySink(), config, options: .init(isMPEG2: true)), "adts2.aac")
        try write(LOASWriter(to: MemorySink(), config), "latm.loas")
        try write(CAFWriter(to: MemorySink(), .aac(config)), "apple.caf")
        try write(TransportStreamWriter(to: MemorySink(), .aac(config)), "transport.ts")
        try write(MP4Writer(to: MemorySink(), .aac(config)), "behind.m4a")
        try write(
            MP4Writer(to: MemorySink(), .aac(config), options: .init(layout: .indexAtStart(expectedUnitCount: stream.accessUnits.count))),
            "front.m4a")
        try write(
            MP4Writer(to: MemorySink(), .aac(config), options: .init(layout: .fragmented(unitsPerFragment: 5, priming: 0))),
            "fragments.m4a")
        let names = ["adts.aac", "adts2.aac", "latm.loas", "apple.caf", "transport.ts", "behind.m4a", "front.m4a", "fragments.m4a"]
        let decoded = try stream.decoded(["original.aac"] + names)
        #expect(decoded[0].count == stream.accessUnits.count * 1024 * 2 * Self.kinds[kind].channels)
        for (name, samples) in zip(names, decoded.dropFirst()) { #expect(samples == decoded[0], "\(name)") }
    }

    @Test("FFmpeg drops the priming of our M4A files and reads their tags")
    func gapless() throws {
        let stream = try FFmpegStream(sampleRate: 44_100, channels: 2)
        var tags = AudioTags()
        tags.title = "Größe"
        tags.encoder = "Linnet"
        var writer = try MP4Writer(to: MemorySink(), .aac(stream.configuration), options: .init(tags: tags))
        for accessUnit in stream.accessUnits { try writer.append(accessUnit) }
        let total = stream.accessUnits.count * 1024
        try writer.finish(GaplessInfo(primingFrames: 1024, validFrames: total - 1024, remainderFrames: 0))
        try stream.save(writer.sink.bytes, as: "gapless.m4a")
        let decoded = try stream.decoded(["gapless.m4a", "original.aac"])
        #expect(decoded[0] == Array(decoded[1].dropFirst(1024 * 4)))
        let probe = try ProgramRun.require("ffprobe")
        let report = try ProgramRun(probe, ["-v", "error", "-show_format", "-show_streams", stream.folder.path("gapless.m4a")]).text
        for line in ["TAG:title=Größe", "TAG:encoder=Linnet", "nb_frames=\(stream.accessUnits.count)", "duration_ts=\(total - 1024)"] {
            #expect(report.contains(line), "\(line)")
        }
    }

    @Test("Counts the bytes of a video track separately", arguments: [[], ["-movflags", "frag_keyframe+empty_moov"]])
    func film(options: [String]) throws {
        let stream = try FFmpegStream(sampleRate: 44_100, channels: 2)
        let path = stream.folder.path("film.mp4")
        // A leading index requires an original with a known configuration.
        _ = try stream.copied(to: "a.m4a", from: "original.aac", ["-bsf:a", "aac_adtstoasc"])
        let pictures = ["-f", "lavfi", "-i", "testsrc=s=320x240:d=1", "-c:v", "mpeg4", "-shortest"]
        // A single expression takes five seconds to compile.
        var arguments = ["-v", "error"] + pictures.prefix(4)
        arguments += ["-i", stream.folder.path("a.m4a")]
        arguments += pictures.suffix(3)
        arguments += ["-c:a", "copy"]
        let run = try ProgramRun(stream.ffmpeg, arguments + options + [path])
        try #require(run.exitCode == 0, "\(run.errorText)")
        let probe = try ProgramRun.require("ffprobe")
        let sizes = try ProgramRun(
            probe, ["-v", "error", "-select_streams", "v", "-show_entries", "packet=size", "-of", "csv=p=0", path]
        ).text
        let expected = sizes.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Int($0) }.reduce(0, +)
        let reader = try MP4Reader(MemorySource([UInt8](try Data(contentsOf: URL(filePath: path)))))
        #expect(expected > 1000 && reader.metadata.otherTracksByteCount == expected)
    }

    @Test("Reads all access units of FFmpeg's files", arguments: kinds.indices)
    func read(kind: Int) throws {
        let stream = try FFmpegStream(sampleRate: Self.kinds[kind].rate, channels: Self.kinds[kind].channels)
        let expected = stream.accessUnits.map(\.payload)
        let files: [(name: String, options: [String])] = [
            ("a.m4a", []), ("b.mp4", ["-movflags", "+faststart"]), ("c.mov", []),
            ("d.mp4", ["-movflags", "frag_keyframe+empty_moov", "-frag_duration", "200000"]),
            ("e.mp4", ["-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "300000"]),
        ]
        for file in files {
            // A leading index requires an original with a known configuration.
            let isFragmented = file.options.contains { $0.contains("empty_moov") }
            let bytes = try stream.copied(
                to: file.name, from: isFragmented ? "a.m4a" : "original.aac", ["-bsf:a", "aac_adtstoasc"] + file.options)
            let (reader, events) = try MP4Tests.read(bytes)
            #expect(events.accessUnits.map(\.accessUnit.payload) == expected, "\(file.name)")
            #expect(reader.configuration.audioSpecificConfig?.serialized().prefix(2) == stream.configuration.serialized().prefix(2))
        }
        let latm = try stream.copied(to: "f.latm", ["-f", "latm"])
        #expect(streamEvents(of: LOASParser(), latm).accessUnits.map(\.accessUnit.payload) == expected)
        // A copy of ADTS is signalled as LOAS but contains ADTS. Only a copy without ADTS headers is LOAS.
        let transportStreams = [
            ("g.ts", "original.aac", []), ("h.ts", "original.aac", ["-mpegts_flags", "latm"]),
            ("i.ts", "a.m4a", ["-mpegts_flags", "latm"]),
        ]
        for (name, original, options) in transportStreams {
            let events = streamEvents(of: TransportStreamParser(), try stream.copied(to: name, from: original, options))
            #expect(events.accessUnits.map(\.accessUnit.payload) == expected && events.skips.isEmpty, "\(name)")
        }
    }
}
