// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import TestSupport
import Testing

/// Each recording receives the same numbered frames before and after the change: they tell its expected length.
@Suite(.serialized) struct RouteChangeTests {
    @Test("A stream that somebody moves tells so", arguments: SoundServer.Kind.available)
    func override(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind)
        await recording.listen(seconds: 1)
        // PipeWire's session manager now and then forgets a move while the machine is busy, which its list shows.
        let stream = try recording.server.ownRecordStream()
        let isMoved = try await Wait.until {
            if try recording.server.source(ofStream: stream) == "other" { return true }
            try recording.server.control("move-source-output", stream, "other")
            return false
        }
        #expect(isMoved)
        try await expectChange(recording, .override, old: "vstereo", new: "other", subject: nil)
        await recording.stopAndCompareNumbers()
    }

    @Test("A new default takes the stream along", arguments: SoundServer.Kind.available)
    func newDefault(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind)
        await recording.listen(seconds: 1)
        try await recording.server.makeDefault("other")
        try await expectChange(recording, .routeConfigurationChange, old: "vstereo", new: "other", subject: "other")
        await recording.stopAndCompareNumbers()
    }

    @Test("A device that comes is told, and changes nothing", arguments: SoundServer.Kind.available)
    func newDevice(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind)
        await recording.listen(seconds: 1)
        try recording.server.control("load-module", "module-null-sink", "sink_name=another")
        try await expectChange(recording, .newDeviceAvailable, old: "vstereo", new: "vstereo", subject: "another.monitor")
        await recording.stopAndCompareNumbers(onSameSource: true, gaps: 0)
    }

    @Test("A device that goes takes the stream to the default", arguments: SoundServer.Kind.available)
    func oldDevice(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind) { $0.device = "other" }
        await recording.listen(seconds: 1)
        try recording.server.removeSource("other")
        try await expectChange(recording, .oldDeviceUnavailable, old: "other", new: "vstereo", subject: "other")
        await recording.stopAndCompareNumbers()
    }

    @Test("A device that goes, when only monitors are left, is an interruption until an input comes", arguments: SoundServer.Kind.available)
    func noInputLeft(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind) { $0.channelCount = 2 }
        await recording.listen(seconds: 1)
        for source in ["other", "vmic", "vstereo"] { try recording.server.removeSource(source) }
        try await recording.record.wait(for: "interrupted") { $0 == .interrupted(.deviceLost) }
        try await recording.server.addSource("vstereo")
        try await recording.server.makeDefault("vstereo")
        try await recording.record.wait(for: "resumed") { $0 == .resumed }
        await recording.stopAndCompareNumbers()
    }

    @Test("A stream that stays on its device loses it, and gets it back", arguments: SoundServer.Kind.available)
    func lostDevice(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind) {
            $0.device = "other"
            $0.staysOnDevice = true
        }
        await recording.listen(seconds: 1)
        try recording.server.removeSource("other")
        try await recording.record.wait(for: "deviceLost") { $0 == .deviceLost(device: "other") }
        #expect(await Wait.until { recording.capture.state == .interrupted(.deviceLost) })
        try await Task.sleep(for: .seconds(0.7))
        try await recording.server.addSource("other")
        try await recording.record.wait(for: "resumed") { $0 == .resumed }
        #expect(recording.capture.state == .running)
        await recording.stopAndCompareNumbers(gaps: 1)
        #expect(recording.capture.statistics.filledFrames > 30_000)
    }

    private func expectChange(
        _ recording: ServerRecording, _ reason: RouteChangeReason, old: String, new: String, subject: String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let change = RouteChange(reason: reason, old: old, new: new, subject: subject)
        try await recording.record.wait(for: "\(change)", sourceLocation: sourceLocation) { $0 == .routeChanged(change) }
        #expect(recording.capture.state == .running, sourceLocation: sourceLocation)
        #expect(recording.capture.format?.device == new, sourceLocation: sourceLocation)
    }
}
