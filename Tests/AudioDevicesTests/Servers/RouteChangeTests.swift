// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import TestSupport
import Testing

/// Each recording receives the same numbered frames before and after the change, which determine its expected length.
@Suite(.serialized) struct RouteChangeTests {
    @Test("Moved stream reports an override", arguments: SoundServer.Kind.available)
    func override(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind)
        await recording.listen(seconds: 1)
        // On a busy machine PipeWire's session manager sometimes loses a move, which its list shows.
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

    @Test("Stream follows a new default source", arguments: SoundServer.Kind.available)
    func newDefault(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind)
        await recording.listen(seconds: 1)
        try await recording.server.makeDefault("other")
        try await expectChange(recording, .routeConfigurationChange, old: "vstereo", new: "other", subject: "other")
        await recording.stopAndCompareNumbers()
    }

    @Test("Added device is reported and changes nothing", arguments: SoundServer.Kind.available)
    func newDevice(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind)
        await recording.listen(seconds: 1)
        try recording.server.control("load-module", "module-null-sink", "sink_name=another")
        try await expectChange(recording, .newDeviceAvailable, old: "vstereo", new: "vstereo", subject: "another.monitor")
        await recording.stopAndCompareNumbers(onSameSource: true, gaps: 0)
    }

    @Test("Removed device moves the stream to the default", arguments: SoundServer.Kind.available)
    func oldDevice(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind) { $0.device = "other" }
        await recording.listen(seconds: 1)
        try recording.server.removeSource("other")
        try await expectChange(recording, .oldDeviceUnavailable, old: "other", new: "vstereo", subject: "other")
        await recording.stopAndCompareNumbers()
    }

    @Test("Removing all inputs interrupts until an input is added", arguments: SoundServer.Kind.available)
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

    @Test("Stream that stays on its device loses it and gets it back", arguments: SoundServer.Kind.available)
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
