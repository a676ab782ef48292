// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

@Suite struct SurroundMatricesTests {
    /// Returns random parameter sets for a frame of 32 time slots.
    ///
    /// The last set ends with the frame.
    private static func sets(bandCount: Int, allowsPi: Bool, _ random: inout SeededRandom) -> [SurroundMatrixModel.Parameters] {
        let count = random.integer(in: 1..<5)
        let slots = (0..<31).shuffled(using: &random).prefix(count - 1).sorted() + [31]
        return slots.map { slot in
            // Opposite phases may rotate either way, depending on rounding.
            let phases = (0..<bandCount).map { _ in random.integer(in: 0..<16) }.map { $0 == 8 && !allowsPi ? 7 : $0 }
            return SurroundMatrixModel.Parameters(
                slot: slot, levels: (0..<bandCount).map { _ in random.integer(in: 0..<4) == 0 ? 0 : random.integer(in: -15..<16) },
                coherences: (0..<bandCount).map { _ in random.integer(in: 0..<3) == 0 ? 0 : random.integer(in: 0..<8) }, phases: phases,
                isSmoothed: (0..<bandCount).map { _ in random.integer(in: 0..<2) == 0 },
                smoothingTime: random.element(of: [64, 128, 256, 512]), hasCoarsePhases: random.integer(in: 0..<2) == 0)
        }
    }

    /// Returns a frame with these sets.
    private static func frame(_ sets: [SurroundMatrixModel.Parameters], hasPhases: Bool, smoothsPhases: Bool) -> SurroundFrame {
        var frame = SurroundFrame()
        (frame.setCount, frame.hasPhases, frame.smoothsPhases) = (sets.count, hasPhases, smoothsPhases)
        for (index, set) in sets.enumerated() {
            frame.slots[index] = UInt8(set.slot)
            var values = [SIMD32<Int16>](repeating: SIMD32(repeating: 0), count: 3)
            for band in set.levels.indices {
                values[0][band] = Int16(set.levels[band])
                values[1][band] = Int16(set.coherences[band])
                values[2][band] = Int16(hasPhases ? set.phases[band] : 0)
                if set.isSmoothed[band] { frame.smoothedBands[index] |= 1 << UInt32(band) }
            }
            frame.setValues(.levelDifference, set: index, values[0])
            frame.setValues(.coherence, set: index, values[1])
            frame.setValues(.phaseDifference, set: index, values[2])
            frame.smoothingTimes[index] = set.smoothingTime
            if set.hasCoarsePhases { frame.coarsePhases |= 1 << UInt16(index) }
        }
        return frame
    }

    // Matrices are in single precision.
    @Test(
        "Matrices match the model of levels, coherences, phases, residual and smoothing", arguments: [28, 20, 10, 4],
        [(hasPhases: false, residual: Int?.none), (true, nil), (false, 3), (true, 3), (true, 0)])
    func matrices(bandCount: Int, form: (hasPhases: Bool, residual: Int?)) {
        let comparison = ModelComparison(seeds: 1200..<1210, faultSeedCount: 3) { seed, fault in
            var random = SeededRandom(seed: seed)
            var configuration = MPEGSurround212Config()
            configuration.bandCount = bandCount
            configuration.hasPhaseCoding = form.hasPhases
            configuration.phaseBandCount = max(bandCount / 2, form.residual ?? 0)
            configuration.residualBandCount = form.residual ?? 0
            var matrices = SurroundMatrices(configuration, hasResidual: form.residual != nil, qmfSlotCount: 32)
            var model = SurroundMatrixModel(
                bandCount: bandCount, phaseBandCount: configuration.phaseBandCount, residualBandCount: form.residual, fault: fault)
            var error = ModelError()
            for _ in 0..<4 {
                let sets = Self.sets(bandCount: bandCount, allowsPi: form.residual != nil, &random)
                let hasPhases = form.hasPhases && random.integer(in: 0..<4) > 0
                let smoothsPhases = hasPhases && random.integer(in: 0..<2) == 0
                matrices.compute(Self.frame(sets, hasPhases: hasPhases, smoothsPhases: smoothsPhases))
                let expected = model.matrices(sets, hasPhases: hasPhases, smoothsPhases: smoothsPhases)
                for band in 0..<bandCount {
                    for qmfSlot in 0..<32 {
                        let found = matrices.matrices[32 * band + qmfSlot]
                        for entry in 0..<4 {
                            error.add(
                                DoubleComplex(real: Double(found.real[entry]), imaginary: Double(found.imaginary[entry])),
                                expected: expected[band][qmfSlot][entry])
                        }
                    }
                }
            }
            return error
        }
        #expect(comparison.agrees(below: -110), "\(comparison)")
    }
}
