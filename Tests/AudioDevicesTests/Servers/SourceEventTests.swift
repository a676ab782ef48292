// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import LiveAudio
import TestSupport
import Testing

/// Recordings of several sources of real servers, through what happens to servers and devices.
@Suite(.serialized) struct SourceEventTests {
    @Test("Both sources are aligned before and after a server restart", arguments: SoundServer.Kind.available)
    func serverRestart(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let recording = PulseRecording(
            server, [PulseRecording.source("first", "vstereo", server), PulseRecording.source("second", "vstereo", server)])
        let start = ContinuousClock.now
        try await recording.recorder.start()
        var players = try PulseRecording.play(server, seconds: 60)
        await recording.listen(pulses: 3)
        try server.crash()
        for source in 0...1 { await recording.wait(for: .serverLost, of: source) }
        try await Task.sleep(for: .seconds(1.2))
        try server.start()
        for source in 0...1 { await recording.wait(for: .serverRestored, of: source) }
        let middle = Double(recording.frameCount) / Double(PulseRecording.rate)
        players = try PulseRecording.play(server, seconds: 60)
        await recording.listen(pulses: 4)
        let summary = await recording.recorder.stop()
        let elapsed = start.duration(to: .now)
        withExtendedLifetime(players) {}
        recording.expectAlignment(from: middle + 2)
        #expect(abs(summary.duration.seconds - elapsed.seconds) < 1, "\(summary.duration) of \(elapsed)")
        #expect(summary.failure == nil && summary.sources.map(\.name) == ["first", "second"])
        for source in summary.sources {
            #expect(source.capture.openings == 2 && source.capture.filledFrames > PulseRecording.rate, "\(source)")
            #expect(source.failure == nil)
        }
    }

    @Test("A source that is unplugged is silent, and aligned when it returns", arguments: SoundServer.Kind.available)
    func unplugged(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        try await server.addSource("other")
        let recording = PulseRecording(
            server, [PulseRecording.source("stays", "vstereo", server), PulseRecording.source("leaves", "other", server)])
        try await recording.recorder.start()
        let players = try PulseRecording.play(server, seconds: 120)
        await recording.listen(pulses: 3)
        try server.removeSource("other")
        await recording.wait(for: .deviceLost(device: "other"), of: 1)
        await recording.listen(pulses: 3, sources: [0])
        try await server.addSource("other")
        await recording.wait(for: .resumed, of: 1)
        await recording.listen(pulses: 4)
        let summary = await recording.recorder.stop()
        withExtendedLifetime(players) {}
        recording.expectAlignment()
        #expect(!recording.events(of: 0).contains { if case .deviceLost = $0 { true } else { false } })
        #expect(summary.sources[0].capture.openings == 1 && summary.sources[1].capture.openings > 1)
        #expect(summary.sources[1].capture.filledFrames > PulseRecording.rate)
    }

    @Test("A source that starts three seconds later is aligned at once", arguments: SoundServer.Kind.available, [0, 1])
    func laterStart(kind: SoundServer.Kind, late: Int) async throws {
        let server = try SoundServer(kind)
        let backend = try await DriftingBackend(PulseRecording.capture("vmic"), server: server, speed: 1, delay: 3)
        var sources = [PulseRecording.source("early", "vmic", server)]
        sources.insert(RecorderSource("late", source: .backend(backend)), at: late)
        let recording = PulseRecording(server, sources)
        let players = try PulseRecording.play(server, seconds: 60)
        try await recording.recorder.start()
        await recording.listen(pulses: 5)
        let summary = await recording.recorder.stop()
        withExtendedLifetime(players) {}
        await backend.close()
        recording.expectAlignment()
        #expect(summary.failure == nil && summary.duration > .seconds(5))
    }

    @Test("Sources at 96 and 16 kHz are aligned", arguments: SoundServer.Kind.available)
    func rates(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let recording = PulseRecording(
            server,
            [
                PulseRecording.source("high", "vmic", server, rate: 96_000),
                PulseRecording.source("low", "vmic", server, rate: 16_000),
            ])
        try await recording.recorder.start()
        let players = try PulseRecording.play(server, seconds: 60)
        await recording.listen(pulses: 5)
        let summary = await recording.recorder.stop()
        withExtendedLifetime(players) {}
        recording.expectAlignment()
        let seconds = [(0, 96_000), (1, 16_000)].map { Double(summary.sources[$0].capture.recordedFrames) / Double($1) }
        #expect(seconds.allSatisfy { abs($0 - summary.duration.seconds) < 0.5 }, "\(seconds) s in \(summary.duration)")
    }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
