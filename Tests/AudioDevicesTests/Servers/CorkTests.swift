// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import TestSupport
import Testing

@Suite struct CorkTests {
    @Test("Call interrupts music, which resumes afterwards")
    func call() async throws {
        // PipeWire has no such module.
        let server = try SoundServer(.pulseaudio)
        try server.control("load-module", "module-role-cork")
        let configuration = PlaybackConfiguration(sampleRate: 48_000, channelCount: 2)
        let device = try PulsePlaybackBackend(configuration, server: server.address)
        defer { device.close() }
        let silence = [Float](repeating: 0, count: 96_000)
        func played() throws -> Int { try device.write(silence.span.bytes, timeout: .milliseconds(200)) }
        #expect(try played() > 0 && !device.isInterrupted)
        let call = try server.play(
            [Int16](repeating: 0, count: 96_000 * 120), to: "mic", channels: 2, properties: ["media.role=phone"])
        #expect(
            try await Wait.until {
                _ = try played()
                return device.isInterrupted
            })
        // While corked, the stream accepts at most its buffer and plays nothing.
        func isStill() async throws -> Bool {
            guard try played() == 0 else { return false }
            let waiting = device.waitingFrameCount
            try await Task.sleep(for: .seconds(0.5))
            return try played() == 0 && abs(device.waitingFrameCount - waiting) < 2400
        }
        #expect(try await Wait.until { try await isStill() })
        #expect(device.isInterrupted)
        call.end()
        #expect(await Wait.until { !device.isInterrupted })
        #expect(try await Wait.until { try played() > 0 })
    }

    @Test("Server that is lost before the last buffer was played is an error")
    func loss() async throws {
        let server = try SoundServer(.pulseaudio)
        let device = try PulsePlaybackBackend(PlaybackConfiguration(sampleRate: 48_000, channelCount: 2), server: server.address)
        defer { device.close() }
        let silence = [Float](repeating: 0, count: 48_000)
        #expect(try device.write(silence.span.bytes, timeout: .milliseconds(200)) > 0)
        #expect(device.failure == nil)
        try server.crash()
        #expect(await Wait.until { device.drain(timeout: .milliseconds(50)) })
        #expect(device.failure != nil)
    }
}
