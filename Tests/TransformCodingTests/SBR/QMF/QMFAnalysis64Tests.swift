// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding

@Suite struct QMFAnalysis64Tests {
    @Test(arguments: [1024, 960]) func `analysis follows the formula over frames`(coreFrameLength: Int) {
        var random = SeededRandom(seed: 21)
        var model = QMFAnalysis64Model()
        var bank = QMFAnalysis64(SlotLayout(coreFrameLength: coreFrameLength))
        var qmfSlots = SubbandSlots(SlotLayout(coreFrameLength: coreFrameLength))
        for _ in 0..<2 {
            let samples = (0..<2 * coreFrameLength).map { _ in Float.random(in: -32768...32768, using: &random) }
            bank.analyze(samples.span, into: &qmfSlots)
            var error = 0.0
            var energy = 0.0
            for qmfSlot in 0..<coreFrameLength / 32 {
                let expected = model.qmfSlot(samples[64 * qmfSlot..<64 * qmfSlot + 64])
                for band in 0..<64 {
                    let found = Self.subband(band, qmfSlot: qmfSlot, of: qmfSlots)
                    let real = Double(found.real.x) - expected[band].real
                    let imaginary = Double(found.imaginary.x) - expected[band].imaginary
                    error += real * real + imaginary * imaginary
                    energy += expected[band].real * expected[band].real + expected[band].imaginary * expected[band].imaginary
                }
            }
            // 130 dB.
            #expect(error < 1e-13 * energy)
        }
    }

    /// Returns a subband of a QMF slot with the standard's phase, in each lane.
    private static func subband(_ band: Int, qmfSlot: Int, of qmfSlots: borrowing SubbandSlots) -> ComplexVector {
        let row = 16 * qmfSlot + band / 4
        let value = ComplexVector(SIMD4(repeating: qmfSlots.real[row][band % 4]), SIMD4(repeating: qmfSlots.imaginary[row][band % 4]))
        return value * QMFTables.shared.fullAnalysisPhases[band]
    }

    @Test func `analysis and synthesis delay the input by 577 samples`() {
        var random = SeededRandom(seed: 22)
        var bank = QMFAnalysis64(SlotLayout(coreFrameLength: 1024))
        var synthesis = QMFSynthesis()
        var qmfSlots = SubbandSlots(SlotLayout(coreFrameLength: 1024))
        var input: [Float] = []
        var output: [Float] = []
        for _ in 0..<3 {
            let samples = (0..<2048).map { _ in Float.random(in: -32768...32768, using: &random) }
            bank.analyze(samples.span, into: &qmfSlots)
            var block = [Float](repeating: 0, count: 2048)
            for first in stride(from: 0, to: 32, by: 4) {
                var bands = [ComplexVector](repeating: .zero, count: 64)
                for band in 0..<64 {
                    for lane in 0..<4 {
                        let found = Self.subband(band, qmfSlot: first + lane, of: qmfSlots)
                        bands[band].real[lane] = found.real.x
                        bands[band].imaginary[lane] = found.imaginary.x
                    }
                }
                var workBands = bands
                var subbands = bands.mutableSpan
                var work = workBands.mutableSpan
                var target = block.mutableSpan
                synthesis.synthesize64(&subbands, work: &work, qmfSlotCount: 4, into: &target, at: 64 * first)
            }
            input += samples
            output += block
        }
        var error = 0.0
        var energy = 0.0
        for index in 1000..<output.count {
            let difference = Double(output[index]) - Double(input[index - 577])
            error += difference * difference
            energy += Double(output[index]) * Double(output[index])
        }
        // The filter banks' reconstruction error is -59 dB.
        #expect(error < 2e-6 * energy)
    }
}
