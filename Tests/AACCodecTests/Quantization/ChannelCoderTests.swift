// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct ChannelCoderTests {
    @Test("Raising scale factors reduces the frame size, down to almost nothing", arguments: 1...4 as ClosedRange<UInt64>)
    func coarser(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: bands.longCount)
        let effort = seed % 2 == 0 ? SearchEffort.fast : .balanced
        var coder = ChannelCoder(lineCount: 1024)
        for line in 0..<1024 { coder.spectrum.lines[line] = Float.random(in: -1...1, using: &random) * 20_000 / Float(line + 10) }
        for band in 0..<layout.count { coder.spectrum.noiseTargets[band] = 1000 * Float(layout.width(band)) }
        let entropy = coder.prepare(noiseScale: 0.5, layout: layout)
        #expect(abs(entropy - coder.entropy(noiseScale: 0.5, layout: layout)) < 1e-3 * entropy, "seed \(seed)")
        coder.code(noiseScale: 0.5, layout: layout, effort: effort)
        var last = bits(of: coder, bands: bands)
        #expect(last > 700, "seed \(seed)")
        for steps in [2, 3, 4, 6, 12] {
            coder.requantizeCoarser(by: steps, noiseScale: 0.5, layout: layout, effort: effort)
            let now = bits(of: coder, bands: bands)
            #expect(now < last, "seed \(seed), \(steps) steps")
            last = now
        }
        #expect(last < 300, "seed \(seed)")
    }

    @Test(
        "Recoding at another noise scale nearly matches direct coding; at the same noise scale it is identical",
        arguments: 5...8 as ClosedRange<UInt64>)
    func recoded(seed: UInt64) {
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: bands.longCount)
        let effort = seed % 2 == 0 ? SearchEffort.fast : .balanced
        func makeCoder(noiseScale: Float) -> ChannelCoder {
            var random = SeededRandom(seed: seed)
            var coder = ChannelCoder(lineCount: 1024)
            for line in 0..<1024 { coder.spectrum.lines[line] = Float.random(in: -1...1, using: &random) * 20_000 / Float(line + 10) }
            for band in 0..<layout.count { coder.spectrum.noiseTargets[band] = 1000 * Float(layout.width(band)) }
            _ = coder.prepare(noiseScale: noiseScale, layout: layout)
            coder.code(noiseScale: noiseScale, layout: layout, effort: effort)
            return coder
        }
        var coder = makeCoder(noiseScale: 0.5)
        let first = bits(of: coder, bands: bands)
        for noiseScale: Float in [0.3, 0.4, 0.65, 0.9] {
            coder.recode(noiseScale: noiseScale, layout: layout, effort: effort)
            let (again, atOnce) = (bits(of: coder, bands: bands), bits(of: makeCoder(noiseScale: noiseScale), bands: bands))
            #expect((again < first) == (noiseScale > 0.5), "seed \(seed), \(noiseScale): \(again), \(first)")
            #expect(abs(again - atOnce) * 8 < atOnce, "seed \(seed), \(noiseScale): \(again), \(atOnce)")
        }
        coder.recode(noiseScale: 0.5, layout: layout, effort: effort)
        #expect(bits(of: coder, bands: bands) == first, "seed \(seed)")
    }

    private func bits(of coder: borrowing ChannelCoder, bands: ScaleFactorBands) -> Int {
        var counter = BitCounter()
        coder.stream.write(to: &counter, bands: bands, hasCommonWindow: false)
        return counter.bitCount
    }
}
