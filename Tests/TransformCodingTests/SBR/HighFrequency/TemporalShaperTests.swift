// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding

@Suite struct TemporalShaperTests {
    // Sums of up to 2000 energies are in single precision.
    @Test(arguments: [(1024, 32), (768, 24), (1024, 16)], [1, 2, 3])
    func `an envelope gets the low band's temporal shape and keeps its energy`(ratio: (Int, Int), mode: Int) {
        let layout = SlotLayout(coreFrameLength: ratio.0, analysisBandCount: ratio.1)
        let comparison = ModelComparison(seeds: 950..<960) { seed, fault in
            var random = SeededRandom(seed: seed)
            let tables = RandomSBR(seed: seed, channelCount: 1, rate: ratio.1 == 16 ? 96_000 : 48_000).tables
            let highBand = tables.high.first..<tables.high.last
            var low = LowBandSlots(layout)
            var high = HighBandSlots(layout)
            // Levels vary between QMF slots, with pauses.
            for _ in 0..<2 {
                low.advance()
                low.fill(
                    (0..<layout.qmfSlotCount).map { _ in
                        let level = Float(1 << random.integer(in: 0..<12))
                        return (0..<32).map { _ in DoubleComplex.random(level, &random) }
                    })
            }
            let first = layout.qmfSlotsPerTimeSlot * random.integer(in: 0..<12)
            let qmfSlots = first..<first + layout.qmfSlotsPerTimeSlot * random.integer(in: 1..<6)
            for qmfSlot in qmfSlots { for band in highBand { high.set(.random(1000, &random), band, qmfSlot) } }
            let factors = TemporalShaperModel(fault: fault).factors(
                mode: mode, qmfSlots: qmfSlots, highBand: highBand, low: { low.value($0, $1) }, high: { high.value($0, $1) })
            var expected: [[DoubleComplex]] = []
            for qmfSlot in 0..<high.capacity {
                let factor = qmfSlots.contains(qmfSlot) ? factors[qmfSlot - qmfSlots.lowerBound] : 1
                expected.append((0..<64).map { high.value($0, qmfSlot) * factor })
            }
            TemporalShaper.shape(&high, by: low, qmfSlots: qmfSlots, mode: UInt8(mode), tables: tables)
            var error = ModelError()
            for (qmfSlot, values) in expected.enumerated() {
                for band in 0..<64 { error.add(high.value(band, qmfSlot), expected: values[band]) }
            }
            return error
        }
        #expect(comparison.agrees(below: -115), "\(comparison)")
    }
}
