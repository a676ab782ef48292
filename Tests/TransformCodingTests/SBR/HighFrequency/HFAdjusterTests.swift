// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import TestSupport
import Testing
import TransformCoding

@Suite struct HFAdjusterTests {
    /// Reads consecutive random payloads, with a new header every `headerPeriod` frames, and passes their contents to `body`.
    private static func forEachFrame(
        seed: UInt64, rate: Int, count: Int, headerPeriod: Int, _ body: (Int, borrowing SBRReading) throws -> Void
    ) throws {
        var generator = RandomSBR(seed: seed, channelCount: 1, rate: rate)
        var sbr = SBRReader(rate: rate, slotCount: 16, channelCount: 1, variant: .standard)
        for frame in 0..<count {
            let hasHeader = frame % headerPeriod == 0
            if frame > 0 && hasHeader { generator.changeHeader() }
            var writer = BitWriter()
            writer.write(hasHeader)
            if hasHeader { generator.header.write(to: &writer) }
            generator.payload().write(to: &writer, header: generator.header, tables: generator.tables, stereo: nil)
            let bytes = writer.bytes
            var reader = BitReader(bytes)
            var reading = SBRReading(channelCount: 1, slotCount: 16)
            let hasReading = sbr.read(&reading, from: &reader, end: writer.bitCount, isChecked: false)
            try #require(hasReading)
            sbr.commit(reading)
            try body(frame, reading)
        }
    }

