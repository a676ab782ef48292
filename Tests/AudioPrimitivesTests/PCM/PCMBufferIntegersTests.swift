// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Testing

@Suite struct PCMBufferIntegersTests {
    @Test(arguments: 1...3) func samplesAreRoundedClippedAndInterleaved(channelCount: Int) {
        var buffer = PCMBuffer(sampleRate: 8000, channelCount: channelCount, frameCapacity: 6, frameCount: 5)
        let channels: [[Float]] = [
            [0, 1, -1, 0.5, .nan], [1.4 / 32768, 1.6 / 32768, -1.6 / 32768, -7, 7], [0.25, .infinity, 0, 1e-9, -0.25],
        ]
        let expected: [[Int16]] = [[0, 32767, -32768, 16384, 0], [1, 2, -2, -32768, 32767], [8192, 32767, 0, 0, -8192]]
        for channel in 0..<channelCount {
            for frame in 0..<5 { buffer.samples[6 * channel + frame] = channels[channel][frame] }
        }
        var integers = [Int16](repeating: 99, count: 5 * channelCount + 1)
        integers.withMutableSpan { buffer.copyIntegers(to: &$0) }
        #expect(integers == (0..<5 * channelCount).map { expected[$0 % channelCount][$0 / channelCount] } + [99])
    }
}
