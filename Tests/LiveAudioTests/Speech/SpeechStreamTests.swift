// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import LiveAudio
import Synchronization
import TestSupport
import Testing

/// Speech from recorders and captures.
@Suite struct SpeechStreamTests {
    /// A ramp in mono at 16 kHz.
    private struct Ramp: PCMSource {
        let sampleRate = 16_000
        let channelCount = 1
        var frames: Range<Int>

        init(frames: Int) { self.frames = 0..<frames }

        static func sample(_ frame: Int) -> Float { Float(frame % 10_007) / 16_384 }

        mutating func next() -> PCMBuffer? {
            let part = frames.prefix(1600)
            frames = frames.dropFirst(1600)
            return part.isEmpty ? nil : PCMBuffer(channels: [part.map(Self.sample)], sampleRate: 16_000)
        }
    }

    /// Samples that a sink receives.
    private final class Received: Sendable {
        let samples = Mutex<[Float]>([])
        var sink: RecorderSink { .samples { buffer in self.samples.withLock { $0 += buffer.channels[0] } } }
    }

    private static var configuration: RecorderConfiguration { RecorderConfiguration(sampleRate: 16_000, channelCount: 1) }

    @Test("A recorder delivers the recorded samples in blocks of one length, beside its sinks")
    func recorder() async throws {
        let received = Received()
        let recorder = Recorder(Self.configuration, source: .program(Ramp(frames: 40_100)), sinks: [received.sink])
        var blocks: [SpeechBlock] = []
        for try await block in recorder.speech(blockDuration: .milliseconds(32)) { blocks.append(block) }
        await recorder.waitUntilFinished()
        #expect(blocks.count == 79 && blocks.allSatisfy { $0.samples.count == 512 })
        let samples = blocks.flatMap(\.samples)
        #expect(samples.prefix(40_100) == received.samples.withLock { $0 }[...] && samples.dropFirst(40_100).allSatisfy { $0 == 0 })
        #expect(blocks.map { $0.time.value } == (0..<79).map { 512 * $0 } && blocks.map(\.number) == Array(0..<79))
    }

    @Test("Speech ends with the duration of the recording")
    func duration() async throws {
        var configuration = Self.configuration
        configuration.duration = .seconds(1.25)
        let recorder = Recorder(configuration, source: .program(Ramp(frames: 100_000)))
        var samples: [Float] = []
        for try await block in recorder.speech(blockDuration: .milliseconds(1)) { samples += block.samples }
        #expect(samples == (0..<20_000).map(Ramp.sample))
    }

    @Test("A pause has no length in positions, but in host times")
    func pause() async throws {
        let source = GatedSource()
        let recorder = Recorder(source: .program(source))
        let stream = recorder.speech(blockDuration: .milliseconds(10))
        let reader = Task {
            var blocks: [SpeechBlock] = []
            for try await block in stream { blocks.append(block) }
            return blocks
        }
        #expect(await Wait.until { recorder.captureStates[0] == .running })
        await source.deliver(48_000)
        #expect(await Wait.until { recorder.summary.frameCount == 48_000 })
        recorder.isPaused = true
        await source.deliver(24_000)
        #expect(await Wait.until { recorder.summary.capture.recordedFrames == 72_000 })
        recorder.isPaused = false
        await source.deliver(48_000)
        source.end()
        let blocks = try await reader.value
        // The last buffer of the pause may be processed after its end.
        #expect((200...210).contains(blocks.count) && blocks.indices.allSatisfy { blocks[$0].time.value == 160 * $0 })
        let steps = zip(blocks, blocks.dropFirst()).map { $1.hostTime - $0.hostTime }
        #expect(steps.indices.filter { steps[$0] > 400_000_000 } == [99], "\(steps)")
        #expect((409_000_000...511_000_000).contains(steps[99]))
    }

    @Test("A slow reader loses the oldest blocks, visible in their numbers")
    func slowReader() async throws {
        let recorder = Recorder(Self.configuration, source: .program(Ramp(frames: 16_000 * 90)))
        let stream = recorder.speech(blockDuration: .seconds(1))
        try await recorder.start()
        await recorder.waitUntilFinished()
        var blocks: [SpeechBlock] = []
        for try await block in stream { blocks.append(block) }
        #expect(blocks.map(\.number) == Array(30..<90) && blocks.first?.time == MediaTime(value: 30, timescale: 1))
        #expect(blocks.first?.samples.first == Ramp.sample(30 * 16_000))
    }

    @Test("A capture waits for its reader and delivers everything")
    func capture() async throws {
        let capture = AudioCapture(source: .program(Ramp(frames: 16_000 * 90 + 7)))
        var samples: [Float] = []
        for try await block in capture.speech(blockDuration: .milliseconds(500)) {
            #expect(block.time.value == samples.count && block.samples.count == 8000)
            samples += block.samples
        }
        #expect(samples.count == 16_000 * 90 + 8000 && samples[16_000 * 90 + 6] == Ramp.sample(16_000 * 90 + 6))
    }

    @Test("A click in a device appears at the host time that the device measured")
    func device() async throws {
        var run = [Int16](repeating: 0, count: 96_000)
        for frame in stride(from: 12_345, to: 96_000, by: 24_000) { run[frame] = 16_000 }
        let start: Int64 = 5_000_000_000
        let runs = stride(from: 0, to: run.count, by: 480).map { Array(run[$0..<$0 + 480]) }
        let backend = RunBackend([.init(runs: runs, hostTime: start)])
        let recorder = Recorder(RecorderConfiguration(capture: CaptureConfiguration(sampleFormat: .int16)), source: .backend(backend))
        var found: [Int64] = []
        for try await block in recorder.speech() {
            for index in block.samples.indices where block.samples[index] > 0.1 {
                found.append(block.hostTime - start + Int64(index) * 62_500)
            }
        }
        let expected = stride(from: 12_345, to: 96_000, by: 24_000).map { Int64($0) * 1_000_000_000 / 48_000 }
        for time in expected { #expect(found.contains { abs($0 - time) < 100_000 }, "\(time) in \(found)") }
        #expect(found.allSatisfy { time in expected.contains { abs($0 - time) < 200_000 } }, "\(found)")
    }

    @Test("Errors of the source and of the start end the loop")
    func errors() async throws {
        let failing = CaptureSource.program(sampleRate: 2_000_000, channelCount: 1) { nil }
        await #expect(throws: DeviceError.self) { for try await _ in Recorder(source: failing).speech() {} }
        await #expect(throws: DeviceError.self) { for try await _ in AudioCapture(source: failing).speech() {} }
        // No converter reaches this rate.
        let recorder = Recorder(Self.configuration, source: .program(Ramp(frames: 1600)))
        await #expect(throws: DeviceError.self) { for try await _ in recorder.speech(sampleRate: 16_000_000) {} }
    }
}
