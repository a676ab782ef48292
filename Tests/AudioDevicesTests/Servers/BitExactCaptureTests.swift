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
    private static let frames = seconds * 48_000

    /// What one capture made of a signal.
    private struct Take {
        let capture: AudioCapture
        let record: CaptureRecord
        let heard: CountedSignal.Heard

        /// Whether the server itself left sound out, or said so.
        ///
        /// A machine that stands still makes PipeWire put silence in a period's place and tell nobody, and players fall behind. A break in
        /// sound without silence is ours.
        var isDisturbed: Bool { heard.silentFrames + heard.pauses + record.filledFrames > 0 }

        func expectWhole() {
            #expect(heard == .init(frames: BitExactCaptureTests.frames))
            #expect(capture.state == .stopped)
            #expect(capture.statistics.lostFrames == 0)
            #expect(capture.statistics.discontinuities == 0)
            #expect(record.filledFrames == 0)
            #expect(record.breaks == 0)
            #expect(record.hasOrderedHostTimes)
            #expect(record.frames == capture.statistics.recordedFrames)
        }
    }

    @Test(
        "Every frame that is played arrives once, in order and unchanged, mono and stereo side by side",
        arguments: SoundServer.Kind.available)
    func bitExact(kind: SoundServer.Kind) async throws {
        for attempt in 1...4 {
            let server = try SoundServer(kind)
            async let mono = mono(server)
            async let stereo = stereo(server)
            let takes = try await [mono, stereo]
            if attempt < 4, takes.contains(where: \.isDisturbed) {
                print("attempt \(attempt): the server left sound out, \(takes.map(\.heard))")
                continue
            }
            for take in takes { take.expectWhole() }
            return
        }
    }

    private func mono(_ server: SoundServer) async throws -> Take {
        let capture = AudioCapture(CaptureConfiguration(sampleFormat: .int16), backend: PulseCaptureBackend(server: server.address))
        let record = try await record(capture) { try server.play(CountedSignal.mono(frames: Self.frames), to: "mic", channels: 1) }
        #expect(capture.format?.sampleRate == 48_000 && capture.format?.pcm.channelCount == 1)
        return Take(capture: capture, record: record, heard: CountedSignal.verify(mono: record.samples))
    }

    private func stereo(_ server: SoundServer) async throws -> Take {
        var configuration = CaptureConfiguration(device: "vstereo", sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
        configuration.bufferDuration = 0.01
        let capture = AudioCapture(configuration, backend: PulseCaptureBackend(server: server.address))
        let record = try await record(capture) {
            try server.play(CountedSignal.stereo(frames: Self.frames), to: "stereomic", channels: 2)
        }
        return Take(capture: capture, record: record, heard: CountedSignal.verify(stereo: record.samples))
    }

    /// Captures what is played, from before its start to after its end.
    private func record(_ capture: AudioCapture, while play: () throws -> Player) async throws -> CaptureRecord {
        let record = CaptureRecord(capture)
        try capture.start { record.take($0) }
        let player = try play()
        #expect(await Wait.until(Double(Self.seconds) + 60) { !player.isPlaying })
        // Half a second more: what the player drained has to come through.
        let end = record.frames + 24_000
        #expect(await Wait.until { record.frames >= end })
        capture.stop()
        return record
    }
}
