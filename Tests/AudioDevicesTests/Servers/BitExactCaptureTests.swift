// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioDevices
import AudioPrimitives
import Foundation
import Testing

@Suite struct BitExactCaptureTests {
    /// A minute by default is for the full run; a shorter one finds most of what can break.
    private static let seconds = ProcessInfo.processInfo.environment["LINNET_CAPTURE_SECONDS"].flatMap { Int($0) } ?? 5

    @Test("Every frame that is played arrives once, in order and unchanged: mono", arguments: SoundServer.Kind.available)
    func mono(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let capture = AudioCapture(CaptureConfiguration(sampleFormat: .int16), backend: PulseCaptureBackend(server: server.address))
        let record = CaptureRecord(capture)
        try capture.start { record.take($0) }
        #expect(capture.format?.sampleRate == 48_000)
        #expect(capture.format?.pcm.channelCount == 1)
        let count = Self.seconds * 48_000
        let player = try server.play(CountedSignal.mono(frames: count), to: "mic", channels: 1)
        try await waitForSound(record, framesAfter: count, player: player)
        capture.stop()
        let result = CountedSignal.verify(mono: record.samples)
        #expect(result.frames == count && result.breaks == 0, "\(result)")
        try expectWhole(record, capture)
    }

    @Test("Every frame that is played arrives once, in order and unchanged: stereo", arguments: SoundServer.Kind.available)
    func stereo(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        var configuration = CaptureConfiguration(device: "vstereo", sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
        configuration.bufferDuration = 0.01
        let capture = AudioCapture(configuration, backend: PulseCaptureBackend(server: server.address))
        let record = CaptureRecord(capture)
        try capture.start { record.take($0) }
        let count = Self.seconds * 48_000
        let player = try server.play(CountedSignal.stereo(frames: count), to: "stereomic", channels: 2)
        try await waitForSound(record, framesAfter: count, player: player)
        capture.stop()
        let result = CountedSignal.verify(stereo: record.samples)
        #expect(result.frames == count && result.breaks == 0, "\(result)")
        try expectWhole(record, capture)
    }

    private func waitForSound(_ record: CaptureRecord, framesAfter count: Int, player: Player) async throws {
        let hasEnded = await Wait.until(Double(Self.seconds) + 30) { !player.isPlaying }
        #expect(hasEnded)
        // Half a second more: what the player drained has to come through.
        let end = record.frames + 24_000
        #expect(await Wait.until(20) { record.frames >= end })
        #expect(record.frames >= count)
    }

    private func expectWhole(_ record: CaptureRecord, _ capture: AudioCapture) throws {
        #expect(capture.state == .stopped)
        #expect(capture.statistics.lostFrames == 0)
        #expect(capture.statistics.discontinuities == 0)
        #expect(record.filledFrames == 0)
        #expect(record.breaks == 0)
        #expect(record.hasOrderedHostTimes)
        #expect(record.frames == capture.statistics.recordedFrames)
    }
}
