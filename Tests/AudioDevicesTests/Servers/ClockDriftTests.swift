// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import Foundation
import LiveAudio
import TestSupport
import Testing

@Suite struct ClockDriftTests {
    /// The duration: five minutes for a full run.
    private static let seconds = ProcessInfo.processInfo.environment["LINNET_DRIFT_SECONDS"].flatMap { Int($0) } ?? 15

    @Test("A source with a clock 200 ppm fast stays within 1 ms of the same audio, on all servers at the same time")
    func drift() async throws {
        await withThrowingTaskGroup(of: Void.self) { group in
            for kind in SoundServer.Kind.available { group.addTask { try await Self.drift(kind) } }
            while let result = await group.nextResult() { #expect(throws: Never.self) { try result.get() } }
        }
    }

    private static func drift(_ kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let fast = try await DriftingBackend(PulseRecording.capture("vmic"), server: server, speed: 1.0002)
        let recording = PulseRecording(
            server, [PulseRecording.source("plain", "vmic", server), RecorderSource("fast", source: .backend(fast))])
        try await recording.recorder.start()
        let players = try PulseRecording.play(server, seconds: seconds + 60)
        await recording.listen(pulses: seconds)
        withExtendedLifetime(players) {}
        let summary = await recording.recorder.stop()
        await fast.close()
        recording.expectAlignment()
        let drifts = summary.sources.map { $0.drift * 1e6 }
        if seconds >= 60 { #expect(abs(drifts[1] - 200) < 10, "\(drifts)") }
    }
}
