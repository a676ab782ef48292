// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioDevices
import AudioPrimitives
import Foundation
import Synchronization
import Testing

@Suite(.serialized) struct EchoCancellingBackendTests {
    @Test("On a real server the echo of what is played is taken out of the recording", arguments: SoundServer.Kind.available)
    func live(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        // What the loudspeaker `stereomic` plays comes back at the microphone, some time later and softer.
        try server.control("set-default-sink", "stereomic")
        try server.control("load-module", "module-loopback", "source=stereomic.monitor", "sink=mic", "latency_msec=60")
        var configuration = CaptureConfiguration(device: "vmic", sampleRate: 48_000, channelCount: 1)
        configuration.bufferDuration = 0.01
        let backend = EchoCancellingBackend(
            microphone: PulseCaptureBackend(server: server.address), monitor: PulseCaptureBackend(server: server.address))
        let capture = AudioCapture(configuration, backend: backend)
        let record = CaptureRecord(capture)
        try capture.start { record.take($0) }
        let started = Date.now
        #expect(capture.format?.pcm == PCMFormat(.float32, channelCount: 1))
        let room = EchoSimulation.voice(seconds: 9)
        let player = try server.play(room, to: "stereomic", channels: 1, rate: 16_000)
        #expect(await Wait.until(30) { !player.isPlaying })
        capture.stop()
        let elapsed = Date.now.timeIntervalSince(started)
        #expect(abs(Double(record.frames) / 48_000 - elapsed) < 0.3)
        #expect(record.breaks == 0 && capture.statistics.lostFrames == 0)
        let samples = record.floats
        // The voice has an RMS of 0.1. The servers' modules drift too much for more than this.
        let late = samples.suffix(4 * 48_000)
        let level = 10 * log10(late.reduce(1e-12) { $0 + Double($1) * Double($1) } / Double(late.count))
        #expect(level < -32, "\(level) dB")
    }

    // PipeWire's session manager takes its time over a new default output, on a bare machine more than this test waits.
    @Test("What is played is followed to another output", arguments: SoundServer.Kind.available.filter { $0 == .pulseaudio })
    func followsDefaultOutput(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        try server.control("load-module", "module-null-sink", "sink_name=second", "rate=48000", "channels=1", "channel_map=mono")
        try server.control("set-default-sink", "stereomic")
        for output in ["stereomic", "second"] {
            try server.control("load-module", "module-loopback", "source=\(output).monitor", "sink=mic", "latency_msec=60")
        }
        let backend = EchoCancellingBackend(
            microphone: PulseCaptureBackend(server: server.address), monitor: PulseCaptureBackend(server: server.address))
        let capture = AudioCapture(CaptureConfiguration(device: "vmic", sampleRate: 48_000, channelCount: 1), backend: backend)
        let record = CaptureRecord(capture)
        try capture.start { record.take($0) }
        #expect(await Wait.until(10) { record.frames > 24_000 })
        try server.control("set-default-sink", "second")
        let change = RouteChange(reason: .routeConfigurationChange, old: "vmic", new: "vmic", subject: "second")
        try await record.wait(for: "\(change)") { $0 == .routeChanged(change) }
        let player = try server.play(EchoSimulation.voice(seconds: 9), to: "second", channels: 1, rate: 16_000)
        #expect(await Wait.until(30) { !player.isPlaying })
        // The output that is the default now goes away: the one before is it again.
        let module = try #require(
            try server.control("list", "short", "modules").split(separator: "\n").first { $0.contains("sink_name=second") })
        let frames = record.frames
        try server.control("unload-module", String(module.prefix { $0.isNumber }))
        #expect(await Wait.until(10) { record.frames > frames + 48_000 })
        capture.stop()
        #expect(record.breaks == 0 && record.filledFrames == 0 && capture.statistics.openings == 1, "\(record.events)")
        let late = record.floats[(frames - 4 * 48_000)..<frames]
        let level = 10 * log10(late.reduce(1e-12) { $0 + Double($1) * Double($1) } / Double(late.count))
        // Nothing is taken out of what isn't followed. On a busy machine the server's loopback drifts after its start.
        #expect(level < -24, "\(level) dB")
    }

    @Test("Without an output there is nothing to cancel, and that is an error", arguments: SoundServer.Kind.available)
    func noReference(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        let backend = EchoCancellingBackend(
            microphone: PulseCaptureBackend(server: server.address), monitor: PulseCaptureBackend(server: server.address),
            options: EchoCancellationOptions(reference: "nothing"))
        let capture = AudioCapture(CaptureConfiguration(), backend: backend)
        let error = #expect(throws: DeviceError.self) { try capture.start { _ in } }
        guard case .deviceNotFound("nothing", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
