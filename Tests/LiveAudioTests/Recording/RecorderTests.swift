// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioConversion
import AudioDevices
import AudioFiles
import AudioPrimitives
import Foundation
import LiveAudio
import PCMFiles
import Synchronization
import TestSupport
import Testing

@Suite struct RecorderTests {
    /// The output that the sinks received.
    private final class Received: Sendable {
        let accessUnits = Mutex<[AccessUnit]>([])
        let samples = Mutex<[Float]>([])

        var sinks: [RecorderSink] {
            [
                .accessUnits(name: "units") { [self] accessUnit in accessUnits.withLock { $0.append(accessUnit) } },
                .samples(name: "samples") { [self] buffer in samples.withLock { $0 += buffer.channel(0) } },
            ]
        }
    }

    private static func tone(frames: Int, rate: Int = 48_000, channels: Int = 1) -> [Int16] {
        (0..<frames * channels).map { Int16(8000 * sin(Double($0 / channels) * 2 * .pi * 440 / Double(rate))) }
    }

    private static func configuration() -> RecorderConfiguration {
        RecorderConfiguration(capture: CaptureConfiguration(sampleFormat: .int16))
    }

    @Test("Access units are contiguous and complete with buffers of any size", arguments: [1, 2, 3] as [UInt64])
    func runSizes(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let total = 120_000 + Int.random(in: 0..<1024, using: &random)
        let tone = Self.tone(frames: total)
        var runs: [[Int16]] = []
        var start = 0
        while start < total {
            let count = min(Int.random(in: 0..<3, using: &random) == 0 ? 22_050 : Int.random(in: 256...2000, using: &random), total - start)
            runs.append(Array(tone[start..<start + count]))
            start += count
        }
        let received = Received()
        let recorder = Recorder(Self.configuration(), source: .backend(RunBackend([.init(runs: runs)])), sinks: received.sinks)
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        let accessUnits = received.accessUnits.withLock { $0 }
        #expect(accessUnits.indices.allSatisfy { accessUnits[$0].presentationTime.value == Int64($0 * 1024 - 2112) })
        #expect(accessUnits.allSatisfy { $0.duration == 1024 && $0.presentationTime.timescale == 48_000 })
        #expect(received.samples.withLock { $0 } == tone.map { Float($0) / 32768 }, "seed \(seed)")
        let gapless = try #require(summary.gaplessInfo)
        #expect(gapless.validFrames == total)
        #expect(gapless.totalFrames == accessUnits.count * 1024)
        #expect(summary.accessUnitCount == accessUnits.count && summary.frameCount == total)
        #expect(summary.sinkFailures.isEmpty && summary.failure == nil)
    }

