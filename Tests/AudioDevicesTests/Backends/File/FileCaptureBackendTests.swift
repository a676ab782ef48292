// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import Synchronization
import Testing

@Suite struct FileCaptureBackendTests {
    private static func file(_ samples: [Int16]) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString).raw").path
        try samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
        return path
    }

    @Test("Unpaced file arrives completely at a slow receiver, and ends the capture")
    func unpaced() async throws {
        let path = try Self.file(CountedSignal.mono(frames: 700_001))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var configuration = CaptureConfiguration(channelCount: 1, sampleFormat: .int16)
        configuration.queueDuration = .milliseconds(500)
        let capture = AudioCapture(configuration, source: .rawFile(path, pace: .unpaced))
        let record = CaptureRecord(capture)
        try await capture.start { audio in
            if record.frames % 100_000 < 960 { Thread.sleep(forTimeInterval: 0.05) }
            record.take(audio)
        }
        await capture.waitUntilFinished()
        #expect(capture.state == .stopped)
        #expect(CountedSignal.verify(mono: record.samples) == .init(frames: 700_001))
        #expect(capture.statistics.lostFrames == 0 && record.filledFrames == 0)
    }

    @Test("Real-time file takes its duration and has matching host times")
    func realTime() async throws {
        let path = try Self.file(CountedSignal.mono(frames: 14_400))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let capture = AudioCapture(CaptureConfiguration(channelCount: 1, sampleFormat: .int16), source: .rawFile(path))
        let record = CaptureRecord(capture)
        let start = Date.now
        try await capture.start { record.take($0) }
        await capture.waitUntilFinished()
        #expect(Date.now.timeIntervalSince(start) >= 0.29)
        #expect(CountedSignal.verify(mono: record.samples) == .init(frames: 14_400))
        let hostTimes = record.contents.withLock { $0.hostTimes }
        let span = (hostTimes.last ?? 0) - (hostTimes.first ?? 0)
        #expect(abs(span - 280_000_000) < 1_000_000, "\(span)")
    }

    @Test("Missing file and directory throw; silent pipe does not delay a stop")
    func errors() async throws {
        let missing = AudioCapture(CaptureConfiguration(), source: .rawFile("/nowhere/x.raw"))
        await #expect(throws: DeviceError.file(path: "/nowhere/x.raw", code: 2)) { try await missing.start { _ in } }
        let directory = AudioCapture(CaptureConfiguration(), source: .rawFile("/"))
        await #expect(throws: DeviceError.file(path: "/", code: EISDIR)) { try await directory.start { _ in } }
        let path = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString).fifo").path
        mkfifo(path, 0o600)
        let writer = open(path, O_RDWR)
        defer {
            close(writer)
            unlink(path)
        }
        let capture = AudioCapture(CaptureConfiguration(), source: .rawFile(path))
        try await capture.start { _ in }
        let start = Date.now
        await capture.stop()
        #expect(Date.now.timeIntervalSince(start) < 2)
    }
}
