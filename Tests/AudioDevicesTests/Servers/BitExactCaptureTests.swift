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

    /// What one capture made of a signal, and what another program made of it.
    private struct Take {
        let capture: AudioCapture
        let record: CaptureRecord
        let heard: CountedSignal.Heard
        let witnessed: CountedSignal.Heard

        private static let whole = CountedSignal.Heard(frames: BitExactCaptureTests.frames)

        var isWhole: Bool { heard == Self.whole }

        /// Whether the server itself left sound out, or said so.
        ///
        /// A machine that stands still makes PipeWire drop a period or put silence in its place, and tell nobody, and players fall behind.
        var isExcused: Bool { witnessed != Self.whole || record.filledFrames > 0 }

        func expectWhole() {
            #expect(heard == Self.whole)
            #expect(capture.state == .stopped)
            #expect(capture.statistics.lostFrames == 0)
            #expect(capture.statistics.discontinuities == 0)
            #expect(record.filledFrames == 0)
            #expect(record.breaks == 0)
            #expect(record.hasOrderedHostTimes)
            #expect(record.frames == capture.statistics.recordedFrames)
        }
    }

    /// Captures again, three times at most, where the server lost sound; where it lost some each time, all that it gave has to be there.
    ///
    /// PipeWire can pass by one of its clients alone, so one loss that the witness doesn't know of is no failure yet.
    @Test(
        "Every frame that is played arrives once, in order and unchanged, mono and stereo side by side",
        arguments: SoundServer.Kind.available)
    func bitExact(kind: SoundServer.Kind) async throws {
        var isInDoubt = true
        for attempt in 1...4 {
            let server = try SoundServer(kind, period: 8192)
            async let mono = mono(server)
            async let stereo = stereo(server)
            let takes = try await [mono, stereo]
            let lossy = takes.filter { !$0.isWhole }
            let isExcused = lossy.allSatisfy(\.isExcused)
            guard !lossy.isEmpty, isExcused || isInDoubt else {
                for take in takes { take.expectWhole() }
                return
            }
            isInDoubt = isInDoubt && isExcused
            print("attempt \(attempt), \(kind): \(takes.map(\.heard)), beside it \(takes.map(\.witnessed))")
            if attempt == 4 {
                // Silence that the capture put in the place of what is missing is no sound.
                for take in takes {
                    #expect(take.heard.soundFrames == take.witnessed.soundFrames)
                    #expect(take.heard.breaks <= take.witnessed.breaks)
                }
            }
        }
    }

    private func mono(_ server: SoundServer) async throws -> Take {
        let capture = AudioCapture(CaptureConfiguration(sampleFormat: .int16), backend: PulseCaptureBackend(server: server.address))
        let witness = try server.listen(to: "vmic", channels: 1)
        let record = try await record(capture, beside: witness) {
            try server.play(CountedSignal.mono(frames: Self.frames), to: "mic", channels: 1)
        }
        #expect(capture.format?.sampleRate == 48_000 && capture.format?.pcm.channelCount == 1)
        return Take(
            capture: capture, record: record, heard: CountedSignal.verify(mono: record.samples),
            witnessed: CountedSignal.verify(mono: witness.samples))
    }

    private func stereo(_ server: SoundServer) async throws -> Take {
        var configuration = CaptureConfiguration(device: "vstereo", sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
        configuration.bufferDuration = .milliseconds(10)
        let capture = AudioCapture(configuration, backend: PulseCaptureBackend(server: server.address))
        let witness = try server.listen(to: "vstereo", channels: 2)
        let record = try await record(capture, beside: witness) {
            try server.play(CountedSignal.stereo(frames: Self.frames), to: "stereomic", channels: 2)
        }
        return Take(
            capture: capture, record: record, heard: CountedSignal.verify(stereo: record.samples),
            witnessed: CountedSignal.verify(stereo: witness.samples))
    }

    /// Captures what is played, from before its start to after its end.
    private func record(_ capture: AudioCapture, beside witness: Witness, while play: () throws -> PlayingProgram) async throws
        -> CaptureRecord
    {
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        #expect(await Wait.until { witness.frames > 0 })
        let player = try play()
        #expect(await Wait.until(Double(Self.seconds) + 60) { !player.isPlaying })
        // Half a second more: what the player drained has to come through.
        let ends = (record.frames + 24_000, witness.frames + 24_000)
        #expect(await Wait.until { record.frames >= ends.0 && witness.frames >= ends.1 })
        await capture.stop()
        return record
    }
}