    @Test(arguments: [22_050, 32_000, 44_100, 48_000])
    func `gains, noise and sinusoids of each envelope match the formulas`(rate: Int) throws {
        for seed in UInt64(500)..<512 {
            var random = SeededRandom(seed: seed)
            try Self.forEachFrame(seed: seed, rate: rate, count: 8, headerPeriod: 4) { frame, reading in
                let tables = reading.tables
                for envelope in 0..<reading.channels[0].boundaries.count {
                    var gains = EnvelopeGains()
                    var current = [Double](repeating: 0, count: 64)
                    for subband in tables.high.first..<tables.high.last {
                        // From silence to far louder than the target.
                        let energy = Float(exp2(Double.random(in: -10...40, using: &random)))
                        (gains.current[subband], current[subband]) = (energy, Double(energy))
                    }
                    var sines: Set<Int> = []
                    var mask: UInt64 = 0
                    for band in 0..<tables.high.count where reading.channels[0].harmonics >> UInt64(band) & 1 != 0 {
                        sines.insert((tables.high[band] + tables.high[band + 1]) / 2)
                        mask |= 1 << UInt64((tables.high[band] + tables.high[band + 1]) / 2)
                    }
                    let isTransient = Bool.random(using: &random)
                    gains.compute(
                        EnvelopeGains.Envelope(index: envelope, sineSubbands: mask, isTransient: isTransient), of: reading.channels[0],
                        header: reading.header, tables: tables)
                    let expected = HFAdjusterModel.levels(
                        envelope, reading.channels[0], reading.header, tables, sines: sines, current: current, isTransient: isTransient)
                    for subband in 0..<64 {
                        for (found, model) in [
                            (gains.gains[subband], expected.gains[subband]), (gains.noises[subband], expected.noises[subband]),
                            (gains.sines[subband], expected.sines[subband]),
                        ] {
                            #expect(abs(Double(found) - model) <= 1e-5 * model, "seed \(seed), frame \(frame), subband \(subband)")
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: [22_050, 32_000, 44_100, 48_000])
    func `the adjusted high band matches the formulas across frames, headers and resets`(rate: Int) throws {
        let reference = try HighEfficiencyTables.load()
        var (sineCount, transientCount, smoothedCount) = (0, 0, 0)
        for seed in UInt64(520)..<532 {
            var random = SeededRandom(seed: seed)
            var adjuster = HFAdjuster(qmfSlotsPerTimeSlot: 2)
            var model = HFAdjusterModel(reference)
            try Self.forEachFrame(seed: seed, rate: rate, count: 14, headerPeriod: 5) { frame, reading in
                let (boundaries, harmonics) = (reading.channels[0].boundaries, reading.channels[0].harmonics)
                let tables = reading.tables
                var high = HighBandSlots(SlotLayout(coreFrameLength: 1024))
                let qmfSlots = 2 * boundaries.start..<2 * boundaries.end
                var values = [[DoubleComplex]](repeating: [DoubleComplex](repeating: .zero, count: 40), count: 64)
                for qmfSlot in qmfSlots {
                    for subband in tables.high.first..<tables.high.last {
                        let value = DoubleComplex.random(Float(10 << (subband % 8)), &random)
                        values[subband][qmfSlot] = value
                        high.set(value, subband, qmfSlot)
                    }
                }
                if harmonics != 0 { sineCount += 1 }
                if boundaries.transient >= 0 { transientCount += 1 }
                if reading.header.smoothsGains { smoothedCount += 1 }
                adjuster.adjust(
                    &high, low: LowBandSlots(SlotLayout(coreFrameLength: 1024)), frame: reading.channels[0], boundaries: boundaries,
                    header: reading.header, tables: tables,
                    isReset: reading.isReset)
                let expected = model.adjust(reading.channels[0], reading.header, tables, isReset: reading.isReset) { values[$0][$1] }
                var error = ModelError()
                for qmfSlot in qmfSlots {
                    for subband in 0..<64 {
                        error.add(high.value(subband, qmfSlot), expected: expected[qmfSlot - qmfSlots.lowerBound][subband])
                    }
                }
                #expect(error.signal > 0 && error.decibels < -110, "seed \(seed), frame \(frame), rate \(rate): \(error.decibels) dB")
            }
        }
        #expect(sineCount > 10 && transientCount > 10 && smoothedCount > 10)
    }

    @Test func `adjusted enhanced SBR frames with eight envelopes match the formulas`() throws {
        let reference = try HighEfficiencyTables.load()
        // FIXFIX, eight envelopes, high resolution.
        var reader = BitReader([0b0011_1000])
        let grid = try #require(SBRGrid(reading: &reader, variant: .enhanced))
        let boundaries = try #require(EnvelopeBoundaries(grid, slotCount: 16))
        #expect(grid.envelopeCount == 8 && (0...8).map { boundaries[$0] } == [0, 2, 4, 6, 8, 10, 12, 14, 16])
        #expect((0..<8).map { boundaries.noiseFloor(of: $0) } == [0, 0, 0, 0, 1, 1, 1, 1])
        for seed in UInt64(540)..<546 {
            var random = SeededRandom(seed: seed)
            let generator = RandomSBR(seed: seed, channelCount: 1, rate: 44_100)
            let (header, tables) = (generator.header, generator.tables)
            var adjuster = HFAdjuster(qmfSlotsPerTimeSlot: 2)
            var (model, wrongModel) = (HFAdjusterModel(reference), HFAdjusterModel(reference))
            let low = LowBandSlots(SlotLayout(coreFrameLength: 1024))
            for frame in 0..<4 {
                var data = SBRChannelFrame(slotCount: 16)
                data.boundaries = boundaries
                data.highResolution = grid.highResolution
                for index in data.energies.indices { data.energies[index] = Float(1 << random.integer(in: 4..<20)) }
                for index in data.noises.indices { data.noises[index] = random.float(in: 0.01...2) }
                data.harmonics = UInt64(random.integer(in: 0..<1 << min(tables.high.count, 20)) & random.integer(in: 0..<1 << 20))
                var high = HighBandSlots(SlotLayout(coreFrameLength: 1024))
                for qmfSlot in 0..<32 {
                    for band in tables.high.first..<tables.high.last { high.set(.random(Float(10 << (band % 8)), &random), band, qmfSlot) }
                }
                let expected = model.adjust(data, header, tables, isReset: frame == 0) { high.value($0, $1) }
                var error = ModelError()
                var wrongError = ModelError()
                data.energies[48 * 7] *= 2
                let wrong = wrongModel.adjust(data, header, tables, isReset: frame == 0) { high.value($0, $1) }
                data.energies[48 * 7] /= 2
                adjuster.adjust(
                    &high, low: low, frame: data, boundaries: boundaries, header: header, tables: tables, isReset: frame == 0)
                for qmfSlot in 0..<32 {
                    for band in 0..<64 {
                        error.add(high.value(band, qmfSlot), expected: expected[qmfSlot][band])
                        wrongError.add(high.value(band, qmfSlot), expected: wrong[qmfSlot][band])
                    }
                }
                #expect(error.signal > 0 && error.decibels < -110, "seed \(seed), frame \(frame): \(error.decibels) dB")
                // An error of 3 dB in the lowest band of the last envelope.
                #expect(wrongError.decibels > -90, "seed \(seed), frame \(frame): \(wrongError.decibels) dB")
            }
        }
    }
}
