// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import TestSupport
import Testing

@Suite(.serialized) struct HLSBrowserServerTests {
    /// The page's report.
    private struct Report: Decodable {
        struct Decoded: Decodable {
            let frameCount: Int
            let sampleRate: Double
            /// The zero crossings in half a second of each second.
            let frequencies: [Int]
        }

        let error: String?
        let codec: String?
        let loadCount: Int
        let segmentCount: Int
        let start: Double?
        let bufferedRangeCount: Int?
        /// Pairs of player time in seconds and heard frequency in hertz.
        let heard: [[Double]]
        let decoded: Decoded?
    }

    @Test(
        "Chromium plays a growing live stream with Media Source Extensions, with the right tone in each second",
        arguments: ["mp4a.40.2", "mp4a.40.29", "opus"])
    func chromium(_ codec: String) async throws {
        let seconds = 5
        let profile = codec == "mp4a.40.2" ? AACProfile.lowComplexity : .highEfficiencyV2
        let audio =
            codec == "opus"
            ? try await CountedAudio.makeOpus(seconds: seconds, channelCount: 2, bitRate: 64_000)
            : try await CountedAudio.make(seconds: seconds, sampleRate: 32_000, channelCount: 2, bitRate: 32_000, profile: profile)
        let server = try WebServer()
        let page = try #require(Bundle.module.url(forResource: "player", withExtension: "html", subdirectory: "Resources"))
        try FileManager.default.copyItem(atPath: page.path, toPath: server.path + "/player.html")
        var folder = HLSFolder(path: server.path + "/live")
        folder.segmentDuration = .milliseconds(500)
        // Four seconds: the window slides while the page plays.
        folder.windowLength = 8
        let data = try TemporaryFolder()
        let browser = try ChildProcess(
            ProgramRun.require("chromium"),
            HeadlessBrowser.arguments(data: data.path("data")) + [
                "--autoplay-policy=no-user-gesture-required",
                "\(server.url)/player.html?folder=live&rate=\(audio.format.sampleRate)",
            ], output: data.path("log"))
        defer { browser.kill() }
        // The stream starts once the page waits for it.
        for _ in 0..<3000 where !server.requests.contains("/live/master.m3u8 404") && browser.status == nil {
            try await Task.sleep(for: .milliseconds(20))
        }
        let sink = StreamingSink(.hls(folder))
        try await audio.send(through: sink)
        for _ in 0..<1500 where server.report == nil && browser.status == nil { try await Task.sleep(for: .milliseconds(40)) }
        let log = (try? String(contentsOfFile: data.path("log"), encoding: .utf8)) ?? ""
        let text = try #require(server.report, "\(log)")
        let report = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
        #expect(report.error == nil)
        #expect(report.codec?.lowercased() == codec)
        // The playlist grew during playback.
        #expect(report.loadCount > 1)
        let playlist = try StrictPlaylist(String(contentsOfFile: folder.path + "/audio.m3u8", encoding: .utf8))
        #expect(report.segmentCount == playlist.mediaSequence + playlist.segments.count)
        #expect(playlist.mediaSequence > 0)
        #expect(report.bufferedRangeCount == 1)
        try expectCounted(report, audio, seconds: seconds)
    }

    /// Compares the heard and decoded audio with the expected tones.
    private func expectCounted(_ report: Report, _ audio: CountedAudio, seconds: Int) throws {
        // The player knows the Opus pre-skip and removes it.
        let isOpus = audio.format.audioSpecificConfig == nil
        let priming = isOpus ? 0 : Double(audio.format.primingFrames) / Double(audio.format.sampleRate)
        #expect(abs(try #require(report.start) - (1 - priming)) < 0.002, "\(String(describing: report.start))")
        var heard = [Int](repeating: 0, count: seconds)
        var wrong = 0
        for observation in report.heard {
            // Stream time is one second late. Close to second boundaries the player's clock is not exact enough.
            let time = observation[0] - 1
            guard (0.25..<0.75).contains(time - time.rounded(.down)), (0..<seconds).contains(Int(time)) else { continue }
            let expected = Double(CountedAudio.frequency(ofSecond: Int(time)))
            if abs(observation[1] - expected) < 30 { heard[Int(time)] += 1 } else { wrong += 1 }
        }
        #expect(heard.allSatisfy { $0 > 0 }, "\(heard) \(report.heard)")
        #expect(wrong == 0, "\(report.heard)")
        let decoded = try #require(report.decoded)
        #expect(abs(Double(decoded.frameCount) / decoded.sampleRate - audio.duration) < 0.15)
        for (second, crossings) in decoded.frequencies.prefix(seconds).enumerated() {
            #expect(abs(crossings - CountedAudio.frequency(ofSecond: second)) <= 2)
        }
        #expect(decoded.frequencies.count >= seconds)
    }
}
