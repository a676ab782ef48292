// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TransformCoding

/// Tests of the low delay MPEG Surround filter bank.
@Suite struct SurroundBankTests {
    /// Noise below full scale.
    private static let noise: [Float] = {
        var random = SeededRandom(seed: 11)
        return (0..<4096).map { _ in Float.random(in: -10_000...10_000, using: &random) }
    }()

    /// Returns the ratio of the noise to the error of a delayed output, in decibels.
    private static func ratio(_ output: [Float], delay: Int) -> Double {
        var (signal, error) = (0.0, 0.0)
        for index in 1024..<output.count {
            let expected = Double(noise[index - delay])
            signal += expected * expected
            error += (Double(output[index]) - expected) * (Double(output[index]) - expected)
        }
        return 10 * log10(signal / error)
    }

    @Test("Analysis and synthesis with 64 subbands delay by 256 samples")
    func whole() {
        let layout = SlotLayout(lowDelayFrameLength: 512, bank: .lowDelaySurround, analysisBandCount: 64)
        var analysis = QMFAnalysis64(layout)
        var synthesis = QMFSynthesis(.lowDelaySurround)
        var qmfSlots = FixedArray<ComplexVector>(repeating: .zero, count: 64)
        var work = FixedArray<ComplexVector>(repeating: .zero, count: 64)
        var output = FixedArray<Float>(repeating: 0, count: 4096)
        for start in stride(from: 0, to: 4096, by: 512) {
            analysis.load(Self.noise.span.extracting(start..<start + 512))
            for qmfSlot in stride(from: 0, to: 8, by: 4) {
                var bands = qmfSlots.mutableSpan
                var space = work.mutableSpan
                var target = output.mutableSpan
                analysis.split(from: qmfSlot, into: &bands, work: &space)
                analysis.restorePhases(&bands)
                synthesis.synthesize64(&bands, work: &space, qmfSlotCount: 4, into: &target, at: start + 64 * qmfSlot)
            }
            analysis.advance()
        }
        let ratio = Self.ratio((0..<4096).map { output[$0] }, delay: 256)
        #expect(ratio > 65, "\(ratio) dB")
    }

    @Test("Analysis and synthesis with 32 subbands delay by 128 samples")
    func half() {
        let layout = SlotLayout(lowDelayFrameLength: 512, bank: .lowDelaySurround)
        var analysis = QMFAnalysis(layout)
        var low = LowBandSlots(layout)
        var synthesis = QMFSynthesis(.lowDelaySurround)
        var qmfSlots = FixedArray<ComplexVector>(repeating: .zero, count: 64)
        var work = FixedArray<ComplexVector>(repeating: .zero, count: 64)
        var output = FixedArray<Float>(repeating: 0, count: 4096)
        for start in stride(from: 0, to: 4096, by: 512) {
            analysis.analyze(Self.noise.span.extracting(start..<start + 512), bandCount: 32, into: &low)
            for qmfSlot in stride(from: 0, to: 16, by: 4) {
                for band in 0..<32 {
                    for lane in 0..<4 {
                        let row = LowBandSlots.row(ofQMFSlot: low.retainedCount + qmfSlot + lane) + band / 4
                        qmfSlots[band].real[lane] = low.real[row][band % 4]
                        qmfSlots[band].imaginary[lane] = low.imaginary[row][band % 4]
                    }
                }
                var bands = qmfSlots.mutableSpan
                var space = work.mutableSpan
                var target = output.mutableSpan
                synthesis.synthesize32(&bands, work: &space, qmfSlotCount: 4, into: &target, at: start + 32 * qmfSlot)
            }
        }
        let ratio = Self.ratio((0..<4096).map { output[$0] }, delay: 128)
        #expect(ratio > 65, "\(ratio) dB")
    }
}
