// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct SubbandTonalityModelTests {
    @Test(arguments: [2, 1]) func `residuals and energies match a least-squares model`(qmfSlotsPerTimeSlot: Int) {
        let seed = UInt64(740 + qmfSlotsPerTimeSlot)
        var random = SeededRandom(seed: seed)
        var history = SubbandHistory(SlotLayout(coreFrameLength: 1024), qmfSlotsPerTimeSlot: qmfSlotsPerTimeSlot)
        let count = 16 * qmfSlotsPerTimeSlot
        var frames: [[[DoubleComplex]]] = []
        for frame in 0..<6 {
            var qmfSlots = SubbandSlots(SlotLayout(coreFrameLength: 1024))
            var last = [DoubleComplex](repeating: .zero, count: 64)
            var values: [[DoubleComplex]] = []
            for qmfSlot in 0..<count {
                // From noise to nearly pure tones.
                last = last.enumerated().map { subband, value in
                    value * DoubleComplex.unit(0.3 * Double(subband)) * (1 - exp2(-Double(subband % 8))) + .random(1000, &random)
                }
                last = last.map { DoubleComplex(real: Double(Float($0.real)), imaginary: Double(Float($0.imaginary))) }
                for subband in 0..<64 {
                    qmfSlots.real[16 * qmfSlot + subband / 4][subband % 4] = Float(last[subband].real)
                    qmfSlots.imaginary[16 * qmfSlot + subband / 4][subband % 4] = Float(last[subband].imaginary)
                }
                values.append(last)
            }
            frames.append(values)
            history.append(qmfSlots)
            guard frame >= 2 else { continue }
            var tonality = SubbandTonality()
            tonality.measure(history, rows: 0..<16)
            for subband in 0..<64 {
                let x = frames[frame - 2].map { $0[subband] }
                let expected = Self.model(x)
                let scale = qmfSlotsPerTimeSlot == 1 ? 0.56 : 1
                #expect(abs(Double(tonality.residuals[subband]) - scale * expected.residual) < 1e-3, "seed \(seed), subband \(subband)")
                #expect(abs(Double(tonality.energies[subband]) / expected.energy - 1) < 1e-4, "seed \(seed), subband \(subband)")
            }
        }
    }

    /// The residual fraction of x(n) after prediction as a x(n - 1) + b x(n - 2), and the mean energy.
    private static func model(_ x: [DoubleComplex]) -> (residual: Double, energy: Double) {
        func sum(_ i: Int, _ j: Int) -> DoubleComplex { (2..<x.count).reduce(.zero) { $0 + x[$1 - i] * x[$1 - j].conjugate } }
        let (r01, r02, r12) = (sum(0, 1), sum(0, 2), sum(1, 2))
        let e0 = sum(0, 0).real + 32
        let (e1, e2) = ((sum(1, 1).real + 32) * 1.001, (sum(2, 2).real + 32) * 1.001)
        let determinant = e1 * e2 - r12.energy
        let a = (r01 * e2 - r02 * r12.conjugate) * (1 / determinant)
        let b = (r02 * e1 - r01 * r12) * (1 / determinant)
        let explained = (a * r01.conjugate + b * r02.conjugate).real
        return (max(0, min(1, 1 - explained / e0)), (e0 - 32) / Double(x.count - 2))
    }
}
