// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct HarmonicTransposerTests {
    struct Ratio: Sendable {
        let coreFrameLength: Int
        let bandCount: Int
        var layout: SlotLayout { SlotLayout(coreFrameLength: coreFrameLength, analysisBandCount: bandCount) }
    }

    private static func tables(_ ratio: Ratio, _ random: inout SeededRandom) -> FrequencyBandTables {
        // At 2:1 and 8:3 stretching must reach the top. At 4:1 it does not every other time.
        let reachesBeyond = ratio.bandCount == 16 && random.integer(in: 0..<2) == 0
        while true {
            var parameters = FrequencyBandParameters()
            parameters.startFrequency = random.integer(in: 0..<16)
            parameters.stopFrequency = random.integer(in: 0..<16)
            parameters.crossoverBand = random.integer(in: 0..<4)
            parameters.frequencyScale = random.integer(in: 0..<4)
            parameters.altersScale = random.integer(in: 0..<2) == 0
            let tables = FrequencyBandTables(
                parameters, limiterBands: 2, rate: random.element(of: [32_000, 44_100, 48_000]),
                variant: ratio.bandCount == 16 ? .enhancedQuadruple : .enhanced)
            if let tables, (tables.high.last > 4 * tables.crossoverSubband) == reachesBeyond { return tables }
        }
    }

    /// Returns a frame of QMF slots: slowly moving sinusoids in half-bands, plus noise.
    private static func qmfSlots(
        _ ratio: Ratio, _ phases: inout [DoubleComplex], _ random: inout SeededRandom
    ) -> [[DoubleComplex]] {
        (0..<ratio.layout.qmfSlotCount).map { _ in
            (0..<32).map { band in
                guard band < ratio.bandCount else { return .zero }
                phases[band] = phases[band] * DoubleComplex.unit(0.37 * Double(band + 1))
                let value = phases[band] * Double(band % 3 == 0 ? 2000 : 200) + .random(50, &random)
                return DoubleComplex(real: Double(Float(value.real)), imaginary: Double(Float(value.imaginary)))
            }
        }
    }

    /// Returns band boundaries as an array.
    private static func boundaries(_ bands: BandBoundaries) -> [Int] { (0...bands.count).map { bands[$0] } }

    // Roots and powers of four factors are in single precision.
    @Test(
        "Transposed QMF slots match the stretched windows and cross products, across frames",
        arguments: [
            Ratio(coreFrameLength: 1024, bandCount: 32), Ratio(coreFrameLength: 768, bandCount: 24),
            Ratio(coreFrameLength: 1024, bandCount: 16),
        ], [false, true])
    func qmfSlots(ratio: Ratio, hasPitch: Bool) throws {
        let prototype = try HighEfficiencyTables.load().prototype
        var (crossProductCount, blockCount) = (0, 0)
        let comparison = ModelComparison(seeds: 900..<908, faultSeedCount: 3) { seed, fault in
            var random = SeededRandom(seed: seed)
            let layout = ratio.layout
            var tables = Self.tables(ratio, &random)
            func makeModel() -> HarmonicTransposerModel {
                HarmonicTransposerModel(
                    prototype: prototype, low: Self.boundaries(tables.low), high: Self.boundaries(tables.high),
                    coreBandCount: ratio.bandCount, fault: fault)
            }
            var transposer = HarmonicTransposer(layout)
            var model = makeModel()
            var low = LowBandSlots(layout)
            var phases = (0..<32).map { _ in DoubleComplex.unit(random.double(in: 0...6)) }
            // At 4:1 the transposer's input is 32 QMF slots older than the newest.
            let lag = ratio.bandCount == 16 ? 32 : 0
            var input = [[DoubleComplex]](repeating: [DoubleComplex](repeating: .zero, count: 32), count: lag)
            var error = ModelError()
            var last = [[DoubleComplex]](repeating: [DoubleComplex](repeating: .zero, count: 32), count: layout.qmfSlotCount)
            for frame in 0..<5 {
                let isReset = frame == 0 || frame == 3
                if isReset {
                    // After a reset the windows are filled from the previous frame.
                    if frame > 0 { tables = Self.tables(ratio, &random) }
                    model = makeModel()
                    _ = model.transpose(last, pitch: 0)
                }
                let pitch = hasPitch ? random.integer(in: 12..<128) : 0
                let qmfSlots = Self.qmfSlots(ratio, &phases, &random)
                low.fill(qmfSlots)
                transposer.load(low)
                transposer.transpose(tables: tables, isReset: isReset, pitch: pitch)
                input += qmfSlots
                last = Array(input.prefix(layout.qmfSlotCount))
                input.removeFirst(layout.qmfSlotCount)
                let expected = model.transpose(last, pitch: pitch)
                for (qmfSlot, values) in expected.enumerated() {
                    for band in tables.crossoverSubband..<tables.high.last {
                        let index = 64 * (transposer.output.retainedCount + qmfSlot) + band
                        let value = DoubleComplex(
                            real: Double(transposer.output.real[index]), imaginary: Double(transposer.output.imaginary[index]))
                        error.add(value, expected: values[band])
                    }
                }
                low.advance()
            }
            (crossProductCount, blockCount) = (crossProductCount + model.crossProductCount, blockCount + model.blockCount)
            return error
        }
        #expect(hasPitch == (crossProductCount > 100) && (ratio.bandCount == 16) == (blockCount > 0))
        #expect(comparison.agrees(below: -110), "\(comparison)")
    }
}
