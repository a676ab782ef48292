// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding

@Suite struct FrequencyTableModelTests {
    private static func list(_ bands: BandBoundaries) -> [Int] { (0...bands.count).map { bands[$0] } }

    @Test(arguments: 0..<9) func `tables and rejections of random headers match the formulas`(rateIndex: Int) throws {
        let reference = try HighEfficiencyTables.load()
        let seed = UInt64(200 + rateIndex)
        var random = SeededRandom(seed: seed)
        var validCount = 0
        for trial in 0..<4000 {
            var header = SBRHeader()
            header.bands.startFrequency = Int.random(in: 0...15, using: &random)
            header.bands.stopFrequency = Int.random(in: 0...15, using: &random)
            header.bands.crossoverBand = Int.random(in: 0...7, using: &random)
            header.bands.frequencyScale = Int.random(in: 0...3, using: &random)
            header.bands.altersScale = Bool.random(using: &random)
            header.bands.noiseBands = Int.random(in: 0...3, using: &random)
            header.limiterBands = Int.random(in: 0...3, using: &random)
            let model = FrequencyTableModel(header, rateIndex: rateIndex, reference: reference)
            let tables = FrequencyBandTables(header: header, rate: reference.rates[rateIndex])
            #expect((model == nil) == (tables == nil), "seed \(seed), trial \(trial), \(header)")
            guard let model, let tables else { continue }
            validCount += 1
            let patches = (0..<tables.patches.count).map {
                [tables.patches.start(of: $0), tables.patches.width(of: $0), tables.patches.target(of: $0)]
            }
            let isEqual =
                tables.startSubband == model.start && Self.list(tables.master) == model.master
                && Self.list(tables.high) == model.high && Self.list(tables.low) == model.low
                && Self.list(tables.noise) == model.noise && Self.list(tables.limiter) == model.limiter
                && patches == model.patches.map { [$0.start, $0.width, $0.target] }
            #expect(isEqual, "seed \(seed), trial \(trial), \(header)")
        }
        #expect(validCount > 500)
    }
}
