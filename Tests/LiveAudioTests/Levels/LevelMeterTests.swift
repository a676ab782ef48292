// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import LiveAudio
import Testing

@Suite struct LevelMeterTests {
    @Test("Samples that are not finite do not affect the levels of the others", arguments: [Float.nan, .infinity, -.infinity])
    func invalidSamples(invalid: Float) throws {
        let buffer = PCMBuffer(channels: [[0.5, 0.5, invalid, 0.5], [0, 0, 0, 0]], sampleRate: 48_000)
        var meter = LevelMeter(channelCount: 2)
        meter.accept(buffer, clippedSampleCounts: [0, 0])
        let found = meter.dequeue()
        let levels = try #require(found)
        #expect(levels.peak == [0.5, 0])
        #expect(levels.rootMeanSquare == [Float(0.75).squareRoot() / 2, 0])
    }
}
