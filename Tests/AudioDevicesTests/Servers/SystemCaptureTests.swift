// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import TestSupport
import Testing

@Suite(.serialized) struct SystemCaptureTests {
    @Test("Captures the default output, and follows a change of it", arguments: SoundServer.Kind.available)
    func newDefault(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind, output: "stereomic") { $0.device = "system" }
        #expect(recording.capture.format?.device == "stereomic.monitor")
        try await recording.server.addOutput("second")
        let other = try recording.server.play(CountedSignal.long, to: "second", channels: 2)
        defer { other.end() }
        await recording.listen(seconds: 2)
        try await recording.server.makeDefaultOutput("second")
        let change = RouteChange(
            reason: .routeConfigurationChange, old: "stereomic.monitor", new: "second.monitor", subject: "second")
        try await recording.record.wait(for: "\(change)") { $0 == .routeChanged(change) }
        recording.player.end()
        #expect(await Wait.until { recording.record.latestNumber > 0 })
        await recording.stopAndCompareClock(hasGap: false)
        #expect(recording.capture.format?.device == "second.monitor")
        #expect(recording.capture.statistics.openings == 1)
        // What the server loses between two streams.
        #expect(recording.capture.statistics.filledFrames < 24_000)
    }

    @Test("Removed default output is replaced by the new default", arguments: SoundServer.Kind.available)
    func removedOutput(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        try await server.addOutput("second")
        try await server.makeDefaultOutput("second")
        let capture = AudioCapture(CaptureConfiguration(device: "system"), source: .pulseAudio(server: server.address))
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        #expect(capture.format?.device == "second.monitor")
        let module = try #require(
            try server.control("list", "short", "modules").split(separator: "\n").first { $0.contains("sink_name=second ") })
        try server.control("unload-module", String(module.prefix { $0.isNumber }))
        #expect(await Wait.until { capture.state == .running && capture.format?.device.hasSuffix("mic.monitor") == true })
        let frames = record.frames
        #expect(await Wait.until { record.frames > frames + 24_000 })
        await capture.stop()
        #expect(record.breaks == 0)
    }

    @Test("Server without an output has no system audio")
    func noOutput() async throws {
        let server = try SoundServer(.pulseaudio)
        for module in try server.control("list", "short", "modules").split(separator: "\n") where module.contains("module-null-sink") {
            // Unloading a sink also unloads the sources that depend on it.
            try server.control("unload-module", String(module.prefix { $0.isNumber }))
        }
        let capture = AudioCapture(CaptureConfiguration(device: "system"), source: .pulseAudio(server: server.address))
        await #expect(throws: DeviceError.noDevice(.pulseAudio, .output)) { try await capture.start { _ in } }
    }
}
