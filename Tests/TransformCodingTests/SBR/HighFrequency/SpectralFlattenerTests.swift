// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

@Suite struct SpectralFlattenerTests {
    // Gains and the high band are in single precision.
    @Test(arguments: [(1024, 32), (768, 24), (1024, 16)])
    func `patches lose the slope of the cubic fit to the low band's levels`(ratio: (Int, Int)) {
        let layout = SlotLayout(coreFrameLength: ratio.0, analysisBandCount: ratio.1)
        let comparison = ModelComparison(seeds: 990..<1006) { seed, fault in
            var random = SeededRandom(seed: seed)
            let tables = RandomSBR(seed: seed, channelCount: 1, rate: ratio.1 == 16 ? 96_000 : 48_000).tables
            var low = LowBandSlots(layout)
            var high = HighBandSlots(layout)
            let slope = random.float(in: 0.7...1.1)
            for _ in 0..<2 {
                low.advance()
                low.fill(
                    (0..<layout.qmfSlotCount).map { _ in
                        var level: Float = 5000
                        return (0..<32).map { _ in
                            level *= slope
                            return DoubleComplex.random(level * random.float(in: 0.5...1), &random)
                        }
                    })
            }
            let first = layout.qmfSlotsPerTimeSlot * random.integer(in: 0..<3)
            let qmfSlots = first..<layout.qmfSlotsPerTimeSlot * random.integer(in: 14..<17)
            let gains = SpectralFlattenerModel(fault: fault).gains(count: tables.startSubband, qmfSlots: qmfSlots) { low.value($0, $1) }
            var expected: [[DoubleComplex]] = []
            for qmfSlot in 0..<high.capacity {
                for band in tables.high.first..<tables.high.last where qmfSlots.contains(qmfSlot) {
                    high.set(.random(1000, &random), band, qmfSlot)
                }
                expected.append((0..<64).map { high.value($0, qmfSlot) })
                guard qmfSlots.contains(qmfSlot) else { continue }
                for patch in 0..<tables.patches.count {
                    for index in 0..<tables.patches.width(of: patch) {
                        let band = tables.patches.target(of: patch) + index
                        expected[qmfSlot][band] = expected[qmfSlot][band] * gains[tables.patches.start(of: patch) + index]
                    }
                }
            }
            SpectralFlattener.flatten(&high, by: low, qmfSlots: qmfSlots, tables: tables)
            var error = ModelError()
            for (qmfSlot, values) in expected.enumerated() {
                for band in 0..<64 { error.add(high.value(band, qmfSlot), expected: values[band]) }
            }
            return error
        }
        #expect(comparison.agrees(below: -115), "\(comparison)")
    }
}