    @Test("Device format changes leave the recording's format unchanged, and time continues")
    func formatChange() async throws {
        let received = Received()
        var configuration = Self.configuration()
        configuration.sampleRate = 48_000
        configuration.channelCount = 1
        configuration.capture.gapPolicy = .report
        let backend = RunBackend([
            .init(runs: [Self.tone(frames: 48_000)]),
            .init(sampleRate: 44_100, channelCount: 2, runs: [Self.tone(frames: 44_100, rate: 44_100, channels: 2)]),
            .init(sampleRate: 16_000, runs: [Self.tone(frames: 16_000, rate: 16_000)]),
        ])
        let recorder = Recorder(configuration, source: .backend(backend), sinks: received.sinks)
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        #expect(abs(summary.frameCount - 144_000) <= 2)
        #expect(recorder.format?.sampleRate == 48_000 && recorder.format?.channelCount == 1)
        // The tone keeps its pitch: each second has 880 sign changes.
        let samples = received.samples.withLock { $0 }
        for second in 0..<3 {
            let part = samples[min(second * 48_000 + 1000, samples.count)..<min(second * 48_000 + 47_000, samples.count)]
            let changes = zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }
            #expect(abs(changes - 843) <= 4, "second \(second): \(changes)")
        }
        // Skipped time shows in the presentation times, which never step back or overlap.
        let times = received.accessUnits.withLock { $0.map(\.presentationTime.value) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 1024 })
    }

    @Test("Preset sets sample rate, bit rate and profile unless overridden")
    func preset() async throws {
        func format(
            _ preset: AudioPreset, _ change: (inout RecorderConfiguration) -> Void = { _ in }
        ) async throws -> (RecordingFormat, AACProfile) {
            var configuration = RecorderConfiguration(preset: preset, capture: CaptureConfiguration(sampleFormat: .int16))
            change(&configuration)
            let backend = RunBackend([.init(channelCount: 2, runs: [Self.tone(frames: 4800, channels: 2)])])
            let recorder = Recorder(configuration, source: .backend(backend), sinks: Received().sinks)
            try await recorder.start()
            let summary = await recorder.waitUntilFinished()
            return (try #require(recorder.format), try #require(summary.profile))
        }
        let low = try await format(.low)
        #expect(low.0.sampleRate == 16_000 && low.0.bitRate == 64_000 && low.1 == .lowComplexity)
        let voice = try await format(.lowRates[0])
        #expect(voice.0.sampleRate == 48_000 && voice.0.bitRate == 16_000 && voice.1 == .highEfficiencyV2)
        let own = try await format(.high) {
            $0.sampleRate = 48_000
            $0.settings.rateControl = .average(bitRate: 48_000)
            $0.settings.profile = .highEfficiency
        }
        #expect(own.0.sampleRate == 48_000 && own.0.bitRate == 48_000 && own.1 == .highEfficiency)
    }

    @Test("A device's sample rate that the profile does not support is converted to 48 kHz")
    func unsupportedRate() async throws {
        var configuration = RecorderConfiguration(capture: CaptureConfiguration(sampleFormat: .int16))
        configuration.settings.profile = .enhancedLowDelay
        let backend = RunBackend([.init(sampleRate: 96_000, runs: [Self.tone(frames: 9_600, rate: 96_000)])])
        let recorder = Recorder(configuration, source: .backend(backend), sinks: Received().sinks)
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        #expect(recorder.format?.sampleRate == 48_000 && summary.profile == .enhancedLowDelay)
    }

    @Test(
        "Without a bit rate, HE-AAC has 32 kbit/s per coded channel",
        arguments: [(AACProfile.highEfficiency, 64_000), (.highEfficiencyV2, 32_000)])
    func usualRate(profile: AACProfile, bitRate: Int) async throws {
        var configuration = RecorderConfiguration(capture: CaptureConfiguration(sampleFormat: .int16))
        configuration.settings.profile = profile
        let backend = RunBackend([.init(channelCount: 2, runs: [Self.tone(frames: 4800, channels: 2)])])
        let recorder = Recorder(configuration, source: .backend(backend), sinks: Received().sinks)
        try await recorder.start()
        _ = await recorder.waitUntilFinished()
        #expect(recorder.format?.bitRate == bitRate)
    }

    @Test("Failed sink does not affect other sinks")
    func brokenSink() async throws {
        struct Broken: Error {}
        let received = Received()
        let count = Mutex(0)
        let broken = RecorderSink.accessUnits(name: "broken") { _ in
            if count.withLock({
                $0 += 1
                return $0 > 10
            }) {
                throw Broken()
            }
        }
        let recorder = Recorder(
            Self.configuration(), source: .backend(RunBackend([.init(runs: [Self.tone(frames: 100_000)])])),
            sinks: received.sinks + [broken])
        let events = recorder.events
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        #expect(summary.frameCount == 100_000 && received.samples.withLock { $0.count } == 100_000)
        #expect(summary.sinkFailures.keys.sorted() == ["broken"])
        var names: [String] = []
        for await case .sinkFailed(let name, _) in events { names.append(name) }
        #expect(names == ["broken"])
    }

    @Test("Sink that blocks for three seconds gets everything and delays no other sink")
    func frozenSink() async throws {
        let received = Received()
        let late = Received()
        let isFrozen = Mutex(true)
        let slow = RecorderSink.accessUnits(name: "slow") { accessUnit in
            while late.accessUnits.withLock({ $0.count == 20 }) && isFrozen.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
            late.accessUnits.withLock { $0.append(accessUnit) }
        }
        let recorder = Recorder(
            Self.configuration(), source: .backend(RunBackend([.init(runs: [Self.tone(frames: 100_000)], waits: true)])),
            sinks: received.sinks + [slow])
        try await recorder.start()
        #expect(await reached { late.accessUnits.withLock { $0.count } == 20 })
        try await Task.sleep(for: .seconds(3))
        #expect(await reached { received.accessUnits.withLock { $0.count } > 90 })
        #expect(late.accessUnits.withLock { $0.count } == 20)
        isFrozen.withLock { $0 = false }
        let summary = await recorder.stop()
        #expect(summary.sinkFailures.isEmpty && summary.frameCount == 100_000)
        #expect(late.accessUnits.withLock { $0.map(\.payload) } == received.accessUnits.withLock { $0.map(\.payload) })
    }

    @Test("Recorder released while recording completes its file")
    func released() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString).m4a").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var recorder: Recorder? = Recorder(
            Self.configuration(), source: .backend(RunBackend([.init(runs: [Self.tone(frames: 48_000)], waits: true)])),
            sinks: [.accessUnits(to: ContainerFileSink(path: path, container: .m4a))])
        let events = try #require(recorder?.events)
        try await recorder?.start()
        #expect(await reached { recorder?.summary.frameCount == 48_000 })
        recorder = nil
        var validFrames: Int?
        for await case .finished(let summary) in events { validFrames = summary.gaplessInfo?.validFrames }
        #expect(validFrames == 48_000)
        let reader = try MP4Reader(MemorySource([UInt8](Data(contentsOf: URL(filePath: path)))))
        #expect(reader.metadata.gaplessInfo?.validFrames == 48_000)
    }

    @Test("Sink that cannot be opened throws from the start")
    func refusedSink() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString).aac").path
        #expect(FileManager.default.createFile(atPath: path, contents: Data([1, 2, 3])))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder(
            Self.configuration(), source: .backend(RunBackend([.init(runs: [Self.tone(frames: 1000)])])), sinks: [.file(path)])
        let error = await #expect(throws: DeviceError.self) { try await recorder.start() }
        #expect(error?.underlyingError as? AudioFileError == AudioFileError(.outputExists, path: path))
        await recorder.stop()
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3]))
    }

    @Test("Duration is exact to the frame")
    func duration() async throws {
        var configuration = Self.configuration()
        configuration.duration = .milliseconds(750)
        let received = Received()
        let recorder = Recorder(
            configuration, source: .backend(RunBackend([.init(runs: [Self.tone(frames: 100_000)], waits: true)])), sinks: received.sinks)
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        #expect(summary.frameCount == 36_000 && summary.gaplessInfo?.validFrames == 36_000)
    }

    @Test("Duration beyond the source has no effect")
    func endlessDuration() async throws {
        var configuration = Self.configuration()
        configuration.duration = .seconds(Int64.max)
        let received = Received()
        let recorder = Recorder(
            configuration, source: .backend(RunBackend([.init(runs: [Self.tone(frames: 1000)])])), sinks: received.sinks)
        try await recorder.start()
        #expect(await recorder.waitUntilFinished().frameCount == 1000)
    }

    @Test("Measures a tone's levels; a pause skips audio")
    func levelsAndPause() async throws {
        let received = Received()
        let backend = RunBackend([.init(runs: [Self.tone(frames: 48_000)], waits: true)])
        let recorder = Recorder(Self.configuration(), source: .backend(backend), sinks: received.sinks)
        let silent = recorder.levels()
        recorder.isPaused = true
        try await recorder.start()
        #expect(await reached { recorder.summary.capture.recordedFrames == 48_000 })
        #expect(await recorder.stop().frameCount == 0)
        #expect(await silent.first { _ in true } == nil)
        let second = Recorder(
            Self.configuration(), source: .backend(RunBackend([.init(runs: [Self.tone(frames: 48_000)], waits: true)])),
            sinks: received.sinks)
        let stream = second.levels(every: .seconds(1))
        try await second.start()
        let levels = try #require(await stream.first { _ in true })
        #expect(abs(AudioLevels.decibels(levels.peak[0]) + 12.25) < 0.01)
        #expect(abs(AudioLevels.decibels(levels.rootMeanSquare[0]) + 15.26) < 0.02)
        await second.stop()
    }

    @Test("Failed start leaves no file behind and truncates none", arguments: ["b.aac", "nowhere/b.wav"])
    func failedStart(second: String) async throws {
        let folder = try TemporaryFolder()
        let old = try folder.write([1, 2, 3], to: "b.aac")
        var configuration = Self.configuration()
        configuration.codec = .opus(OpusParameters())
        let recorder = Recorder(
            configuration, source: .backend(RunBackend([.init(runs: [Self.tone(frames: 1000)])])),
            sinks: [.file(folder.path("a.m4a")), .file(folder.path("a.flac")), .file(folder.path(second), overwrites: true)])
        await #expect(throws: DeviceError.self) { try await recorder.start() }
        await recorder.stop()
        #expect(try folder.contents == ["b.aac"])
        #expect(try Data(contentsOf: URL(filePath: old)) == Data([1, 2, 3]))
    }

    @Test("Recording ends when all sinks have failed")
    func allSinksBroken() async throws {
        struct Broken: Error {}
        let recorder = Recorder(
            Self.configuration(), source: .backend(RunBackend([.init(runs: [Self.tone(frames: 100_000)], waits: true)])),
            sinks: [.samples { _ in throw Broken() }, .accessUnits { _ in throw Broken() }])
        try await recorder.start()
        let hasEnded = Mutex(false)
        Task.detached {
            await recorder.waitUntilFinished()
            hasEnded.withLock { $0 = true }
        }
        #expect(await reached { hasEnded.withLock { $0 } })
        let summary = await recorder.stop()
        #expect(summary.sinkFailures.keys.sorted() == ["closure"])
    }

    private func reached(_ condition: () -> Bool) async -> Bool {
        // One minute, because busy machines are slow.
        for _ in 0..<3000 {
            if condition() { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return condition()
    }
}
