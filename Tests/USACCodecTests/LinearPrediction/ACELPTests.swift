// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct ACELPTests {
    /// Sets the data of a random quarter and returns it in the model's form.
    private static func setQuarter(
        _ quarter: Int, of data: inout LPDChannelData, _ random: inout SeededRandom
    ) -> [ACELPModel.Subframe] {
        let count = data.lines.count / 256
        data.coreMode = random.integer(in: 0..<8)
        data.meanEnergies[quarter] = UInt8(random.integer(in: 0..<4))
        return (0..<count).map { index in
            var reader = BitReader((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
            let hasWholeLag = index == 0 || count == 4 && index == 2
            let subframe = ACELPSubframe(reading: &reader, hasWholeLag: hasWholeLag, coreMode: data.coreMode)
            data.subframes[4 * quarter + index] = subframe
            var model = InnovationModel()
            let pulses = model.pulses(subframe.innovation.indices.map { Int(subframe.innovation[$0]) }, coreMode: data.coreMode)
            return ACELPModel.Subframe(
                lagIndex: subframe.lagIndex, hasWholeLag: hasWholeLag, isUnfiltered: subframe.isUnfiltered, pulses: pulses,
                gainIndex: subframe.gainIndex)
        }
    }

    // Samples and excitation are in single precision, and the synthesis filter feeds back rounding errors.
    @Test(
        "A quarter matches the model's filtered excitation from both codebooks",
        arguments: [(1024, 8000), (1024, 12_800), (1024, 24_000), (768, 6000), (768, 16_000), (768, 24_000)])
    func quarter(frameLength: Int, coreRate: Int) {
        let comparison = ModelComparison(seeds: 200..<216) { seed, fault in
            var random = SeededRandom(seed: seed)
            var state = LPDState(frameLength: frameLength, coreRate: coreRate)
            state.frequencies.decode(random.plainSets())
            let quarter = random.integer(in: 0..<4)
            let first = state.origin + quarter * frameLength / 4
            let end = first + frameLength / 4
            state.signal.set(random.voice(first, period: 83, noise: 500), at: 0)
            state.excitation.set(random.voice(first, period: 83, noise: 500), at: 0)
            state.gainThreshold = random.float(in: 0...500)
            var data = LPDChannelData(frameLength: frameLength)
            let subframes = Self.setQuarter(quarter, of: &data, &random)
            var model = ACELPModel(
                coreRate: coreRate, excitation: state.excitation.doubles(0..<first), signal: state.signal.doubles(0..<first),
                threshold: Double(state.gainThreshold), fault: fault)
            let (old, new) = (state.frequencies.set(quarter), state.frequencies.set(quarter + 1))
            model.decode(subframes, meanEnergy: Int(data.meanEnergies[quarter]), old: old, new: new)
            state.decodeACELP(data, quarter: quarter)
            var error = ModelError()
            for index in first..<end {
                error.add(state.excitation[index], expected: model.excitation[index])
                error.add(state.signal[index], expected: model.signal[index])
            }
            #expect(abs(Double(state.gainThreshold) - model.threshold) <= 1e-5 * model.threshold, "seed \(seed)")
            let subframe = frameLength / 128 + quarter * frameLength / 256
            for index in model.lags.indices {
                #expect(state.lags[subframe + index] == model.lags[index], "seed \(seed)")
                #expect(abs(Double(state.gains[subframe + index]) - model.gains[index]) < 1e-6, "seed \(seed)")
            }
            return error
        }
        #expect(comparison.agrees(below: -100), "\(comparison)")
    }

    @Test("Indices decode to the lags of the standard's ranges", arguments: [6000, 8000, 12_000, 12_800, 16_000, 24_000])
    func lags(coreRate: Int) {
        let (ranges, model) = (LagRanges(coreRate: coreRate), LagRangesModel(coreRate: coreRate))
        #expect(ranges.minimum == model.minimum && ranges.maximum == model.maximum)
        for index in 0..<512 {
            var start = 0
            let expected = model.lag(index, start: &start)
            let lag = ranges.lag(index)
            #expect(lag.whole == expected.whole && lag.fraction == expected.fraction, "\(index)")
            #expect(ranges.start(after: lag) == start, "\(index)")
        }
    }
}
