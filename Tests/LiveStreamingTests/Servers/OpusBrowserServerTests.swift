// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Foundation
import LiveAudio
import TestSupport
import Testing

@Suite struct OpusBrowserServerTests {
    /// The page's report about one file.
    private struct Decoded: Decodable {
        let error: String?
        let frameCount: Int?
        let channelCount: Int?
        /// The zero crossings in half a second of each second.
        let crossings: [Int]?
    }

    @Test("Chromium decodes Opus in Ogg with the exact length, and in MP4")
    func chromium() async throws {
        let seconds = 3
        let audio = try await CountedAudio.makeOpus(seconds: seconds, channelCount: 2, bitRate: 64_000)
        let server = try WebServer()
        let page = try #require(Bundle.module.url(forResource: "decoder", withExtension: "html", subdirectory: "Resources"))
        try FileManager.default.copyItem(atPath: page.path, toPath: server.path + "/decoder.html")
        let files: [(name: String, format: AudioFileFormat)] = [("a.opus", .oggOpus), ("b.m4a", .m4a), ("c.m4a", .fragmentedM4A)]
        for (name, format) in files {
            var options = ContainerWriterOptions()
            options.priming = audio.gapless.primingFrames
            var writer = try format.makeWriter(to: MemorySink(), audio.format.configuration, options: options)
            for accessUnit in audio.accessUnits { try writer.append(accessUnit) }
            try writer.finish(audio.gapless)
            try Data(writer.sink.bytes).write(to: URL(fileURLWithPath: server.path + "/" + name))
        }
        let data = try TemporaryFolder()
        let browser = try ChildProcess(
            ProgramRun.require("chromium"),
            HeadlessBrowser.arguments(data: data.path("data")) + [
                "\(server.url)/decoder.html?files=\(files.map(\.name).joined(separator: ","))"
            ], output: data.path("log"))
        defer { browser.kill() }
        for _ in 0..<1500 where server.report == nil && browser.status == nil { try await Task.sleep(for: .milliseconds(40)) }
        let log = (try? String(contentsOfFile: data.path("log"), encoding: .utf8)) ?? ""
        let text = try #require(server.report, "\(log)")
        let report = try JSONDecoder().decode([String: Decoded].self, from: Data(text.utf8))
        for (name, format) in files {
            let decoded = try #require(report[name])
            #expect(decoded.error == nil && decoded.channelCount == 2, "\(name): \(text)")
            // In MP4, also from FFmpeg, Chromium trims the pre-skip twice, and does not trim the end of fragments.
            let tolerance = format == .oggOpus ? 0 : max(audio.gapless.primingFrames, audio.gapless.remainderFrames)
            #expect(abs(try #require(decoded.frameCount) - seconds * 48_000) <= tolerance, "\(name): \(text)")
            let expected = (0..<seconds).map { CountedAudio.frequency(ofSecond: $0) }
            for (found, wanted) in zip(decoded.crossings ?? [], expected) { #expect(abs(found - wanted) <= 2, "\(name): \(text)") }
            #expect(decoded.crossings?.count == seconds)
        }
    }
}
