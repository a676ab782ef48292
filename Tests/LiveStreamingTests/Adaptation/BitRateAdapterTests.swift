// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioDevices
import AudioFiles
import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import Synchronization
import TestSupport
import Testing

/// Bit rate control of a recording with a throttled destination, in accelerated time.
@Suite(.serialized) struct BitRateAdapterTests {
    private let clock = FastClock(speed: 8)
    private let range = 12_000...48_000

    private var configuration: RecorderConfiguration {
        var configuration = RecorderConfiguration(rateControl: .average(bitRate: range.upperBound))
        configuration.settings.effort = .fast
        return configuration
    }

    /// Waits for a condition.
    ///
    /// - Returns: Whether it was met within a minute.
    private func wait(for condition: () -> Bool) async throws -> Bool {
        for _ in 0..<6000 {
            if condition() { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test("Rate follows a throttled destination without losses; a parallel file is complete")
    func recording() async throws {
        try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let path = folder.path("a.m4a")
        let source = PacedSource(clock)
        let destination = ThrottledDestination(clock, capacity: 1_000_000)
        // In accelerated time ten seconds are little more than one, and a thread of a busy machine may stall for that long.
        var limits = StreamingLimits()
        limits.queueDuration = .seconds(80)
        let sink = StreamingSink(destination, limits: limits)
        let recorder = Recorder(configuration, source: .program(source), sinks: [.accessUnits(to: sink), .file(path)])
        try await recorder.start()
        let adapter = BitRateAdapter(recorder, sinks: [sink], range: range, clock: clock)
        let running = Task { try await adapter.run() }

        #expect(try await wait { sink.statistics.sentUnitCount > 50 })
        #expect(try await wait { recorder.bitRate == 48_000 })
        destination.capacity.withLock { $0 = 20_000 }
        #expect(try await wait { (recorder.bitRate ?? 0) < 20_000 })
        #expect(try await wait { sink.statistics.queuedDuration < .seconds(0.5) })
        destination.capacity.withLock { $0 = 1_000_000 }
        #expect(try await wait { recorder.bitRate == 48_000 })
        source.end()
        let summary = await recorder.waitUntilFinished()
        try await running.value

        #expect(summary.sinkFailures.isEmpty && summary.failure == nil)
        #expect(sink.statistics.lostUnitCount == 0 && sink.statistics.connectionCount == 1)
        #expect(sink.statistics.sentByteCount == summary.byteCount && sink.statistics.queuedByteCount == 0)
        let arrived = destination.arrived.withLock { $0 }
        let expected: [Int64] = (0..<summary.accessUnitCount).map { number in Int64(number * 1024 - 2112) }
        #expect(arrived == expected)
        #expect(try AudioFile(path: path).frameCount == summary.frameCount)
        let run = try ProgramRun.shell("ffmpeg -v error -nostdin -i \(path) -f f32le -c:a pcm_f32le -")
        #expect(run.errorText.isEmpty && run.output.count >= 4 * summary.frameCount, "\(run.errorText)")
    }

    @Test("Unsupported range, or a recording that has not started, throws")
    func refusals() async throws {
        let source = PacedSource(clock)
        let recorder = Recorder(configuration, source: .program(source), sinks: [.accessUnits { _ in }])
        func error(_ range: ClosedRange<Int>) async -> String? {
            do throws(DeviceError) {
                try await recorder.adaptBitRate(in: range, to: [])
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(await error(range) == "the recording has not started or has ended")
        try await recorder.start()
        for range in [1...48_000, 12_000...1_000_000] {
            #expect(await error(range)?.contains("unsupported bit rate") == true)
            #expect(recorder.bitRate == 48_000)
        }
        source.end()
        await recorder.waitUntilFinished()
    }

    @Test("Ends with the recording, and when its task is cancelled")
    func end() async throws {
        let source = PacedSource(clock)
        let recorder = Recorder(configuration, source: .program(source), sinks: [.accessUnits { _ in }])
        try await recorder.start()
        let adapter = BitRateAdapter(recorder, sinks: [], range: range, clock: ContinuousClock())
        let cancelled = Task { try await adapter.run() }
        cancelled.cancel()
        try await cancelled.value
        let running = Task { try await adapter.run() }
        source.end()
        await recorder.waitUntilFinished()
        try await running.value
    }
}
