// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioDevices
import AudioPrimitives
import Foundation
import Synchronization
import Testing

@Suite(.serialized) struct InterruptionTests {
    /// How far the length of a filled gap may be from the truth, in frames: the server's own timing is not better.
    private static let gapTolerance = 480

    @Test("A suspended source interrupts, and its time is filled", arguments: SoundServer.Kind.available)
    func suspension(kind: SoundServer.Kind) async throws {
        let recording = try ServerRecording(kind) { $0.device = "vstereo" }
        let player = try recording.server.play(CountedSignal.stereo(frames: 48_000 * 120), to: "stereomic", channels: 2)
        await recording.listen(seconds: 1.5)
        try recording.server.control("suspend-source", "vstereo", "1")
        try await Task.sleep(for: .seconds(1))
        try recording.server.control("suspend-source", "vstereo", "0")
        await recording.listen(seconds: 1)
        #expect(player.isPlaying)
        await recording.stopAndCheck()
        // PipeWire's source wakes up at once, and nothing is missing.
        guard kind == .pulseaudio else { return }
        #expect(recording.record.events.contains(.interrupted(.deviceSuspended)))
        #expect(recording.record.events.contains(.resumed))
        #expect(recording.capture.statistics.discontinuities == 1)
        expectTrueGap(recording)
    }

    @Test("Capture that is stopped while its source is suspended ends at once, filled to the end")
    func stopWhileSuspended() async throws {
        let recording = try ServerRecording(.pulseaudio) { $0.device = "vstereo" }
        await recording.listen(seconds: 0.5)
        try recording.server.control("suspend-source", "vstereo", "1")
        try await recording.record.wait(for: "interrupted") { $0 == .interrupted(.deviceSuspended) }
        #expect(recording.capture.state == .interrupted(.deviceSuspended))
        try await Task.sleep(for: .seconds(1))
        await recording.stopAndCheck()
        #expect(recording.capture.state == .stopped)
        #expect(recording.capture.statistics.discontinuities == 1)
        #expect(recording.capture.statistics.filledFrames > 40_000)
        #expect(!recording.record.events.contains(.resumed))
    }

    @Test("Capture that is let go while it runs leaves no stream behind", arguments: SoundServer.Kind.available)
    func released(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let frames = Mutex(0)
        var capture: AudioCapture? = AudioCapture(CaptureConfiguration(), backend: PulseCaptureBackend(server: server.address))
        try capture?.start { audio in frames.withLock { $0 += audio.frameCount } }
        #expect(await Wait.until(10) { frames.withLock { $0 } > 4800 })
        _ = try server.ownRecordStream()
        capture = nil
        #expect(try await Wait.until(10) { try !server.control("list", "source-outputs").contains("org.linnet") })
    }

    @Test("A server that dies and comes back leaves one recording of the right length", arguments: SoundServer.Kind.available)
    func serverRestart(kind: SoundServer.Kind) async throws {
        let recording = try ServerRecording(kind) { $0.device = "vstereo" }
        await recording.listen(seconds: 0.7)
        try recording.server.crash()
        try await recording.record.wait(for: "serverLost") { $0 == .serverLost }
        #expect(await Wait.until(5) { recording.capture.state == .interrupted(.serverLost) || recording.capture.state == .reconfiguring })
        try await Task.sleep(for: .seconds(1.2))
        try recording.server.start()
        try await recording.record.wait(for: "serverRestored") { $0 == .serverRestored }
        await recording.listen(seconds: 1)
        #expect(recording.capture.state == .running)
        await recording.stopAndCheck()
        #expect(recording.capture.statistics.discontinuities == 1)
        #expect(recording.capture.statistics.filledFrames > 40_000)
        #expect(recording.capture.statistics.openings == 2)
    }

    @Test("Capture that is stopped while its server is dead ends at once, filled to the end", arguments: SoundServer.Kind.available)
    func stopWhileLost(kind: SoundServer.Kind) async throws {
        let recording = try ServerRecording(kind)
        await recording.listen(seconds: 0.5)
        try recording.server.crash()
        try await recording.record.wait(for: "serverLost") { $0 == .serverLost }
        try await Task.sleep(for: .seconds(0.8))
        await recording.stopAndCheck()
        #expect(recording.capture.state == .stopped)
    }

    @Test("Muting the source or the stream at the server is told", arguments: SoundServer.Kind.available)
    func serverMute(kind: SoundServer.Kind) async throws {
        let recording = try ServerRecording(kind)
        await recording.listen(seconds: 0.3)
        let muted = CaptureEvent.muted(true, by: .system)
        let heard = CaptureEvent.muted(false, by: .system)
        try recording.server.control("set-source-mute", "vmic", "1")
        try await recording.record.wait(for: "muted") { $0 == muted }
        try recording.server.control("set-source-mute", "vmic", "0")
        try await recording.record.wait(for: "unmuted") { $0 == heard }
        let stream = try recording.server.ownRecordStream()
        try recording.server.control("set-source-output-mute", stream, "1")
        #expect(await Wait.until(10) { recording.record.events.count { $0 == muted } == 2 })
        await recording.stopAndCheck()
    }

    @Test("A receiver that is stuck for three seconds loses nothing", arguments: SoundServer.Kind.available)
    func stuckReceiver(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let configuration = CaptureConfiguration(device: "vstereo", sampleFormat: .int16)
        let capture = AudioCapture(configuration, backend: PulseCaptureBackend(server: server.address))
        let record = CaptureRecord(capture)
        try capture.start { audio in
            if record.frames > 24_000, record.frames < 26_000 { Thread.sleep(forTimeInterval: 3) }
            record.take(audio)
        }
        let player = try server.play(CountedSignal.stereo(frames: 48_000 * 5), to: "stereomic", channels: 2)
        #expect(await Wait.until(30) { !player.isPlaying })
        let end = record.frames + 24_000
        #expect(await Wait.until(20) { record.frames >= end })
        capture.stop()
        let result = CountedSignal.verify(stereo: record.samples)
        #expect(result.frames == 48_000 * 5 && result.breaks == 0, "\(result)")
        #expect(capture.statistics.lostFrames == 0 && capture.statistics.filledFrames == 0)
    }

    /// The numbers in the signal tell how many frames are really missing.
    private func expectTrueGap(_ recording: ServerRecording, sourceLocation: SourceLocation = #_sourceLocation) {
        let numbers = CountedSignal.numbers(stereo: recording.record.samples)
        guard let filling = recording.record.fillings.first, let last = recording.record.fillings.last,
            filling.lowerBound > 0, last.upperBound < numbers.count
        else {
            Issue.record("no gap", sourceLocation: sourceLocation)
            return
        }
        let missing = numbers[last.upperBound] - numbers[filling.lowerBound - 1] - 1
        let filled = last.upperBound - filling.lowerBound
        #expect(abs(missing - filled) <= Self.gapTolerance, "missing \(missing), filled \(filled)", sourceLocation: sourceLocation)
    }
}
