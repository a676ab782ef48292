// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct SBRPayloadCoderTests {
    /// Random QMF slots.
    ///
    /// The right channel is consistently louder or quieter.
    private func qmfSlots(_ layout: SlotLayout, _ random: inout SeededRandom) -> SubbandSlots {
        var qmfSlots = SubbandSlots(layout)
        let loud = Int.random(in: 0..<layout.qmfSlotCount, using: &random)
        for qmfSlot in 0..<layout.qmfSlotCount {
            let level: Float = qmfSlot >= loud ? 4000 : 200
            for row in 0..<16 {
                for lane in 0..<4 { qmfSlots.real[16 * qmfSlot + row][lane] = Float.random(in: -level...level, using: &random) }
            }
        }
        return qmfSlots
    }

    private func scaled(_ qmfSlots: borrowing SubbandSlots, _ layout: SlotLayout, by factor: Float) -> SubbandSlots {
        var result = SubbandSlots(layout)
        for index in qmfSlots.real.indices { result.real[index] = qmfSlots.real[index] * factor }
        return result
    }

    @Test(arguments: [24_000, 32_000, 48_000, 64_000], [1024, 960])
    func `decoded energies match the measured ones within half a step`(bitRate: Int, coreFrameLength: Int) throws {
        let tuning = try #require(SBRTuning(bitRate: bitRate, sampleRate: 48_000, channelCount: 2, coreFrameLength: coreFrameLength))
        let layout = tuning.layout
        var random = SeededRandom(seed: 51)
        var left = SBRChannelEncoder(tuning)
        var right = SBRChannelEncoder(tuning)
        var coder = SBRPayloadCoder(channelCount: 2, tuning: tuning)
        var decoder = SBRReader(rate: 48_000, slotCount: layout.slotCount, channelCount: 2, variant: .standard)
        var coupledCount = 0
        for frame in 0..<24 {
            let qmfSlots = qmfSlots(layout, &random)
            left.append(qmfSlots)
            right.append(scaled(qmfSlots, layout, by: 0.3))
            if tuning.allowsCoupling {
                SBRChannelEncoder.analyze(&left, &right, tuning: tuning, endsFixed: false)
            } else {
                left.analyze(tuning, endsFixed: false)
                right.analyze(tuning, endsFixed: false)
            }
            coder.code(left, right, isIndependent: frame % 8 == 0)
            var writer = BitWriter()
            writer.write(frame % 8 == 0)
            if frame % 8 == 0 { tuning.header.write(to: &writer) }
            coder.payload.write(to: &writer, header: tuning.header, tables: tuning.tables, stereo: nil)
            let bits = writer.bytes
            var reader = BitReader(bits)
            var reading = SBRReading(channelCount: 2, slotCount: layout.slotCount)
            let hasReading = decoder.read(&reading, from: &reader, end: writer.bitCount, isChecked: false)
            try #require(hasReading)
            decoder.commit(reading)
            if reading.isCoupled { coupledCount += 1 }
            guard frame >= 2 else { continue }
            for channel in 0..<2 {
                // Half a step, 0.75 or 1.5 dB, each for level and balance.
                let step: Float = reading.isCoarse[channel] != 0 ? 1.42 : 1.2
                for envelope in 0..<reading.channels[channel].boundaries.count {
                    for band in 0..<tuning.tables.bandCount(isHighResolution: reading.channels[channel].isHighResolution(envelope)) {
                        let index = 48 * envelope + band
                        let measured = max(channel == 0 ? left.energies[index] : right.energies[index], 64)
                        let ratio = reading.channels[channel].energies[index] / measured
                        let tolerance = reading.isCoupled ? step * step * step : step
                        #expect(ratio < tolerance && ratio > 1 / tolerance, "\(bitRate) \(envelope) \(band)")
                    }
                }
            }
        }
        #expect(tuning.allowsCoupling == (coupledCount > 0))
    }
}
