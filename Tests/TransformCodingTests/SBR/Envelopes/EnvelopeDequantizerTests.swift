// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TransformCoding

@Suite struct EnvelopeDequantizerTests {
    /// Whether a float equals the value within its precision.
    private func isClose(_ value: Float, _ expected: Double) -> Bool { abs(Double(value) / expected - 1) < 1e-6 }

    @Test(arguments: [false, true]) func `levels convert to energies with the formula`(isCoarse: Bool) {
        let a = isCoarse ? 1.0 : 2
        // Levels above 44 octaves are clipped.
        for level in UInt8(0)...(isCoarse ? 44 : 88) {
            #expect(isClose(EnvelopeDequantizer.energy(level: level, isCoarse: isCoarse), 64 * exp2(Double(level) / a)))
        }
        for level in UInt8(0)...30 { #expect(isClose(EnvelopeDequantizer.noise(level: level), exp2(6 - Double(level)))) }
    }

    @Test(arguments: [false, true]) func `levels and balances convert to energies with the formula`(isCoarse: Bool) {
        let (a, pan) = isCoarse ? (1.0, 12.0) : (2, 24)
        for level in UInt8(0)...(isCoarse ? 40 : 80) {
            for balance in UInt8(0)...(isCoarse ? 24 : 48) {
                let found = EnvelopeDequantizer.energies(level: level, balance: balance, isCoarse: isCoarse)
                let total = 64 * exp2(Double(level) / a + 1)
                #expect(isClose(found.left, total / (1 + exp2((pan - Double(balance)) / a))), "\(level) \(balance)")
                #expect(isClose(found.right, total / (1 + exp2((Double(balance) - pan) / a))), "\(level) \(balance)")
            }
        }
        for level in UInt8(0)...30 {
            for balance in UInt8(0)...24 {
                let found = EnvelopeDequantizer.noises(level: level, balance: balance)
                let total = exp2(7 - Double(level))
                #expect(isClose(found.left, total / (1 + exp2(12 - Double(balance)))), "\(level) \(balance)")
                #expect(isClose(found.right, total / (1 + exp2(Double(balance) - 12))), "\(level) \(balance)")
            }
        }
    }

    @Test(arguments: [1, 2]) func `dequantizes all bands of random payloads with their frame's step`(channelCount: Int) throws {
        let seed = UInt64(310 + channelCount)
        var generator = RandomSBR(seed: seed, channelCount: channelCount, rate: 44_100)
        var histories = FixedArray(count: 2) { _ in EnvelopeLevels.History() }
        for frame in 0..<40 {
            let payload = generator.payload()
            var levels = FixedArray(count: 2) { _ in EnvelopeLevels() }
            var frames = FixedArray(count: 2) { _ in SBRChannelFrame(slotCount: 16) }
            for channel in 0..<channelCount {
                let isInRange = levels[channel].decode(
                    payload.channels[channel], after: histories[channel], tables: generator.tables,
                    isBalance: payload.isCoupled && channel == 1)
                try #require(isInRange)
                histories[channel].update(levels[channel], payload.channels[channel])
                frames[channel].set(payload.channels[channel])
            }
            let isCoarse = payload.channels[0].usesCoarseAmplitudes(generator.header)
            let a = isCoarse ? 1.0 : 2
            if payload.isCoupled {
                SBRChannelFrame.dequantizePair(&frames, levels: levels, isCoarse: isCoarse, tables: generator.tables)
            } else {
                for channel in 0..<channelCount {
                    let isCoarse = payload.channels[channel].usesCoarseAmplitudes(generator.header)
                    frames[channel].dequantize(levels[channel], isCoarse: isCoarse, tables: generator.tables)
                }
            }
            for channel in 0..<channelCount {
                let own = payload.channels[channel].usesCoarseAmplitudes(generator.header) ? 1.0 : 2
                for (envelope, values) in generator.levels[channel].envelopes.enumerated() {
                    for band in values.indices {
                        let expected: Double
                        if payload.isCoupled {
                            let level = Double(generator.levels[0].envelopes[envelope][band])
                            let balance = Double(generator.levels[1].envelopes[envelope][band])
                            let offset = channel == 0 ? 12 - balance / a : balance / a - 12
                            expected = 64 * exp2(level / a + 1) / (1 + exp2(offset))
                        } else {
                            expected = 64 * exp2(Double(values[band]) / own)
                        }
                        let found = frames[channel].energies[48 * envelope + band]
                        #expect(isClose(found, expected), "seed \(seed), frame \(frame)")
                    }
                }
            }
        }
    }
}
