// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioDevices
import AudioFiles
import AudioPrimitives
import Foundation
import LiveAudio
import Synchronization
import Testing

@Suite struct RecorderStreamTests {
    /// A tone at 48 kHz.
    private struct Tone: PCMSource {
        struct Failure: Error {}

        let sampleRate = 48_000
        let channelCount = 1
        var frames: Int
        var fails = false
        var isEndless = false
        private var position = 0

        init(frames: Int, fails: Bool = false, isEndless: Bool = false) {
            self.frames = frames
            self.fails = fails
            self.isEndless = isEndless
        }

        mutating func next() throws -> PCMBuffer? {
            if position >= frames {
                if fails { throw Failure() }
                if !isEndless { return nil }
                Thread.sleep(forTimeInterval: 0.01)
            }
            let count = min(480, max(frames - position, isEndless ? 480 : 0))
            var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: 1, frameCapacity: count)
            for index in 0..<count { buffer.samples[index] = 0.25 * Float(sin(Double(position + index) * 0.05)) }
            position += count
            return buffer
        }
    }

    @Test("Loop over access units records from start to end without another call")
    func accessUnits() async throws {
        let recorder = Recorder(source: .program(Tone(frames: 100_000)))
        var times: [Int64] = []
        for try await accessUnit in recorder.accessUnits { times.append(accessUnit.presentationTime.value) }
        let summary = recorder.summary
        #expect(times.count == summary.accessUnitCount && summary.gaplessInfo?.validFrames == 100_000)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1024 })
    }

    @Test("Byte stream is playable", arguments: [AudioFileFormat.adts, .loas, .m4a])
    func bytes(format: AudioFileFormat) async throws {
        let recorder = Recorder(source: .program(Tone(frames: 100_000)))
        var stream: [UInt8] = []
        for try await bytes in recorder.bytes(in: format) {
            if format == .adts { #expect(bytes.prefix(2) == [0xFF, 0xF1]) }
            stream += bytes
        }
        let path = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(stream).write(to: URL(filePath: path))
        let file = try AudioFile(path: path)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 4096)
        var frames = 0
        repeat {
            try file.read(into: &buffer)
            frames += buffer.frameCount
        } while buffer.frameCount > 0
        #expect(frames >= 100_000)
    }

    @Test("Container that cannot be streamed throws in the loop")
    func refusedContainer() async throws {
        let recorder = Recorder(source: .program(Tone(frames: 1000)))
        await #expect(throws: DeviceError.self) { for try await _ in recorder.bytes(in: .caf) {} }
    }

    @Test("Start error is thrown in the loop and by every other start")
    func refusedStart() async throws {
        let recorder = Recorder(source: .program(Tone(frames: 1000)), sinks: [.file("/tmp/linnet-recorder.mp3")])
        let accessUnits = recorder.accessUnits
        let error = await #expect(throws: DeviceError.self) { for try await _ in accessUnits {} }
        guard case .unsupportedFileExtension("/tmp/linnet-recorder.mp3") = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await #expect(throws: DeviceError.self) { try await recorder.start() }
        #expect(await recorder.stop().frameCount == 0)
    }

    @Test("Source error ends the loop after all preceding audio")
    func failingSource() async throws {
        let recorder = Recorder(source: .program(Tone(frames: 48_000, fails: true)))
        let count = Mutex(0)
        let error = await #expect(throws: DeviceError.self) {
            for try await _ in recorder.accessUnits { count.withLock { $0 += 1 } }
        }
        guard case .source = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(count.withLock { $0 } == recorder.summary.accessUnitCount && recorder.summary.frameCount == 48_000)
    }

    @Test("Idle reader delays nothing and then gets the newest access units")
    func slowReader() async throws {
        // 1500 access units are more than a stream buffers.
        let recorder = Recorder(source: .program(Tone(frames: 1500 * 1024)))
        let accessUnits = recorder.accessUnits
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        #expect(summary.frameCount == 1500 * 1024 && summary.failure == nil)
        var times: [Int64] = []
        for try await accessUnit in accessUnits { times.append(accessUnit.presentationTime.value) }
        #expect(times.count == 1024)
        #expect(times.last == Int64((summary.accessUnitCount - 1) * 1024 - 2112))
    }

    @Test("Two sinks write their files, and events arrive to the end")
    func twoSinks() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let recorder = Recorder(source: .program(Tone(frames: 50_000)), sinks: [.file("\(folder)/a.m4a"), .file("\(folder)/a.wav")])
        let events = recorder.events
        try await recorder.start()
        var names: [String] = []
        for await event in events {
            switch event {
            case .capture(.started): names.append("started")
            case .capture(.stopped): names.append("stopped")
            case .finished(let summary): names.append("finished \(summary.frameCount)")
            default: break
            }
        }
        #expect(names == ["started", "stopped", "finished 50000"])
        for name in ["a.m4a", "a.wav"] { #expect(try AudioFile(path: "\(folder)/\(name)").frameCount == 50_000) }
    }

    @Test("Concurrent stops during the start end the recorder once")
    func concurrentStops() async throws {
        for round in 0..<50 {
            let recorder = Recorder(source: .program(Tone(frames: 480, isEndless: true)), sinks: [.samples { _ in }])
            let starts = (0..<2).map { _ in Task { try? await recorder.start() } }
            if round % 2 == 0 { try await Task.sleep(for: .milliseconds(round / 10)) }
            let stops = (0..<3).map { _ in Task { await recorder.stop() } }
            for stop in stops { _ = await stop.value }
            for start in starts { await start.value }
            // A stop before the start does nothing.
            await recorder.stop()
            let state = recorder.captureStates[0]
            #expect(state == .stopped || state == .failed(.cancelled) || state == .idle, "\(state)")
        }
    }
}
