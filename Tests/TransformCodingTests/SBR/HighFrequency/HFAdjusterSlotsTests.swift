// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

@Suite struct HFAdjusterSlotsTests {
    private static func frame(_ tables: FrequencyBandTables, start: Int, _ random: inout SeededRandom) -> SlotAdjusterModel.Frame {
        var sines: Set<Int> = []
        for band in 0..<tables.high.count where random.integer(in: 0..<6) == 0 {
            sines.insert((tables.high[band] + tables.high[band + 1]) / 2)
        }
        let noisePosition = random.integer(in: 0..<2) == 0 ? 0 : random.integer(in: 4..<16)
        return SlotAdjusterModel.Frame(
            energies: (0..<16).map { _ in (0..<64).map { _ in Double(Float(1 << random.integer(in: 4..<20))) } }, start: start,
            noisePosition: noisePosition,
            noises: (0..<(noisePosition > 0 ? 2 : 1)).map { _ in (0..<tables.noise.count).map { _ in Double(random.float(in: 0.01...2)) } },
            sines: sines, sinePosition: random.integer(in: 0..<2) == 0 ? 31 : random.integer(in: 0..<15))
    }

    // Gains and the high band are in single precision.
    @Test(arguments: [2, 4])
    func `each time slot of the high band has its predicted envelope, noise and sinusoids, across frames`(
        qmfSlotsPerTimeSlot: Int
    ) throws {
        let reference = try HighEfficiencyTables.load()
        let layout = SlotLayout(coreFrameLength: 1024, analysisBandCount: qmfSlotsPerTimeSlot == 4 ? 16 : 32)
        let comparison = ModelComparison(seeds: 560..<568, faultSeedCount: 3) { seed, fault in
            var random = SeededRandom(seed: seed)
            let generator = RandomSBR(seed: seed, channelCount: 1, rate: 48_000)
            let (header, tables) = (generator.header, generator.tables)
            var adjuster = HFAdjuster(qmfSlotsPerTimeSlot: qmfSlotsPerTimeSlot)
            var model = SlotAdjusterModel(reference, qmfSlotsPerTimeSlot: qmfSlotsPerTimeSlot, fault: fault)
            var tail = 0
            var error = ModelError()
            for index in 0..<5 {
                let frame = Self.frame(tables, start: tail, &random)
                tail = random.integer(in: 0..<4)
                var envelopes = PredictedEnvelopes()
                (envelopes.start, envelopes.noisePosition, envelopes.sinePosition) = (frame.start, frame.noisePosition, frame.sinePosition)
                for slot in 0..<16 { for band in 0..<64 { envelopes.energies[64 * slot + band] = Float(frame.energies[slot][band]) } }
                var data = SBRChannelFrame(slotCount: 16)
                for (floor, noises) in frame.noises.enumerated() {
                    for (band, noise) in noises.enumerated() { data.noises[5 * floor + band] = Float(noise) }
                }
                for band in 0..<tables.high.count where frame.sines.contains((tables.high[band] + tables.high[band + 1]) / 2) {
                    data.harmonics |= 1 << UInt64(band)
                }
                var high = HighBandSlots(layout)
                for qmfSlot in 0..<layout.qmfSlotCount {
                    for band in tables.high.first..<tables.high.last { high.set(.random(Float(10 << (band % 8)), &random), band, qmfSlot) }
                }
                let expected = model.adjust(frame, header, tables, isReset: index == 0) { high.value($0, $1) }
                adjuster.adjust(&high, envelopes: envelopes, frame: data, header: header, tables: tables, isReset: index == 0)
                for (qmfSlot, values) in expected.enumerated() {
                    for band in 0..<64 { error.add(high.value(band, qmfSlot), expected: values[band]) }
                }
            }
            return error
        }
        #expect(comparison.agrees(below: -110), "\(comparison)")
    }
}
