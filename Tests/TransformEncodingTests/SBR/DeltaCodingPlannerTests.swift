// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct DeltaCodingPlannerTests {
    /// Fills a frame with random levels.
    ///
    /// - Parameter steady: The previous envelope's levels. Updated.
    private static func fill(
        _ levels: inout EnvelopeLevels, _ boundaries: EnvelopeBoundaries, steady: inout [UInt8], random: inout SeededRandom, isBalance: Bool
    ) {
        let maximum = isBalance ? 24 : 40
        let step = isBalance ? 2 : 1
        var level = maximum / 2
        func next() -> UInt8 {
            level = max(0, min(maximum, level + step * Int.random(in: -3...3, using: &random)))
            return UInt8(level)
        }
        // Half the envelopes are similar to the previous one, which favours time differences. The others vary little from
        // band to band.
        for envelope in 0..<boundaries.count {
            if Bool.random(using: &random) {
                level = maximum / 2
                for band in 0..<48 { steady[band] = next() }
            } else {
                let changed = Int.random(in: 0..<48, using: &random)
                steady[changed] = UInt8(min(maximum, Int(steady[changed]) + step))
            }
            for band in 0..<48 { levels.envelopes[48 * envelope + band] = steady[band] }
        }
        level = maximum / 2
        for floor in 0..<boundaries.noiseCount {
            for band in 0..<5 { levels.noiseFloors[5 * floor + band] = min(next(), 30) / 2 * 2 }
        }
    }

    @Test("Decodes to the same levels, independent frames without the previous one", arguments: [false, true])
    func levelsAndIndependence(isBalance: Bool) throws {
        let seed: UInt64 = isBalance ? 731 : 730
        var random = SeededRandom(seed: seed)
        var generator = RandomSBR(seed: seed, channelCount: 1, rate: 44_100)
        var planner = DeltaCodingPlanner()
        var history = EnvelopeLevels.History()
        var levels = EnvelopeLevels()
        var decoded = EnvelopeLevels()
        var (timeCount, envelopeCount) = (0, 0)
        var steady = [UInt8](repeating: isBalance ? 12 : 20, count: 48)
        for frame in 0..<80 {
            var payload = generator.payload()
            let isIndependent = frame % 10 == 0
            let (grid, boundaries) = (payload.channels[0].grid, payload.channels[0].boundaries)
            Self.fill(&levels, boundaries, steady: &steady, random: &random, isBalance: isBalance)
            let wanted = (envelopes: (0..<240).map { levels.envelopes[$0] }, noiseFloors: (0..<10).map { levels.noiseFloors[$0] })
            let isCoarse = payload.channels[0].usesCoarseAmplitudes(generator.header)
            planner.code(
                &levels, into: &payload.channels[0], tables: generator.tables, isCoarse: isCoarse, isBalance: isBalance,
                isIndependent: isIndependent)
            let (envelopesInTime, noiseFloorsInTime) = (payload.channels[0].envelopesInTime, payload.channels[0].noiseFloorsInTime)
            if isIndependent { #expect(envelopesInTime & 1 == 0 && noiseFloorsInTime & 1 == 0) }
            timeCount += envelopesInTime.nonzeroBitCount
            envelopeCount += boundaries.count
            if isIndependent { history = EnvelopeLevels.History() }
            let isInRange = decoded.decode(payload.channels[0], after: history, tables: generator.tables, isBalance: isBalance)
            try #require(isInRange)
            history.update(decoded, payload.channels[0])
            for envelope in 0..<boundaries.count {
                for band in 0..<generator.tables.bandCount(isHighResolution: grid.isHighResolution(envelope)) {
                    let index = 48 * envelope + band
                    // Such small steps have a codeword, so no level changes.
                    let found = decoded.envelopes[index]
                    #expect(found == wanted.envelopes[index], "seed \(seed), frame \(frame)")
                }
            }
            for floor in 0..<boundaries.noiseCount {
                for band in 0..<generator.tables.noise.count {
                    let found = decoded.noiseFloors[5 * floor + band]
                    #expect(found == wanted.noiseFloors[5 * floor + band], "seed \(seed), frame \(frame)")
                }
            }
        }
        #expect((envelopeCount / 5...envelopeCount * 4 / 5).contains(timeCount), "seed \(seed): \(timeCount) of \(envelopeCount)")
    }

    @Test("Changes levels without a codeword to the nearest level")
    func unreachableLevel() throws {
        let generator = RandomSBR(seed: 733, channelCount: 1, rate: 44_100)
        var planner = DeltaCodingPlanner()
        var data = SBRChannelData(slotCount: 16)
        var levels = EnvelopeLevels()
        var decoded = EnvelopeLevels()
        // Differences reach 31 for noise floors and for envelopes in 3 dB steps.
        for band in 0..<48 { levels.envelopes[band] = band % 2 == 0 ? 60 : 20 }
        planner.code(&levels, into: &data, tables: generator.tables, isCoarse: true, isBalance: false, isIndependent: true)
        let isInRange = decoded.decode(data, after: EnvelopeLevels.History(), tables: generator.tables, isBalance: false)
        try #require(isInRange)
        for band in 0..<generator.tables.low.count {
            let (found, kept) = (decoded.envelopes[band], levels.envelopes[band])
            #expect(found == kept)
            if band < 2 { #expect(found == [60, 29][band]) }
        }
    }
}
