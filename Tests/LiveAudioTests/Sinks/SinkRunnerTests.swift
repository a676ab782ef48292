// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import LiveAudio
import Synchronization
import Testing

@Suite struct SinkRunnerTests {
    /// A sample sink with its own queue, which counts calls.
    private final class QueueingSink: PCMSink, WaitableSink {
        let name = "queueing"
        let counts = Mutex((waits: 0, buffers: 0))

        func begin(_ format: RecordingFormat) {}
        func append(_ buffer: PCMBuffer) { counts.withLock { $0.buffers += 1 } }
        func finish() {}
        func waitForRoom() { counts.withLock { $0.waits = $0.buffers + 1 } }
    }

    @Test("Recording that waits asks a sample sink with its own queue for room before each buffer", arguments: [true, false])
    func room(waits: Bool) async throws {
        let sink = QueueingSink()
        let runner = SinkRunner(.samples(to: sink), waits: waits) { _, _ in }
        let buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 480, frameCount: 480)
        for _ in 0..<5 { runner.append(buffer) }
        await runner.finish(nil, timeout: .seconds(60)).wait()
        #expect(sink.counts.withLock { $0 } == (waits ? 5 : 0, 5))
    }

    @Test("Slow sink delays the audio or fails, as configured", arguments: [true, false])
    func slowSink(waits: Bool) async throws {
        let counts = Mutex((buffers: 0, failures: 0))
        let sink = RecorderSink.samples(name: "slow") { _ in
            usleep(5000)
            counts.withLock { $0.buffers += 1 }
        }
        let runner = SinkRunner(sink, waits: waits) { _, _ in counts.withLock { $0.failures += 1 } }
        // 4 MB each; the queue's limit is 48 MB.
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 1_000_000)
        buffer.frameCount = 1_000_000
        for _ in 0..<20 { runner.append(buffer) }
        await runner.finish(nil, timeout: .seconds(60)).wait()
        let (buffers, failures) = counts.withLock { $0 }
        #expect(waits ? buffers == 20 && failures == 0 : buffers < 20 && failures == 1)
    }
}
