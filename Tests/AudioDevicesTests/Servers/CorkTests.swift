// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioPrimitives
import Testing

@testable import AudioDevices

@Suite struct CorkTests {
    @Test("Music is held back while a call is on, and goes on after it")
    func call() async throws {
        // PipeWire has no such module.
        let server = try SoundServer(.pulseaudio)
        try server.control("load-module", "module-role-cork")
        let configuration = PlaybackConfiguration(sampleRate: 48_000, channelCount: 2)
        let device = try PulsePlaybackDevice(configuration, server: server.address)
        defer { device.close() }
        let silence = [Float](repeating: 0, count: 96_000)
        func played() throws -> Int { try silence.withUnsafeBytes { try device.write($0, waiting: 0.2) } }
        #expect(try played() > 0 && !device.isInterrupted)
        let call = try server.play(
            [Int16](repeating: 0, count: 96_000 * 20), to: "mic", channels: 2, properties: ["media.role=phone"])
        #expect(
            try await Wait.until(10) {
                _ = try played()
                return device.isInterrupted
            })
        // Held back, it takes no more than its buffer, and nothing of that is heard.
        while try played() > 0 {}
        let waiting = device.waitingFrameCount
        try await Task.sleep(for: .seconds(0.5))
        #expect(try played() == 0 && abs(device.waitingFrameCount - waiting) < 2400)
        call.end()
        #expect(await Wait.until(10) { !device.isInterrupted })
        #expect(try await Wait.until(10) { try played() > 0 })
    }
}
