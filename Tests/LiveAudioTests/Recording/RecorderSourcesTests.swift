// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import LiveAudio
import Synchronization
import TestSupport
import Testing

@Suite struct RecorderSourcesTests {
    @Test("A recording ends with its last device, though a source without a clock continues")
    func endlessProgram() async throws {
        let device = RunBackend([.init(runs: Array(repeating: [Int16](repeating: 8192, count: 480), count: 200))])
        let endless = CaptureSource.program(sampleRate: 48_000, channelCount: 1) {
            PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 480)
        }
        let heard = Mutex<[Float]>([])
        let recorder = Recorder(
            sources: [RecorderSource("device", source: .backend(device)), RecorderSource("program", source: endless)],
            sinks: [.samples { buffer in heard.withLock { $0 += buffer.channel(0) } }])
        try await recorder.start()
        let summary = await recorder.waitUntilFinished()
        #expect(summary.frameCount == 96_000 && summary.failure == nil)
        #expect(heard.withLock { $0 } == [Float](repeating: 0.25, count: 96_000))
    }
}
