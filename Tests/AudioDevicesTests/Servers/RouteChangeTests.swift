// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioDevices
import AudioPrimitives
import Foundation
import Testing

@Suite(.serialized) struct RouteChangeTests {
    @Test("A stream that somebody moves tells so", arguments: SoundServer.Kind.available)
    func override(kind: SoundServer.Kind) async throws {
        let recording = try ServerRecording(kind)
        await recording.listen(seconds: 0.5)
        // PipeWire's session manager now and then forgets a move while the machine is busy.
        for _ in 0..<5 {
            try recording.server.control("move-source-output", recording.server.ownRecordStream(), "vstereo")
            if await Wait.until(3, { recording.capture.format?.device == "vstereo" }) { break }
        }
        try await expectChange(recording, .override, old: "vmic", new: "vstereo", subject: nil)
        await recording.stopAndCheck()
    }

    @Test("A new default takes the stream along", arguments: SoundServer.Kind.available)
    func newDefault(kind: SoundServer.Kind) async throws {
        let recording = try ServerRecording(kind)
        await recording.listen(seconds: 0.5)
        try recording.server.control("set-default-source", "vstereo")
        try await expectChange(recording, .routeConfigurationChange, old: "vmic", new: "vstereo", subject: "vstereo")
        await recording.stopAndCheck()
    }

    @Test("A device that comes is told, and changes nothing", arguments: SoundServer.Kind.available)
    func newDevice(kind: SoundServer.Kind) async throws {
        let recording = try ServerRecording(kind)
        await recording.listen(seconds: 0.5)
        try recording.server.control("load-module", "module-null-sink", "sink_name=another")
        try await expectChange(recording, .newDeviceAvailable, old: "vmic", new: "vmic", subject: "another.monitor")
        #expect(recording.capture.statistics.discontinuities == 0)
        await recording.stopAndCheck()
    }

    @Test("A device that goes takes the stream to the default", arguments: SoundServer.Kind.available)
    func oldDevice(kind: SoundServer.Kind) async throws {
        let recording = try ServerRecording(kind) {
            $0.device = "vstereo"
            $0.channelCount = 1
        }
        await recording.listen(seconds: 0.5)
        try unload("vstereo", from: recording.server)
        try await expectChange(recording, .oldDeviceUnavailable, old: "vstereo", new: "vmic", subject: "vstereo")
        await recording.stopAndCheck()
    }

    @Test("A device that goes, when only monitors are left, is an interruption until an input comes", arguments: SoundServer.Kind.available)
    func noInputLeft(kind: SoundServer.Kind) async throws {
        let recording = try ServerRecording(kind) { $0.channelCount = 1 }
        await recording.listen(seconds: 0.5)
        try unload("vstereo", from: recording.server)
        try unload("vmic", from: recording.server)
        try await recording.record.wait(for: "interrupted") { $0 == .interrupted(.deviceLost) }
        try recording.server.control("load-module", "module-remap-source", "source_name=vmic", "master=mic.monitor")
        try recording.server.control("set-default-source", "vmic")
        try await recording.record.wait(for: "resumed") { $0 == .resumed }
        await recording.listen(seconds: 0.5)
        await recording.stopAndCheck()
    }

    @Test("A stream that stays on its device loses it, and gets it back", arguments: SoundServer.Kind.available)
    func lostDevice(kind: SoundServer.Kind) async throws {
        let recording = try ServerRecording(kind) {
            $0.device = "vstereo"
            $0.staysOnDevice = true
        }
        await recording.listen(seconds: 0.5)
        try unload("vstereo", from: recording.server)
        try await recording.record.wait(for: "deviceLost") { $0 == .deviceLost(device: "vstereo") }
        #expect(await Wait.until(5) { recording.capture.state == .interrupted(.deviceLost) })
        try await Task.sleep(for: .seconds(0.7))
        try recording.server.control("load-module", "module-remap-source", "source_name=vstereo", "master=stereomic.monitor")
        try await recording.record.wait(for: "resumed") { $0 == .resumed }
        #expect(recording.capture.state == .running)
        await recording.listen(seconds: 0.5)
        await recording.stopAndCheck()
        #expect(recording.capture.statistics.discontinuities == 1)
        #expect(recording.capture.statistics.filledFrames > 30_000)
    }

    private func expectChange(
        _ recording: ServerRecording, _ reason: RouteChangeReason, old: String, new: String, subject: String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let change = RouteChange(reason: reason, old: old, new: new, subject: subject)
        try await recording.record.wait(for: "\(change)", sourceLocation: sourceLocation) { $0 == .routeChanged(change) }
        await recording.listen(seconds: 0.5, sourceLocation: sourceLocation)
        #expect(recording.capture.state == .running, sourceLocation: sourceLocation)
        #expect(recording.capture.format?.device == new, sourceLocation: sourceLocation)
    }

    private func unload(_ source: String, from server: SoundServer) throws {
        let modules = try server.control("list", "short", "modules").split(separator: "\n")
        let module = try #require(modules.first { $0.contains("source_name=\(source) ") })
        try server.control("unload-module", String(module.prefix { $0.isNumber }))
    }
}
