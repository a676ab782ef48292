// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Testing

@Suite struct PCMBufferTests {
    @Test func `Buffers with the same audio are equal and have the same hash, whatever their capacities and unused frames`() {
        let exact = PCMBuffer(channels: [[0.25, -0.5], [1, 0]], sampleRate: 48_000)
        var larger = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 5)
        for (channel, samples) in exact.channels.enumerated() {
            var span = larger.mutableChannel(channel)
            for index in span.indices { span[index] = index < 2 ? samples[index] : 0.75 }
        }
        #expect(exact != larger)
        larger.frameCount = 2
        #expect(exact == larger)
        #expect(exact.hashValue == larger.hashValue)
    }

    @Test func `A difference in rate, channels, length or a sample makes buffers unequal`() {
        let buffer = PCMBuffer(channels: [[0, 0, 0, 0]], sampleRate: 48_000)
        #expect(buffer != PCMBuffer(channels: [[0, 0, 0, 0]], sampleRate: 44_100))
        #expect(buffer != PCMBuffer(channels: [[0, 0], [0, 0]], sampleRate: 48_000))
        #expect(buffer != PCMBuffer(channels: [[0, 0, 0]], sampleRate: 48_000))
        #expect(buffer != PCMBuffer(channels: [[0, 0, 0.5, 0]], sampleRate: 48_000))
    }
}
