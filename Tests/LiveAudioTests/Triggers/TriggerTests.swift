// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import LiveAudio
import TestSupport
import Testing

/// Recordings that start and stop by themselves.
@Suite struct TriggerTests {
    private static func waits(_ events: [RecorderEvent]) -> [Bool] {
        events.compactMap { if case .waitingForLevel(let waits) = $0 { waits } else { nil } }
    }

    @Test("A recording starts exactly the pre-roll before the first loud sample", arguments: [0, 700, 24_000, 100_000])
    func preRoll(frames: Int) async throws {
        let folder = try TemporaryFolder()
        var samples = SplitRecording.noise(96_000).map { $0 / 1024 }
        samples[50_000] = -0.5
        var configuration = SplitRecording.configuration
        configuration.startLevel = -20
        configuration.preRoll = .seconds(Double(frames) / 48_000)
        let path = folder.path("a.wav")
        let sink = RecorderSink.samples(to: PCMFileSink(path: path, sampleFormat: .float32))
        let recording = try await SplitRecording.record(samples, configuration, [sink])
        #expect(try SplitRecording.decoded(path) == Array(samples[max(0, 50_000 - frames)...]))
        #expect(Self.waits(recording.events) == [true, false])
    }

    @Test("Speech is the recording, from its pre-roll on")
    func speech() async throws {
        var samples = SplitRecording.noise(96_000).map { $0 / 1024 }
        samples[50_000] = -0.5
        var configuration = SplitRecording.configuration
        configuration.startLevel = -20
        configuration.preRoll = .milliseconds(250)
        let recorder = Recorder(configuration, source: .program(StoredSource(samples)))
        var blocks: [SpeechBlock] = []
        for try await block in recorder.speech(blockDuration: .milliseconds(10), sampleRate: 48_000) { blocks.append(block) }
        #expect(blocks.indices.allSatisfy { blocks[$0].time.value == 480 * $0 })
        #expect(blocks.flatMap(\.samples).starts(with: samples[38_000...]))
    }

    @Test("Audio below the start level creates no file")
    func noTrigger() async throws {
        let folder = try TemporaryFolder()
        let old = try folder.write([1], to: "old.m4a")
        var configuration = SplitRecording.configuration
        configuration.startLevel = -10
        let sinks: [RecorderSink] = [.file(folder.path("a.wav")), .file(folder.path("a.aac")), .file(old, overwrites: true)]
        let recording = try await SplitRecording.record(SplitRecording.noise(48_000), configuration, sinks)
        #expect(recording.summary.frameCount == 0 && recording.summary.sinkFailures.isEmpty)
        #expect(try folder.contents == ["old.m4a"] && bytes(ofFile: old) == [1])
        #expect(Self.waits(recording.events) == [true])
    }

    @Test("Files that cannot be created end the start, also before the start level")
    func refusedNames() async throws {
        let folder = try TemporaryFolder()
        var configuration = SplitRecording.configuration
        configuration.startLevel = -10
        for path in [try folder.write([1], to: "old.wav"), folder.path("missing/a.wav"), folder.path("a.xyz")] {
            await #expect(throws: DeviceError.self) {
                _ = try await SplitRecording.record(SplitRecording.noise(4800), configuration, [.file(path)])
            }
        }
    }

    @Test("Silence ends the recording and is kept; earlier silence does not")
    func stopSilence() async throws {
        let folder = try TemporaryFolder()
        let quiet = [Float](repeating: 0, count: 48_000)
        let samples = quiet + SplitRecording.noise(48_000) + quiet[..<40_000] + SplitRecording.noise(9600) + quiet + quiet
        var configuration = SplitRecording.configuration
        configuration.startLevel = -30
        configuration.preRoll = .zero
        configuration.stopConditions.silence = .seconds(1)
        let path = folder.path("a.wav")
        let recording = try await SplitRecording.record(samples, configuration, [.file(path)])
        // The windows of 20 ms begin with the first recorded frame.
        #expect(abs(recording.summary.frameCount - (48_000 + 40_000 + 9600 + 48_000)) <= 960)
        let file = try SplitRecording.decoded(path)
        #expect(file.count == recording.summary.frameCount && file.suffix(47_000).allSatisfy { $0 == 0 })
    }

    @Test("A time of day ends the recording, even while it waits for its level", arguments: [true, false])
    func stopTime(waits: Bool) async throws {
        let folder = try TemporaryFolder()
        var configuration = SplitRecording.configuration
        let time = try #require(DayTime("12:00"))
        let now = WallClock().time(at: HostClock.now)
        let noon = try #require(WallClock.next([time], after: now))
        configuration.stopConditions.time = time
        if waits { configuration.startLevel = 0 }
        configuration.wallClock.shift = .seconds(noon - now - 60)
        let samples = [Float](repeating: 0.5, count: 960_000)
        let recording = try await SplitRecording.record(samples, sampleRate: 8000, configuration, [.file(folder.path("a.wav"))])
        // Starting takes some of the minute. The first buffer ends when it arrives, so that it can start some seconds earlier.
        let count = recording.summary.frameCount
        #expect(waits ? count == 0 : (1..<520_000).contains(count), "\(count) frames")
    }

    @Test("A total size ends the recording before it is exceeded")
    func stopSize() async throws {
        let folder = try TemporaryFolder()
        var configuration = SplitRecording.configuration
        configuration.stopConditions.byteCount = 300_000
        configuration.splitting = .every(.milliseconds(500))
        let sinks: [RecorderSink] = [.file(folder.path("a.wav")), .file(folder.path("a.m4a"))]
        let recording = try await SplitRecording.record(SplitRecording.noise(960_000), configuration, sinks)
        let total = try folder.contents.reduce(0) { try $0 + bytes(ofFile: folder.path($1)).count }
        #expect((240_000...300_000).contains(total), "\(total)")
        #expect(recording.summary.sinkFailures.isEmpty)
    }
}
