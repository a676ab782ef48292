// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing

@Suite struct BitRateMeterTests {
    @Test("Peak second matches a direct search", arguments: [1, 2, 3] as [UInt64])
    func peak(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let sizes = (0..<400).map { _ in Int.random(in: 6...1500, using: &random) }
        var meter = BitRateMeter()
        for size in sizes { meter.add(byteCount: size, duration: 1024, sampleRate: 16_000) }
        // A second at 16 kHz is 15.6 access units, so 16 access units last slightly longer than a second.
        let windows = (0...sizes.count - 16).map { sizes[$0..<$0 + 16].reduce(0, +) }
        let expected = Double((windows.max() ?? 0) * 8) * 16_000 / (16 * 1024)
        #expect(abs(meter.peakBitRate - expected) < 1e-6 * expected, "seed \(seed)")
        #expect(meter.averageBitRate == Double(sizes.reduce(0, +)) * 8 / meter.seconds)
        #expect(meter.frameCount == 400 * 1024)
        #expect(meter.accessUnitCount == 400)
    }

    @Test("Stream shorter than a second has its average as peak, and an empty one has zero")
    func short() {
        var meter = BitRateMeter()
        #expect(meter.averageBitRate == 0)
        #expect(meter.peakBitRate == 0)
        meter.add(byteCount: 100, duration: 1024, sampleRate: 48_000)
        #expect(meter.peakBitRate == 37_500)
    }
}
