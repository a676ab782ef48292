// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding

@Suite struct QMFBankTests {
    @Test(arguments: [32, 30]) func `analysis follows the formula over frames`(qmfSlotCount: Int) {
        var random = SeededRandom(seed: 11)
        var model = QMFAnalysisModel()
        let layout = SlotLayout(coreFrameLength: 32 * qmfSlotCount)
        var bank = QMFAnalysis(layout)
        var qmfSlots = LowBandSlots(layout)
        for _ in 0..<3 {
            let samples = (0..<32 * qmfSlotCount).map { _ in Float.random(in: -32768...32768, using: &random) }
            bank.analyze(samples.span, bandCount: 32, into: &qmfSlots)
            var error = 0.0
            var energy = 0.0
            for qmfSlot in 0..<qmfSlotCount {
                let expected = model.qmfSlot(samples[32 * qmfSlot..<32 * qmfSlot + 32])
                for band in 0..<32 {
                    let row = LowBandSlots.row(ofQMFSlot: qmfSlot + 8) + band / 4
                    let real = Double(qmfSlots.real[row][band % 4]) - expected[band].real
                    let imaginary = Double(qmfSlots.imaginary[row][band % 4]) - expected[band].imaginary
                    error += real * real + imaginary * imaginary
                    energy += expected[band].real * expected[band].real + expected[band].imaginary * expected[band].imaginary
                }
            }
            // 133 dB.
            #expect(error < 5e-14 * energy)
        }
    }

    @Test func `analysis omits the upper subbands and clips NaN`() {
        let layout = SlotLayout(coreFrameLength: 1024)
        var bank = QMFAnalysis(layout)
        var qmfSlots = LowBandSlots(layout)
        var samples = [Float](repeating: 1000, count: 1024)
        samples[5] = .nan
        samples[6] = .infinity
        samples[7] = -.infinity
        bank.analyze(samples.span, bandCount: 17, into: &qmfSlots)
        for qmfSlot in 0..<32 {
            let row = LowBandSlots.row(ofQMFSlot: qmfSlot + 8)
            #expect(qmfSlots.real[row + 4].highHalf == .zero && qmfSlots.imaginary[row + 4].y == 0)
            for band in 5..<8 { #expect(qmfSlots.real[row + band] == .zero && qmfSlots.imaginary[row + band] == .zero) }
            for band in 0..<8 { #expect(qmfSlots.real[row + band].sum().isFinite) }
        }
    }

    @Test(arguments: [(64, 32), (64, 30), (32, 32)])
    func `synthesis follows the formula over frames`(bandCount: Int, qmfSlotCount: Int) {
        var random = SeededRandom(seed: 12)
        var model = QMFSynthesisModel(bandCount: bandCount)
        var bank = QMFSynthesis()
        var output = [Float](repeating: 0, count: bandCount * qmfSlotCount)
        for _ in 0..<3 {
            let qmfSlots = (0..<qmfSlotCount).map { _ in
                (0..<bandCount).map { _ in
                    (
                        real: Double(Float.random(in: -100...100, using: &random)),
                        imaginary: Double(Float.random(in: -100...100, using: &random))
                    )
                }
            }
            for first in stride(from: 0, to: qmfSlotCount, by: 4) {
                let count = min(4, qmfSlotCount - first)
                var bands = [ComplexVector](repeating: .zero, count: 64)
                for band in 0..<bandCount {
                    for lane in 0..<count {
                        bands[band].real[lane] = Float(qmfSlots[first + lane][band].real)
                        bands[band].imaginary[lane] = Float(qmfSlots[first + lane][band].imaginary)
                    }
                }
                var workBands = bands
                var input = bands.mutableSpan
                var work = workBands.mutableSpan
                var target = output.mutableSpan
                if bandCount == 64 {
                    bank.synthesize64(
                        &input, work: &work, qmfSlotCount: count, into: &target, at: 64 * first)
                } else {
                    bank.synthesize32(
                        &input, work: &work, qmfSlotCount: count, into: &target, at: 32 * first)
                }
            }
            var worst = 0.0
            for qmfSlot in 0..<qmfSlotCount {
                let expected = model.samples(qmfSlots[qmfSlot])
                for n in 0..<bandCount {
                    worst = max(worst, abs(Double(output[bandCount * qmfSlot + n]) - expected[n]))
                }
            }
            #expect(worst < 1e-4)
        }
    }
}
