// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import LiveAudio
import Synchronization
import Testing

@Suite struct SinkRunnerTests {
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
