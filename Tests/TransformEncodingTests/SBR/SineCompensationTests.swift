// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct SineCompensationTests {
    @Test func `a decoder restores the energies of bands with and without sinusoids`() {
        var restoredCount = 0
        for seed in UInt64(720)..<740 {
            var random = SeededRandom(seed: seed)
            let generator = RandomSBR(seed: seed, channelCount: 1, rate: 44_100)
            let tables = generator.tables
            var header = generator.header
            (header.limiterGains, header.interpolatesFrequency) = (3, true)
            var frame = SBRChannelFrame(slotCount: 16)
            frame.highResolution = 1
            var floors = SIMD8<Float>(repeating: 0)
            for band in 0..<tables.noise.count {
                floors[band] = Float.random(in: -6...0, using: &random)
                frame.noises[band] = Float(exp2(Double(floors[band])))
            }
            var sines: Set<Int> = []
            for band in 0..<tables.high.count where Int.random(in: 0..<4, using: &random) == 0 {
                frame.harmonics |= 1 << UInt64(band)
                sines.insert((tables.high[band] + tables.high[band + 1]) / 2)
            }
            let wanted = (0..<tables.high.count).map { _ in Float(exp2(Double.random(in: 16...20, using: &random))) }
            var energies = wanted
            var span = energies.mutableSpan
            SineCompensation.adjust(&span, isHighResolution: true, harmonics: frame.harmonics, floors: floors, tables: tables)
            for band in energies.indices { frame.energies[band] = energies[band] }
            let current = (0..<64).map { _ in exp2(Double.random(in: 14...22, using: &random)) }
            let levels = HFAdjusterModel.levels(0, frame, header, tables, sines: sines, current: current, isTransient: false)

            func energy(_ band: Int) -> Double {
                (tables.high[band]..<tables.high[band + 1]).reduce(0) { sum, subband in
                    let (gain, noise, sine) = (levels.gains[subband], levels.noises[subband], levels.sines[subband])
                    return sum + current[subband] * gain * gain + (sine > 0 ? sine * sine : noise * noise)
                }
            }
            for limited in 0..<tables.limiter.count {
                let bands = (0..<tables.high.count).filter {
                    tables.limiter[limited] <= tables.high[$0] && tables.high[$0] < tables.limiter[limited + 1]
                }
                let widths = bands.map { Double(tables.high[$0 + 1] - tables.high[$0]) }
                let found = bands.map(energy).reduce(0, +)
                let total = zip(bands, widths).reduce(0) { $0 + Double(wanted[$1.0]) * $1.1 }
                // If the boost is at its limit, energy is missing.
                guard abs(found / total - 1) < 1e-3 else { continue }
                for (band, width) in zip(bands, widths) {
                    #expect(abs(energy(band) / (Double(wanted[band]) * width) - 1) < 2e-3, "seed \(seed), band \(band)")
                    if frame.harmonics >> UInt64(band) & 1 != 0 { restoredCount += 1 }
                }
            }
        }
        #expect(restoredCount > 20)
    }
}
