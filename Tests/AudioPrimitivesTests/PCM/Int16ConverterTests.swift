// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioPrimitives
import Testing

@Suite struct Int16ConverterTests {
    @Test func samplesAreRoundedClippedAndInterleaved() {
        var buffer = PCMBuffer(sampleRate: 8000, channelCount: 2, frameCapacity: 6, frameCount: 5)
        let left: [Float] = [0, 1, -1, 0.5, .nan]
        let right: [Float] = [1.4 / 32768, 1.6 / 32768, -1.6 / 32768, -7, 7]
        for frame in 0..<5 {
            buffer.samples[frame] = left[frame]
            buffer.samples[6 + frame] = right[frame]
        }
        var converter = Int16Converter()
        var samples: [Int16] = [1, 2, 3]
        converter.convert(buffer, into: &samples)
        #expect(samples == [0, 1, 32767, 2, -32768, -2, 16384, -32768, 0, 32767])
        buffer.frameCount = 1
        converter.convert(buffer, into: &samples)
        #expect(samples == [0, 1])
    }

    @Test func ditherIsWithoutBiasAndKeepsWhatRoundingWouldLose() {
        let level: Float = 0.3 / 32768
        var buffer = PCMBuffer(sampleRate: 8000, channelCount: 1, frameCapacity: 40_000)
        for frame in 0..<40_000 { buffer.samples[frame] = level }
        var samples: [Int16] = []
        var plain = Int16Converter()
        plain.convert(buffer, into: &samples)
        #expect(samples.allSatisfy { $0 == 0 })
        var dithered = Int16Converter(isDithered: true)
        dithered.convert(buffer, into: &samples)
        let mean = samples.reduce(0) { $0 + Double($1) } / 40_000
        // The variance of one sample is 1/4, so that of the mean is 1/400 squared.
        #expect(abs(mean - 0.3) < 4.0 / 400)
        #expect(samples.allSatisfy { abs($0) <= 2 })
    }
}
