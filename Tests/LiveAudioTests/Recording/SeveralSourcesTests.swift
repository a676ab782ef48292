// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioFiles
import AudioPrimitives
import Foundation
import LiveAudio
import Synchronization
import TestSupport
import Testing

@Suite struct SeveralSourcesTests {
    /// The samples that a sink received, channel by channel.
    private final class Received: Sendable {
        private let samples = Mutex<[[Float]]>([])

        var sink: RecorderSink {
            .samples { [self] buffer in
                samples.withLock { samples in
                    if samples.isEmpty { samples = Array(repeating: [], count: buffer.channelCount) }
                    for channel in samples.indices { samples[channel] += buffer.channel(channel) }
                }
            }
        }

        var channels: [[Float]] { samples.withLock { $0 } }
    }

    /// A source of the program with random samples, in buffers of random length.
    private static func source(_ name: String, channels: [[Float]], gain: Float = 1, seed: UInt64) -> RecorderSource {
        let state = Mutex((position: 0, random: SeededRandom(seed: seed)))
        let count = channels[0].count
        var capture = CaptureConfiguration()
        capture.gain = gain
        return RecorderSource(
            name,
            source: .program(sampleRate: 48_000, channelCount: channels.count) {
                state.withLock { state in
                    guard state.position < count else { return nil }
                    let end = min(count, state.position + Int.random(in: 1...5000, using: &state.random))
                    defer { state.position = end }
                    return PCMBuffer(channels: channels.map { Array($0[state.position..<end]) }, sampleRate: 48_000)
                }
            }, capture: capture)
    }

    private static func noise(_ count: Int, level: Float = 0.2, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in Float.random(in: -level...level, using: &random) }
    }

    @Test("Each sink receives its signal, sample by sample", arguments: [1, 2, 3] as [UInt64])
    func signals(seed: UInt64) async throws {
        let (mono, left, right) = (
            Self.noise(30_000, seed: seed), Self.noise(41_000, seed: seed + 10), Self.noise(41_000, seed: seed + 20)
        )
        let (channels, mix, second) = (Received(), Received(), Received())
        let recorder = Recorder(
            sources: [
                Self.source("a", channels: [mono], seed: seed), Self.source("b", channels: [left, right], gain: 0.5, seed: seed + 30),
            ],
            sinks: [channels.sink, .signal(.mix, mix.sink), .signal(.source("b"), second.sink)])
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        #expect(summary.frameCount == 41_000 && summary.failure == nil && summary.sources.map(\.name) == ["a", "b"])
        let first = mono + [Float](repeating: 0, count: 11_000)
        #expect(channels.channels.count == 2 && mix.channels.count == 2 && second.channels.count == 2)
        #expect(channels.channels[0] == first, "seed \(seed)")
        for index in [0, 20_000, 29_999, 30_000, 40_999] {
            #expect(abs(channels.channels[1][index] - 0.25 * (left[index] + right[index])) < 1e-6, "\(index), seed \(seed)")
            #expect(abs(mix.channels[0][index] - first[index] - 0.5 * left[index]) < 1e-6, "\(index), seed \(seed)")
            #expect(abs(mix.channels[1][index] - first[index] - 0.5 * right[index]) < 1e-6, "\(index), seed \(seed)")
            #expect(second.channels[1][index] == 0.5 * right[index], "\(index), seed \(seed)")
        }
        #expect(mix.channels[0].count == 41_000 && second.channels[0].count == 41_000)
    }

    @Test("A mix of full-scale sources stays below -1 dBFS, at the same time")
    func limiter() async throws {
        let tone = (0..<96_000).map { Float(sin(Double($0) * 0.05)) }
        let mix = Received()
        let recorder = Recorder(
            sources: [Self.source("a", channels: [tone], seed: 1), Self.source("b", channels: [tone], seed: 2)],
            sinks: [.signal(.mix, mix.sink)])
        try await recorder.start()
        _ = await recorder.waitUntilFinished()
        let samples = try #require(mix.channels.first)
        #expect(samples.count == 96_000)
        let peak = samples.map { $0.magnitude }.max() ?? 0
        #expect(peak > 0.85 && peak <= 0.8913, "\(peak)")
        #expect((0..<96_000).allSatisfy { samples[$0] * tone[$0] >= 0 })
    }

    @Test("If one source cannot be opened, the error names it, and no file is left")
    func failure() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("both.m4a")
        let missing = RecorderSource("guest", source: .rawFile(folder.path("missing.raw")))
        let recorder = Recorder(sources: [Self.source("a", channels: [[0, 0]], seed: 1), missing], sinks: [.file(path)])
        await #expect {
            try await recorder.start()
        } throws: { error in
            guard case DeviceError.sourceFailed("guest", .file) = error else { return false }
            return "\(error)".hasPrefix("guest: ")
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A sink of an unknown source is an error of the start")
    func unknownSource() async throws {
        let recorder = Recorder(
            sources: [Self.source("a", channels: [[0, 0]], seed: 1), Self.source("b", channels: [[0, 0]], seed: 2)],
            sinks: [.signal(.source("c"), Received().sink)])
        await #expect {
            try await recorder.start()
        } throws: { error in
            guard case DeviceError.unknownSource("c", available: ["a", "b"]) = error else { return false }
            return true
        }
    }

    @Test("A source that fails is reported, and the others continue")
    func failingSource() async throws {
        struct Failure: Error {}
        let position = Mutex(0)
        let failing = RecorderSource(
            "b",
            source: .program(sampleRate: 48_000, channelCount: 1) {
                guard
                    position.withLock({
                        $0 += 1; return $0
                    }) < 10
                else { throw Failure() }
                return PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 480)
            })
        let received = Received()
        let noise = Self.noise(200_000, seed: 5)
        let recorder = Recorder(sources: [Self.source("a", channels: [noise], seed: 4), failing], sinks: [received.sink])
        let events = recorder.events
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        #expect(received.channels.first == noise && summary.failure == nil)
        #expect(summary.sources[0].failure == nil && summary.sources[1].failure != nil)
        var failures: [String] = []
        for await case .source(let name, .failed) in events { failures.append(name) }
        #expect(failures == ["b"])
    }
}
