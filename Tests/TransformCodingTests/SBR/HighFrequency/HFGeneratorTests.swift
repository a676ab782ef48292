// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TransformCoding

@Suite struct HFGeneratorTests {
    /// QMF slots of 32 subbands with different predictability.
    private static func qmfSlots(_ random: inout SeededRandom, after previous: [DoubleComplex]) -> [[DoubleComplex]] {
        var last = previous
        return (0..<32).map { _ in
            last = last.enumerated().map { subband, value in
                value * DoubleComplex.unit(0.7 * Double(subband)) * (0.9 * Double(subband % 4) / 4) + .random(100, &random)
            }
            // Rounded to the arrays' precision.
            last = last.map { DoubleComplex(real: Double(Float($0.real)), imaginary: Double(Float($0.imaginary))) }
            return last
        }
    }

    private static func lowBand(_ low: borrowing LowBandSlots) -> [[DoubleComplex]] {
        var result: [[DoubleComplex]] = []
        for subband in 0..<32 {
            var qmfSlots: [DoubleComplex] = []
            for qmfSlot in 0..<40 { qmfSlots.append(low.value(subband, qmfSlot)) }
            result.append(qmfSlots)
        }
        return result
    }

    @Test func `chirp factors of random modes match the table and the smoothing`() {
        var random = SeededRandom(seed: 401)
        var noiseBands = BandBoundaries()
        for boundary in [16, 20, 24, 28, 32, 40] { _ = noiseBands.append(boundary) }
        var chirp = ChirpFactors()
        var model = HFGeneratorModel()
        for frame in 0..<500 {
            // Includes long runs, so that factors decay to zero.
            let modes = (0..<5).map { $0 < 2 && frame % 40 < 20 ? 0 : Int.random(in: 0...3, using: &random) }
            var vector = SIMD8<UInt8>(repeating: 0)
            for band in 0..<5 { vector[band] = UInt8(modes[band]) }
            chirp.update(vector, noiseBands: noiseBands)
            model.updateChirp(modes)
            for band in 0..<5 { #expect(abs(Double(chirp.factors[band]) - model.chirp[band]) < 1e-6, "seed 401, frame \(frame)") }
        }
    }

    @Test(arguments: [32, 30]) func `prediction coefficients match the covariance method`(qmfSlotCount: Int) {
        let seed = UInt64(410 + qmfSlotCount)
        var random = SeededRandom(seed: seed)
        let generator = RandomSBR(seed: seed, channelCount: 1, rate: 44_100)
        var low = LowBandSlots(SlotLayout(coreFrameLength: 32 * qmfSlotCount))
        var prediction = LinearPrediction()
        var last = [DoubleComplex](repeating: .zero, count: 32)
        for frame in 0..<6 {
            let qmfSlots = Self.qmfSlots(&random, after: last)
            last = qmfSlots[31]
            low.fill(qmfSlots)
            prediction.compute(low, rows: 0xFF, qmfSlotCount: qmfSlotCount + 6)
            let values = Self.lowBand(low)
            for subband in generator.tables.patches.sources {
                let expected = HFGeneratorModel.coefficients(values[subband], qmfSlotCount: qmfSlotCount)
                let (alpha0, alpha1) = (prediction.first(from: subband), prediction.second(from: subband))
                for (found, model) in [(alpha0, expected.alpha0), (alpha1, expected.alpha1)] {
                    #expect(abs(Double(found.real.x) - model.real) < 1e-4, "seed \(seed), frame \(frame), subband \(subband)")
                    #expect(abs(Double(found.imaginary.x) - model.imaginary) < 1e-4, "seed \(seed), frame \(frame), subband \(subband)")
                }
            }
            low.advance()
        }
    }

    @Test func `silence and growing signals are not predicted`() {
        var random = SeededRandom(seed: 420)
        let generator = RandomSBR(seed: 420, channelCount: 1, rate: 44_100)
        for growth in [0.0, 5] {
            var low = LowBandSlots(SlotLayout(coreFrameLength: 1024))
            var last = [DoubleComplex](repeating: growth > 0 ? DoubleComplex(real: 1e-9, imaginary: 0) : .zero, count: 32)
            low.fill(
                (0..<32).map { _ in
                    last = last.map { $0 * (growth * Double.random(in: 0.95...1.05, using: &random)) }
                    return last
                })
            var prediction = LinearPrediction()
            prediction.compute(low, rows: 0xFF, qmfSlotCount: 38)
            for subband in generator.tables.patches.sources {
                for coefficient in [prediction.first(from: subband), prediction.second(from: subband)] {
                    #expect(coefficient.real.x == 0 && coefficient.imaginary.x == 0, "growth \(growth)")
                }
            }
        }
    }

    @Test(arguments: [(22_050, 32), (44_100, 32), (48_000, 30), (32_000, 32)])
    func `the generated high band matches the formula`(rate: Int, qmfSlotCount: Int) {
        for seed in UInt64(430)..<436 {
            var random = SeededRandom(seed: seed)
            var generator = RandomSBR(seed: seed + UInt64(rate), channelCount: 1, rate: rate, slotCount: qmfSlotCount / 2)
            let layout = SlotLayout(coreFrameLength: 32 * qmfSlotCount)
            var low = LowBandSlots(layout)
            var high = HighBandSlots(layout)
            var prediction = LinearPrediction()
            var chirp = ChirpFactors()
            var model = HFGeneratorModel()
            var last = [DoubleComplex](repeating: .zero, count: 32)
            for frame in 0..<4 {
                let qmfSlots = Self.qmfSlots(&random, after: last)
                last = qmfSlots[31]
                low.fill(qmfSlots)
                let payload = generator.payload()
                let (modes, boundaries) = (payload.channels[0].inverseFiltering, payload.channels[0].boundaries)
                let tables = generator.tables
                chirp.update(modes, noiseBands: tables.noise)
                model.updateChirp((0..<tables.noise.count).map { Int(modes[$0]) })
                let range = 2 * boundaries.start..<2 * boundaries.end
                prediction.compute(low, rows: chirp.strengths.sourceRows(of: tables.patches), qmfSlotCount: qmfSlotCount + 6)
                HFGenerator.generate(
                    into: &high, from: low, qmfSlots: range, tables: tables, prediction: prediction, strengths: chirp.strengths)
                let values = Self.lowBand(low)
                var error = ModelError()
                for qmfSlot in range {
                    for subband in tables.high.first..<tables.high.last {
                        let expected = model.value(subband, qmfSlot, low: values, tables: tables, qmfSlotCount: qmfSlotCount)
                        error.add(high.value(subband, qmfSlot), expected: expected)
                    }
                }
                #expect(error.decibels < -90 && error.signal > 0, "seed \(seed), frame \(frame), rate \(rate): \(error.decibels) dB")
                low.advance()
            }
        }
    }
}
