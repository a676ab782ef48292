// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import TestSupport
import Testing

@Suite struct SpeakerTests {
    @Test("Plays and captures four channels at their speakers without mixing")
    func quadraphony() async throws {
        let server = try SoundServer(.pulseaudio)
        try server.control(
            "load-module", "module-null-sink", "sink_name=quad", "rate=48000", "channels=4", "channel_map=surround-40", "norewinds=1")
        let layout = ChannelLayout([.left, .right, .backLeft, .backRight])
        var playback = PlaybackConfiguration(device: "quad", sampleRate: 48_000, channelCount: 4)
        playback.channelLayout = layout
        let device = try PulsePlaybackBackend(playback, server: server.address)
        defer { device.close() }
        let configuration = CaptureConfiguration(device: "quad.monitor", channelCount: 4, sampleFormat: .int16)
        let capture = AudioCapture(configuration, source: .pulseAudio(server: server.address))
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        #expect(capture.format?.channelLayout == layout)
        // A constant per channel.
        let frames = [[Float]](repeating: [1 / 16, 2 / 16, 3 / 16, 4 / 16], count: 4800).flatMap(\.self)
        let isHeard = try await Wait.until {
            _ = try device.write(frames.span.bytes, timeout: .milliseconds(100))
            return record.samples.suffix(4).contains { $0 != 0 }
        }
        #expect(isHeard)
        await capture.stop()
        let samples = record.samples
        let start = try #require(samples.firstIndex { $0 != 0 }) / 4 * 4
        // Skips what the server may interpolate at the start.
        let frame = samples[start...].dropFirst(400).prefix(4)
        #expect(zip(frame, [2048, 4096, 6144, 8192]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(Array(frame))")
    }
}
