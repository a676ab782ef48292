// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import MPEG4Audio
import TestSupport
import Testing

@Suite(.serialized) struct HLSVariantServerTests {
    /// Sends counted samples through a sink in blocks, as a recorder does.
    private func send(_ seconds: Int, through sink: HLSVariantSink, _ rate: Int) throws {
        let format = RecordingFormat(
            sampleRate: rate, channelCount: 2,
            configuration: .aac(AudioSpecificConfig(sampleRate: rate, channelConfiguration: ChannelConfiguration(channelCount: 2))),
            framesPerUnit: 1024, primingFrames: 2112)
        try sink.begin(format)
        let all = CountedAudio.samples(seconds: seconds, sampleRate: rate, channelCount: 2)
        for start in stride(from: 0, to: all.frameCount, by: 1000) {
            var block = PCMBuffer(sampleRate: rate, channelCount: 2, frameCapacity: min(1000, all.frameCount - start))
            for channel in 0..<2 {
                let range = all.range(ofChannel: channel)
                block.samples.replaceSubrange(
                    block.range(ofChannel: channel),
                    with: all.samples[range.lowerBound + start..<range.lowerBound + start + block.frameCount])
            }
            try sink.append(block)
        }
        try sink.finish()
    }

    /// Returns the frequency of samples from their zero crossings.
    private func frequency(_ samples: ArraySlice<Int16>, _ rate: Int) -> Double {
        let crossings = zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        return Double(crossings) * Double(rate) / 2 / Double(samples.count)
    }

    @Test("Variants of three profiles have a master playlist, aligned boundaries and equal sample times")
    func variants() async throws {
        let server = try WebServer()
        var folder = HLSFolder(path: server.path + "/talk")
        folder.playlistKind = .event
        // The end must not be a segment boundary, which some profiles would reach and others not.
        folder.segmentDuration = .milliseconds(1100)
        let rate = 32_000
        var settings = AACEncoderSettings()
        settings.effort = .fast
        let sink = HLSVariantSink(
            folder,
            variants: [
                .init(bitRate: 96_000, profile: .lowComplexity), .init(bitRate: 20_000, profile: .highEfficiencyV2),
                .init(bitRate: 40_000, profile: .highEfficiency), .init(bitRate: 40_000),
            ], settings: settings)
        #expect(sink.sinks.count == 3)
        try await onThread { try send(4, through: sink, rate) }
        #expect(sink.sinks.allSatisfy { $0.status == .finished && $0.statistics.lostUnitCount == 0 })
        let master = try String(contentsOfFile: folder.path + "/master.m3u8", encoding: .utf8).split(separator: "\n")
        #expect(master.filter { !$0.hasPrefix("#") } == ["20k/audio.m3u8", "40k/audio.m3u8", "96k/audio.m3u8"])
        for (codec, line) in zip(["29", "5", "2"], master.filter { $0.hasPrefix("#EXT-X-STREAM-INF") }) {
            #expect(line.hasSuffix("CODECS=\"mp4a.40.\(codec)\""))
        }
        let playlists = try ["20k", "40k", "96k"].map {
            try StrictPlaylist(String(contentsOfFile: "\(folder.path)/\($0)/audio.m3u8", encoding: .utf8))
        }
        for playlist in playlists {
            #expect(playlist.segments.count == playlists[0].segments.count)
            #expect(playlist.targetDuration == playlists[0].targetDuration)
            for (segment, other) in zip(playlist.segments, playlists[0].segments).dropFirst() {
                #expect(abs(try #require(segment.date).timeIntervalSince(#require(other.date))) < 2048 / Double(rate) + 0.001)
            }
        }
        // By the timestamps, the second tone starts two seconds after the stream: one added second and the first tone.
        let ffmpeg = try ProgramRun.require("ffmpeg")
        for name in ["20k", "40k", "96k"] {
            let url = "\(server.url)/talk/\(name)/audio.m3u8"
            let run = try ProgramRun(
                ffmpeg, ["-v", "error", "-copyts", "-i", url, "-af", "atrim=start=2.0:end=2.4", "-ac", "1", "-f", "s16le", "-"])
            #expect(run.exitCode == 0 && run.errorText.isEmpty, "\(run.errorText)")
            let samples = stride(from: 0, to: run.output.count - 1, by: 2).map {
                Int16(truncatingIfNeeded: Int(run.output[$0]) | Int(run.output[$0 + 1]) << 8)
            }
            #expect(abs(samples.count - rate * 4 / 10) <= 1)
            // The frequency changes within 10 ms of the boundary.
            #expect(abs(frequency(samples.dropFirst(rate / 100), rate) - Double(CountedAudio.frequency(ofSecond: 1))) < 8, "\(name)")
            let before = try ProgramRun(
                ffmpeg, ["-v", "error", "-copyts", "-i", url, "-af", "atrim=start=1.6:end=1.99", "-ac", "1", "-f", "s16le", "-"])
            let earlier = stride(from: 0, to: before.output.count - 1, by: 2).map {
                Int16(truncatingIfNeeded: Int(before.output[$0]) | Int(before.output[$0 + 1]) << 8)
            }
            #expect(abs(frequency(earlier[...], rate) - Double(CountedAudio.frequency(ofSecond: 0))) < 8, "\(name)")
        }
    }
}
