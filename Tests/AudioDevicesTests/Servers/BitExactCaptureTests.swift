// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import TestSupport
import Testing

@Suite struct BitExactCaptureTests {
    /// The duration of a capture: a minute for a full run, less to find most errors.
    private static let seconds = ProcessInfo.processInfo.environment["LINNET_CAPTURE_SECONDS"].flatMap { Int($0) } ?? 5
    private static let frames = seconds * 48_000

    /// The frame numbers captured by this program and by a witness, with zeros for silence.
    private struct Take {
        let capture: AudioCapture
        let record: CaptureRecord
        let numbers: [Int]
        let witness: [Int]

        /// Expects all frames that the witness has, in order, and filling only for missing frames.
        func check(_ kind: SoundServer.Kind) {
            Witness.compare(numbers, witness, kind)
            #expect(capture.state == .stopped)
            #expect(capture.statistics.lostFrames == 0)
            #expect(record.breaks == 0)
            #expect(record.hasOrderedHostTimes)
            #expect(record.frames == capture.statistics.recordedFrames + record.filledFrames)
            let captured = numbers.filter { $0 > 0 }
            guard captured.count == BitExactCaptureTests.frames else { return }
            #expect(captured.first == 1 && captured.last == BitExactCaptureTests.frames)
            #expect(capture.statistics.discontinuities == 0 && record.filledFrames == 0)
        }
    }

    @Test(
        "Captures every frame once, in order and unchanged, mono and stereo in parallel",
        arguments: SoundServer.Kind.available)
    func bitExact(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind, period: 8192)
        async let mono = mono(server)
        async let stereo = stereo(server)
        for take in try await [mono, stereo] { take.check(kind) }
    }

    private func mono(_ server: SoundServer) async throws -> Take {
        let capture = AudioCapture(CaptureConfiguration(sampleFormat: .int16), source: .pulseAudio(server: server.address))
        let witness = try server.listen(to: "vmic", channels: 1)
        let record = try await record(capture, beside: witness) {
            try server.play(CountedSignal.mono(frames: Self.frames), to: "mic", channels: 1)
        }
        #expect(capture.format?.sampleRate == 48_000 && capture.format?.pcm.channelCount == 1)
        return Take(
            capture: capture, record: record, numbers: CountedSignal.numbers(mono: record.samples),
            witness: CountedSignal.numbers(mono: witness.samples))
    }

    private func stereo(_ server: SoundServer) async throws -> Take {
        var configuration = CaptureConfiguration(device: "vstereo", sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
        configuration.bufferDuration = .milliseconds(10)
        let capture = AudioCapture(configuration, source: .pulseAudio(server: server.address))
        let witness = try server.listen(to: "vstereo", channels: 2)
        let record = try await record(capture, beside: witness) {
            try server.play(CountedSignal.stereo(frames: Self.frames), to: "stereomic", channels: 2)
        }
        return Take(
            capture: capture, record: record, numbers: CountedSignal.numbers(stereo: record.samples),
            witness: CountedSignal.numbers(stereo: witness.samples))
    }

    /// Captures from before the start of playback until after its end.
    private func record(_ capture: AudioCapture, beside witness: Witness, while play: () throws -> PlayingProgram) async throws
        -> CaptureRecord
    {
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        #expect(await Wait.until { witness.frames > 0 })
        let player = try play()
        #expect(await Wait.until(Double(Self.seconds) + 60) { !player.isPlaying })
        // Another half second, until the drained audio has arrived.
        let ends = (record.frames + 24_000, witness.frames + 24_000)
        #expect(await Wait.until { record.frames >= ends.0 && witness.frames >= ends.1 })
        await capture.stop()
        return record
    }
}
