// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct EnvelopePredictorTests {
    /// Fills a frame of QMF slots with varying levels and pauses.
    private static func fill(_ low: inout LowBandSlots, _ layout: SlotLayout, _ random: inout SeededRandom) {
        low.advance()
        low.fill(
            (0..<layout.qmfSlotCount).map { _ in
                let level = random.integer(in: 0..<10) == 0 ? 0 : Float(1 << random.integer(in: 0..<12))
                return (0..<32).map { _ in DoubleComplex.random(level, &random) }
            })
    }

    // Levels are single-precision logarithms, and so are their powers.
    @Test(
        "Envelopes match the vectors and the low band's smoothed levels, across frames",
        arguments: [(1024, 32), (768, 24), (1024, 16)],
        [1, 2])
    func envelopes(ratio: (Int, Int), mode: Int) {
        let layout = SlotLayout(coreFrameLength: ratio.0, analysisBandCount: ratio.1)
        let comparison = ModelComparison(seeds: 970..<980) { seed, fault in
            var random = SeededRandom(seed: seed)
            var predictor = EnvelopePredictor(layout)
            var model = EnvelopePredictorModel(qmfSlotsPerTimeSlot: layout.qmfSlotsPerTimeSlot, fault: fault)
            var tables = RandomSBR(seed: seed, channelCount: 1, rate: ratio.1 == 16 ? 96_000 : 48_000).tables
            var low = LowBandSlots(layout)
            var (wasPredicted, tailCount) = (false, 0)
            var error = ModelError()
            for frame in 0..<6 {
                Self.fill(&low, layout, &random)
                if frame == 3 { tables = RandomSBR(seed: seed + 100, channelCount: 1, rate: ratio.1 == 16 ? 96_000 : 48_000).tables }
                guard random.integer(in: 0..<5) > 0 else {
                    predictor.skip()
                    model.skip()
                    (wasPredicted, tailCount) = (false, random.integer(in: 0..<4))
                    continue
                }
                var data = PredictionData()
                data.mode = mode
                data.isBrief = random.integer(in: 0..<2) == 0
                data.noisePosition = random.integer(in: 4..<16)
                data.tailCount = random.integer(in: 0..<4)
                let borders = UnifiedTables.shared.predictionModes[mode - 1].classBorders
                for slot in 0..<16 {
                    data.vectors[slot] = UInt8(random.element(of: borders + (0..<6).map { _ in random.integer(in: 0..<128) }))
                }
                let highBand = tables.crossoverSubband..<tables.high.last
                let first = wasPredicted ? 0 : tailCount
                predictor.predict(data, low: low, tables: tables, filledCount: wasPredicted ? 0 : tailCount, start: tailCount)
                let expected = model.energies(
                    mode: mode, isBrief: data.isBrief, vectors: data.vectors.indices.map { Int(data.vectors[$0]) }, first: first,
                    highBand: highBand, low: { low.value($0, $1) })
                #expect(predictor.envelopes.first == first && predictor.envelopes.start == tailCount, "seed \(seed)")
                for (slot, energies) in expected.enumerated() {
                    for (subband, energy) in zip(highBand, energies) {
                        // The square root, so that every time slot has some weight.
                        let value = predictor.envelopes.energies[64 * (first + slot) + subband].squareRoot()
                        error.add(value / Float(energy.squareRoot()), expected: 1)
                    }
                }
                (wasPredicted, tailCount) = (true, data.tailCount)
            }
            return error
        }
        #expect(comparison.agrees(below: -115), "\(comparison)")
    }
}
