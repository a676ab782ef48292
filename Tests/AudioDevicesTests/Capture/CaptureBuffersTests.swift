// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import TestSupport
import Testing

@Suite struct CaptureBuffersTests {
    /// Converts a mono buffer of a 16-bit device.
    private static func samples(_ buffer: PCMBuffer) -> [Int16] { buffer.channels[0].map { Int16($0 * 32_768) } }

    @Test func `File arrives completely and in order at a slow reader, and ends the sequence`() async throws {
        let folder = try TemporaryFolder()
        let frames = 300_001
        let path = folder.path("in.raw")
        try CountedSignal.mono(frames: frames).withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
        var configuration = CaptureConfiguration(channelCount: 1, sampleFormat: .int16)
        configuration.queueDuration = .milliseconds(500)
        let capture = AudioCapture(configuration, source: .rawFile(path, pace: .unpaced))
        var found: [Int16] = []
        var count = 0
        for try await buffer in capture.buffers {
            #expect(buffer.sampleRate == 48_000 && buffer.channelCount == 1)
            found += Self.samples(buffer)
            count += 1
            if count % 100 == 0 { try await Task.sleep(for: .milliseconds(20)) }
        }
        #expect(CountedSignal.verify(mono: found) == .init(frames: frames))
        #expect(capture.state == .stopped && capture.statistics.lostFrames == 0)
    }

    @Test func `Leaving the loop stops the capture, and another loop starts it again`() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend)
        #expect(capture.state == .idle)
        for start in 1...2 {
            let writer = Task {
                while backend.starts < start || backend.input == nil { try await Task.sleep(for: .milliseconds(1)) }
                backend.write(frames: 4800)
            }
            for try await buffer in capture.buffers {
                #expect(buffer.frameCount > 0 && capture.state == .running)
                break
            }
            try await writer.value
            #expect(await Wait.until { capture.state == .stopped })
            #expect(backend.starts == start && backend.stops == start)
        }
    }

    @Test func `Cancelled task leaves the loop without an error, and the capture stops`() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend)
        let reader = Task {
            var frames = 0
            for try await buffer in capture.buffers { frames += buffer.frameCount }
            return frames
        }
        #expect(await Wait.until { capture.state == .running })
        reader.cancel()
        #expect(try await reader.value == 0)
        #expect(await Wait.until { capture.state == .stopped && backend.stops == 1 })
    }

    @Test func `Audio captured before a stop is read, then the sequence ends`() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend)
        let reader = Task {
            var found: [Int16] = []
            for try await buffer in capture.buffers { found += Self.samples(buffer) }
            return found
        }
        #expect(await Wait.until { backend.input != nil && capture.state == .running })
        backend.write(frames: 24_000)
        await capture.stop()
        #expect(CountedSignal.verify(mono: try await reader.value) == .init(frames: 24_000))
    }

    /// How the capture ends while the loop runs.
    enum Ending: CaseIterable { case stop, stopRequest, stopByAnotherTask, cancellation }

    @Test(.timeLimit(.minutes(1)), arguments: Ending.allCases, [0, 1000])
    func `Each way to end the capture inside the loop ends the loop; a stop loses nothing`(ending: Ending, queued: Int) async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend) { $0.queueDuration = .seconds(60) }
        let frames = 480 * (1 + queued)
        let reader = Task {
            var found: [Int16] = []
            for try await buffer in capture.buffers {
                if found.isEmpty {
                    // Many more buffers than the queue's limit, so that the worker waits for this loop.
                    for _ in 0..<queued { backend.write(frames: 480) }
                    if queued > 0 { try await Task.sleep(for: .milliseconds(50)) }
                    switch ending {
                    case .stop: await capture.stop()
                    case .stopRequest: capture.requestStop()
                    case .stopByAnotherTask: await Task { await capture.stop() }.value
                    case .cancellation: withUnsafeCurrentTask { $0?.cancel() }
                    }
                }
                found += Self.samples(buffer)
            }
            return found
        }
        #expect(await Wait.until { backend.input != nil && capture.state == .running })
        backend.write(frames: 480)
        let found = try await reader.value
        if ending != .cancellation { #expect(CountedSignal.verify(mono: found) == .init(frames: frames)) }
        #expect(await Wait.until { capture.state == .stopped && backend.stops == 1 })
        #expect(capture.statistics.lostFrames == 0)
    }

    @Test func `Device that cannot be opened throws from the first buffer`() async throws {
        let error = DeviceError.failed(.setSampleRate, .alsa, code: -22)
        let capture = AudioCapture.scripted(ScriptedBackend([.init(error: error)]))
        await #expect(throws: error) { for try await _ in capture.buffers { Issue.record("there is nothing to read") } }
        #expect(capture.state == .failed(error))
    }
}
