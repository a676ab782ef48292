// SPDX-License-Identifier: Apache-2.0

import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct PerceptualEntropyTests {
    @Test(
        "Equals ½ log2(1 + 4 x²/N), summed over sent lines",
        arguments: 1...5 as ClosedRange<UInt64>)
    func formula(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: 45)
        var lines = ContiguousArray<Float>(repeating: 0, count: 1024)
        var noise = ContiguousArray<Float>(repeating: 1, count: 120)
        for line in 0..<1024 { lines[line] = Float.random(in: -30_000...30_000, using: &random) }
        for band in 0..<layout.count { noise[band] = Float.random(in: 1...1e9, using: &random) }
        var replacements = BandReplacements()
        replacements.replace(7, codebook: 13, value: 20)
        let noiseScale = Float.random(in: 0.01...4, using: &random)
        var expected = 0.0
        for band in 0..<layout.count where band != 7 {
            for line in layout.lines(band) {
                let perLine = Double(noise[band] * noiseScale) / Double(layout.width(band)) / 4
                let ratio = Double(lines[line]) * Double(lines[line]) / perLine
                expected += 0.5 * PortableMath.ln(1 + ratio) / PortableMath.ln(2)
            }
        }
        let found = PerceptualEntropy.bits(
            lines.span, noiseTargets: noise.span, replacements: replacements.codebooks.span, noiseScale: noiseScale, layout: layout)
        #expect(abs(Double(found) - expected) < 1e-3 * expected, "seed \(seed)")
        let three = PerceptualEntropy.bits(
            lines.span, noiseTargets: noise.span, replacements: replacements.codebooks.span,
            noiseScales: SIMD3(noiseScale, 2, noiseScale), layout: layout)
        #expect(three.x == found && three.z == found && three.y != found, "seed \(seed)")
    }

    @Test("Extreme lines keep the entropy finite")
    func extremes() {
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: 49)
        let lines = ContiguousArray<Float>(repeating: 1e12, count: 1024)
        let noise = ContiguousArray<Float>(repeating: 1e-9, count: 120)
        let replacements = BandReplacements()
        let bits = PerceptualEntropy.bits(
            lines.span, noiseTargets: noise.span, replacements: replacements.codebooks.span, noiseScale: 1e-6, layout: layout)
        #expect(bits.isFinite && bits > 0)
    }
}
