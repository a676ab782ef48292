// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.serialized) struct InterruptionTests {
    @Test("Suspended source interrupts, and the gap is filled", arguments: SoundServer.Kind.available)
    func suspension(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind)
        let witness = try recording.server.listen(to: "vstereo", channels: 2)
        await recording.listen(seconds: 1)
        try recording.server.control("suspend-source", "vstereo", "1")
        try await Task.sleep(for: .seconds(1))
        try recording.server.control("suspend-source", "vstereo", "0")
        let end = recording.record.frames + 24_000
        let witnessEnd = witness.frames + 24_000
        let isAwake = await Wait.until(10) { recording.record.frames > end && recording.record.latestNumber > 0 }
        // On a busy machine PipeWire's virtual source sometimes stays asleep, for every program that captures from it.
        guard isAwake || kind == .pulseaudio || witness.frames > witnessEnd else {
            print("\(Test.current?.name ?? ""), \(kind): the source stays asleep, for the witness too")
            return
        }
        // PulseAudio stops the source until it is resumed and reports it: one gap. On PipeWire a source with a listener keeps running, also
        // according to the server's list, and no frame is missing: there is nothing to report.
        let isPulse = kind == .pulseaudio
        await recording.stopAndCompareNumbers(gaps: isPulse ? 1 : 0)
        #expect(recording.record.events.contains(.interrupted(.deviceSuspended)) == isPulse)
        #expect(recording.record.events.contains(.resumed) == isPulse)
    }

    @Test("Stop during a suspension ends at once, filled to the end")
    func stopWhileSuspended() async throws {
        let recording = try await ServerRecording(.pulseaudio)
        await recording.listen(seconds: 1)
        try recording.server.control("suspend-source", "vstereo", "1")
        try await recording.record.wait(for: "interrupted") { $0 == .interrupted(.deviceSuspended) }
        #expect(recording.capture.state == .interrupted(.deviceSuspended))
        try await Task.sleep(for: .seconds(1))
        await recording.stopInGapAndCompareClock()
        #expect(recording.capture.state == .stopped)
        #expect(recording.capture.statistics.discontinuities == 1)
        #expect(recording.capture.statistics.filledFrames > 40_000)
        #expect(!recording.record.events.contains(.resumed))
    }

    @Test(
        "Frozen server loses nothing if it catches up, otherwise reports the right length",
        arguments: SoundServer.Kind.available)
    func frozenServer(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind)
        await recording.listen(seconds: 4)
        try await recording.server.freeze(seconds: 0.3)
        await recording.listen(seconds: 4)
        // PulseAudio catches up with playback and recording. PipeWire skips periods without reporting it.
        if kind == .pipewire { return await recording.stopAndCompareClock() }
        await recording.stopAndCompareNumbers(onSameSource: true, gaps: 0)
    }

    @Test("Released capture leaves no stream behind", arguments: SoundServer.Kind.available)
    func released(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let frames = Mutex(0)
        var capture: AudioCapture? = AudioCapture(CaptureConfiguration(), source: .pulseAudio(server: server.address))
        try await capture?.start { audio in frames.withLock { $0 += audio.frameCount } }
        #expect(await Wait.until { frames.withLock { $0 } > 4800 })
        _ = try server.ownRecordStream()
        capture = nil
        #expect(try await Wait.until { try !server.control("list", "source-outputs").contains("org.linnet") })
    }

    @Test("Restarted server leaves one recording of the right length", arguments: SoundServer.Kind.available)
    func serverRestart(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind) { $0.device = "vstereo" }
        await recording.listen(seconds: 1)
        try recording.server.crash()
        try await recording.record.wait(for: "serverLost") { $0 == .serverLost }
        #expect(await Wait.until { recording.capture.state == .interrupted(.serverLost) || recording.capture.state == .reconfiguring })
        try await Task.sleep(for: .seconds(1.2))
        try recording.server.start()
        try await recording.record.wait(for: "serverRestored") { $0 == .serverRestored }
        #expect(await Wait.until { recording.capture.state == .running })
        await recording.stopAndCompareClock()
        #expect(recording.capture.statistics.filledFrames > 40_000)
        #expect(recording.capture.statistics.openings == 2)
        // PipeWire's session manager may move the stream once more.
        let gaps = recording.capture.statistics.discontinuities
        #expect(kind == .pipewire ? (1...3).contains(gaps) : gaps == 1)
    }

    @Test("Stop during a server crash ends at once, filled to the end", arguments: SoundServer.Kind.available)
    func stopWhileLost(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind)
        await recording.listen(seconds: 1)
        try recording.server.crash()
        try await recording.record.wait(for: "serverLost") { $0 == .serverLost }
        try await Task.sleep(for: .seconds(0.8))
        await recording.stopInGapAndCompareClock()
        #expect(recording.capture.state == .stopped)
    }

    @Test("Reports mute of the source or the stream by the server", arguments: SoundServer.Kind.available)
    func serverMute(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind)
        await recording.listen(seconds: 0.3)
        let muted = CaptureEvent.muted(true, by: .system)
        let heard = CaptureEvent.muted(false, by: .system)
        try recording.server.control("set-source-mute", "vstereo", "1")
        try await recording.record.wait(for: "muted") { $0 == muted }
        try recording.server.control("set-source-mute", "vstereo", "0")
        try await recording.record.wait(for: "unmuted") { $0 == heard }
        let stream = try recording.server.ownRecordStream()
        try recording.server.control("set-source-output-mute", stream, "1")
        #expect(await Wait.until { recording.record.events.count { $0 == muted } == 2 })
        try recording.server.control("set-source-output-mute", stream, "0")
        #expect(await Wait.until { recording.record.events.count { $0 == heard } == 2 })
        await recording.stopAndCompareNumbers(onSameSource: true, gaps: 0)
    }

    @Test("Receiver that blocks for three seconds loses nothing", arguments: SoundServer.Kind.available)
    func stuckReceiver(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind, period: 8192)
        let configuration = CaptureConfiguration(device: "vstereo", sampleFormat: .int16)
        let capture = AudioCapture(configuration, source: .pulseAudio(server: server.address))
        let witness = try server.listen(to: "vstereo", channels: 2)
        let record = CaptureRecord(capture)
        try await capture.start { audio in
            if record.frames > 24_000, record.frames < 26_000 { Thread.sleep(forTimeInterval: 3) }
            record.take(audio)
        }
        #expect(await Wait.until { witness.frames > 0 })
        let player = try server.play(CountedSignal.stereo(frames: 48_000 * 5), to: "stereomic", channels: 2)
        #expect(await Wait.until { !player.isPlaying })
        let ends = (record.frames + 24_000, witness.frames + 24_000)
        #expect(await Wait.until { record.frames >= ends.0 && witness.frames >= ends.1 })
        await capture.stop()
        #expect(capture.statistics.lostFrames == 0)
        Witness.compare(CountedSignal.numbers(stereo: record.samples), CountedSignal.numbers(stereo: witness.samples), kind)
    }
}
