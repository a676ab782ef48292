// SPDX-License-Identifier: Apache-2.0

import AACCodec
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct SectioningTests {
    @Test("Chooses the cheapest sections", arguments: 1...12 as ClosedRange<UInt64>)
    func exhaustive(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: 5)
        var sectioning = Sectioning()
        var costs = [[Float]]()
        // Four possible codebooks with different costs.
        let codebooks = [0, 1, 7, 11]
        for band in 0..<5 {
            var row = [Float](repeating: 1e8, count: 12)
            for codebook in codebooks { row[codebook] = Float.random(in: 0...25, using: &random) }
            costs.append(row)
            var costs = CodebookCosts(repeating: 0)
            for codebook in 0..<12 { costs[codebook] = row[codebook] }
            sectioning.setCosts(band, costs)
        }
        var chosen = [UInt8](repeating: 0, count: 5)
        var span = chosen.mutableSpan
        sectioning.choose(&span, layout: layout)

        func cost(_ choice: [Int]) -> Float {
            var sum: Float = 0
            for (band, codebook) in choice.enumerated() {
                sum += costs[band][codebook]
                if band == 0 || choice[band - 1] != codebook { sum += 9 }
            }
            return sum
        }
        var best = Float.infinity
        func extend(_ choice: [Int]) {
            guard choice.count < 5 else {
                best = min(best, cost(choice))
                return
            }
            for codebook in codebooks { extend(choice + [codebook]) }
        }
        extend([])
        #expect(abs(cost(chosen.map(Int.init)) - best) < 1e-3, "seed \(seed), chose \(chosen)")
    }

    @Test("Noise and intensity bands are kept and end sections")
    func fixedBands() {
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: 5)
        var sectioning = Sectioning()
        for band in 0..<5 {
            var costs = CodebookCosts(repeating: 50)
            costs[5] = 1
            sectioning.setCosts(band, costs)
        }
        var chosen: [UInt8] = [0, 0, BandCodebook.noise, BandCodebook.intensityInPhase, 0]
        var span = chosen.mutableSpan
        sectioning.choose(&span, layout: layout)
        #expect(chosen == [5, 5, BandCodebook.noise, BandCodebook.intensityInPhase, 5])
    }
}
