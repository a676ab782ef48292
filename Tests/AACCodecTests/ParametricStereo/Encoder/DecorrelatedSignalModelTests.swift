// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Foundation
import TestSupport
import Testing
import TransformCoding

@Suite struct DecorrelatedSignalModelTests {
    /// Energies of a band over several time slots.
    struct Sums {
        var mono: Float = 0
        var decorrelated: Float = 0
        var cross: Float = 0
    }

    /// Measures one subband over time slots, and sums its stereo band over the time slots of `range`.
    private static func run(
        subband: Int, qmfSlotCount: Int, over range: Range<Int>, _ value: (Int) -> (Float, Float)
    ) -> Sums {
        var model = DecorrelatedSignalModel(qmfSlotCount: 32, bandLimit: 20)
        var sums = Sums()
        var bands = [ComplexVector](repeating: .zero, count: 64)
        var decorrelated = [ComplexVector](repeating: .zero, count: 64)
        let band = StereoBands.bands20.stereoBand(ofSubband: subband)
        for qmfSlot in stride(from: 0, to: qmfSlotCount, by: 4) {
            var vector = ComplexVector.zero
            for lane in 0..<4 { (vector.real[lane], vector.imaginary[lane]) = value(qmfSlot + lane) }
            bands[subband] = vector
            var target = decorrelated.mutableSpan
            model.measure(bands.span, work: &target, qmfSlot: qmfSlot % 32)
            for lane in 0..<4 where range.contains(qmfSlot + lane) {
                sums.mono += model.mono[band][lane]
                sums.decorrelated += model.decorrelated[band][lane]
                sums.cross += model.cross[band][lane]
            }
            if qmfSlot % 32 == 28 { model.advance(qmfSlotCount: 32) }
        }
        return sums
    }

    @Test(arguments: [4, 10, 20, 28, 40, 60]) func `decorrelated noise has the same energy and is uncorrelated`(
        subband: Int
    ) {
        var random = SeededRandom(seed: UInt64(subband))
        let sums = Self.run(subband: subband, qmfSlotCount: 4096, over: 64..<4096) { _ in
            (.random(in: -1000...1000, using: &random), .random(in: -1000...1000, using: &random))
        }
        // Transient reduction after noise peaks lowers the energy slightly.
        #expect(sums.decorrelated > 0.6 * sums.mono && sums.decorrelated < 1.05 * sums.mono, "\(sums)")
        #expect(abs(sums.cross) < 0.1 * sums.mono, "\(sums)")
    }

    @Test(arguments: [4, 10, 20, 28, 40]) func `a decorrelated tone is a tone with constant phase`(subband: Int) {
        for step in [0.3, 1.1, 2.5] {
            let sums = Self.run(subband: subband, qmfSlotCount: 512, over: 256..<512) { qmfSlot in
                (Float(1000 * cos(step * Double(qmfSlot))), Float(1000 * sin(step * Double(qmfSlot))))
            }
            #expect(abs(sums.decorrelated / sums.mono - 1) < 0.05, "\(sums)")
            // With constant phase, the common part is its cosine, at most 1.
            #expect(abs(sums.cross) <= 1.01 * sums.mono)
        }
    }

    @Test func `attenuates the decorrelated signal after an attack`() {
        // The delay of subband 28 is 14 time slots.
        let sums = Self.run(subband: 28, qmfSlotCount: 64, over: 30..<48) { qmfSlot in
            (24..<28).contains(qmfSlot) ? (10_000, 0) : (10, 0)
        }
        #expect(sums.decorrelated < 0.1 * 4e8, "\(sums)")
        #expect(sums.decorrelated > 0)
    }
}
