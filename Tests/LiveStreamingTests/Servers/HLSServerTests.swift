// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import TestSupport
import Testing

@Suite(.serialized) struct HLSServerTests {
    /// FFmpeg running in parallel with the test.
    private struct Reader {
        let folder: TemporaryFolder
        let process: ChildProcess

        /// Starts FFmpeg, which writes to `out`.
        init(_ url: String, live: Bool = true, _ arguments: [String]) throws {
            let start = live ? ["-live_start_index", "0"] : []
            folder = try TemporaryFolder()
            process = try ChildProcess(
                ProgramRun.require("ffmpeg"),
                ["-y", "-nostdin", "-v", "warning"] + start + ["-i", url] + arguments + [folder.path("out")],
                output: folder.path("log"))
        }

        /// Waits until FFmpeg ends.
        ///
        /// Returns the output and the messages.
        func finish() async throws -> (output: [UInt8], messages: [String]) {
            for _ in 0..<6000 where process.status == nil { try await Task.sleep(for: .milliseconds(20)) }
            process.kill()
            let text = try String(contentsOfFile: folder.path("log"), encoding: .utf8)
            #expect(process.status == 0, "\(text)")
            // FFmpeg reloads the initialization segment with each playlist, and reports that itself.
            let messages = text.split(separator: "\n").map(String.init).filter {
                !$0.hasSuffix("Found duplicated MOOV Atom. Skipped it") && !$0.contains("Last message repeated")
            }
            return (try bytes(ofFile: folder.path("out")), messages)
        }
    }

    private func waitForFile(_ path: String) async throws {
        for _ in 0..<1000 where !FileManager.default.fileExists(atPath: path) { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Sends audio into a web server's folder while FFmpeg reads it, and compares the access units.
    private func stream(_ audio: CountedAudio, _ change: (inout HLSFolder) -> Void) async throws {
        let server = try WebServer()
        var folder = HLSFolder(path: server.path + "/live")
        folder.segmentDuration = .milliseconds(500)
        // The whole stream, because FFmpeg may be late on a busy machine.
        folder.windowLength = 20
        change(&folder)
        let sink = StreamingSink(.hls(folder))
        let speed: Double = folder.playlistKind == .onDemand ? 100 : 1
        async let sending: Void = audio.send(through: sink, speed: speed)
        if folder.playlistKind == .onDemand { try await sending }
        try await waitForFile(server.path + "/live/master.m3u8")
        // FFmpeg decodes mono HE-AAC in ADTS to stereo, since parametric stereo might follow.
        let channelCount = audio.format.channelCount
        let copy = try Reader("\(server.url)/live/audio.m3u8", ["-c", "copy", "-f", "adts"])
        let samples = try Reader("\(server.url)/live/master.m3u8", ["-f", "s16le", "-ac", "\(channelCount)"])
        try await sending
        #expect(sink.statistics.lostUnitCount == 0)
        #expect(sink.statistics.sentUnitCount == audio.accessUnits.count)
        let (copied, copyMessages) = try await copy.finish()
        #expect(copyMessages == [], "\(folder)")
        #expect(try SegmentContents.payloads(adts: copied[...]) == audio.accessUnits.map(\.payload), "\(folder)")
        let (decoded, messages) = try await samples.finish()
        #expect(messages == [], "\(folder)")
        let frameCount = decoded.count / (2 * channelCount)
        #expect(frameCount == audio.accessUnits.reduce(0) { $0 + $1.duration }, "\(folder)")
    }

    @Test("FFmpeg reads live, event and on-demand streams completely and without messages")
    func ffmpeg() async throws {
        let audio = try await CountedAudio.make(seconds: 4, sampleRate: 24_000, channelCount: 1, bitRate: 32_000)
        try await withThrowingTaskGroup { group in
            for kind in [HLSFolder.PlaylistKind.live, .event, .onDemand] {
                for format in [HLSFolder.SegmentFormat.fragmentedMP4, .packedAudio] {
                    group.addTask {
                        try await self.stream(audio) { folder in
                            folder.playlistKind = kind
                            folder.segmentFormat = format
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("FFmpeg reads HE-AAC and HE-AAC v2 in both formats, also with parts")
    func profiles() async throws {
        let first = try await CountedAudio.make(seconds: 3, sampleRate: 32_000, channelCount: 1, bitRate: 24_000, profile: .highEfficiency)
        let second = try await CountedAudio.make(
            seconds: 3, sampleRate: 32_000, channelCount: 2, bitRate: 24_000, profile: .highEfficiencyV2)
        try await withThrowingTaskGroup { group in
            for audio in [first, second] {
                group.addTask { try await self.stream(audio) { $0.partDuration = .milliseconds(200) } }
                group.addTask { try await self.stream(audio) { $0.segmentFormat = .packedAudio } }
            }
            try await group.waitForAll()
        }
    }
}
