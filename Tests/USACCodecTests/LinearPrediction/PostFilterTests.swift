// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct PostFilterTests {
    // Correlations are sums of 64 and 160 products in single precision.
    @Test("The output is the signal minus the residue between its harmonics", arguments: [1024, 768], [4, 7, 8])
    func output(frameLength: Int, knownEighths: Int) {
        var (halvedCount, limitedCount) = (0, 0)
        // After ACELP all samples within a lag are known.
        let faults: [PlantedFault] = knownEighths == 8 ? [.sign, .index] : PlantedFault.allCases
        let comparison = ModelComparison(seeds: 500..<520, faults: faults) { seed, fault in
            var random = SeededRandom(seed: seed)
            var state = LPDState(frameLength: frameLength, coreRate: 16_000)
            let period = random.integer(in: 36..<400)
            state.signal.set(random.voice(state.signal.count, period: period, noise: 300), at: 0)
            // Lags of one period, and of about two periods, which are halved. Pauses between them.
            for index in state.lags.indices {
                state.lags[index] = random.element(of: [period, 2 * period, 2 * period + 1].filter { $0 <= 411 })
                state.gains[index] = random.integer(in: 0..<4) == 0 ? 0 : random.float(in: 0...1.2)
            }
            state.residue.set(random.samples(76, amplitude: 50), at: 0)
            let origin = state.origin - frameLength / 2
            let end = frameLength * knownEighths / 8
            var model = BassPostFilterModel(fault: fault)
            let expected = model.filter(
                state.signal.doubles(state.signal.indices), origin: origin, count: frameLength, knownEnd: state.origin + end,
                pastResidue: state.residue.doubles(0..<76), lags: state.lags.values, gains: state.gains.values.map(Double.init))
            (halvedCount, limitedCount) = (halvedCount + model.halvedCount, limitedCount + model.limitedCount)
            var output = [Float](repeating: .nan, count: frameLength)
            output.withMutableSpan { state.filterBass(until: end, into: &$0) }
            // Only the removed component, which is small relative to the signal.
            var error = ModelError()
            for index in output.indices {
                let input = state.signal[origin + index]
                error.add(output[index] - input, expected: expected.output[index] - Double(input))
            }
            error.add(state.residue.values, expected: expected.residue)
            return error
        }
        #expect(comparison.agrees(below: -100), "\(comparison)")
        #expect(halvedCount > 50 && limitedCount > (knownEighths == 8 ? -1 : 10), "\(halvedCount), \(limitedCount)")
    }

    /// Sets random data for a frame and returns its ACELP lags and gains by quarter.
    private static func setFrame(
        _ data: inout LPDChannelData, coreRate: Int, _ random: inout SeededRandom
    ) -> [[PostFilterLagsModel.Value]] {
        let frameLength = data.lines.count
        let modes = random.element(of: [
            [0, 0, 0, 0], [0, 1, 1, 0], [1, 0, 1, 1], [1, 1, 0, 0], [2, 2, 0, 1], [0, 0, 2, 2], [3, 3, 3, 3], [2, 2, 2, 2],
        ])
        for quarter in 0..<4 { data.modes[quarter] = UInt8(modes[quarter]) }
        data.hasPostFilter = random.integer(in: 0..<3) > 0
        data.sets = random.plainSets()
        let ranges = LagRangesModel(coreRate: coreRate)
        return (0..<4).map { quarter in
            var start = 0
            return (0..<frameLength / 256).map { index in
                var subframe = ACELPSubframe()
                subframe.hasWholeLag = index == 0 || frameLength == 1024 && index == 2
                subframe.lagIndex = random.integer(in: 0..<(subframe.hasWholeLag ? 512 : 64))
                subframe.gainIndex = random.integer(in: 0..<128)
                data.subframes[4 * quarter + index] = subframe
                let lag =
                    subframe.hasWholeLag ? ranges.lag(subframe.lagIndex, start: &start) : ranges.shortLag(subframe.lagIndex, start: start)
                let rounded = min(lag.whole + (lag.fraction > 2 ? 1 : 0), ranges.maximum)
                return PostFilterLagsModel.Value(lag: rounded, gain: UnifiedTables.shared.gains[subframe.gainIndex][0])
            }
        }
    }

    // Gains are from the table in single precision.
    @Test("ACELP lags and gains extend across boundaries to other blocks", arguments: [(1024, 12_800), (768, 16_000)], [false, true])
    func lags(lengths: (frame: Int, rate: Int), isAfterShortWindows: Bool) {
        let comparison = ModelComparison(seeds: 530..<546) { seed, fault in
            var random = SeededRandom(seed: seed)
            var state = LPDState(frameLength: lengths.frame, coreRate: lengths.rate)
            var model = PostFilterLagsModel(frameLength: lengths.frame, fault: fault)
            var filterBank = CoreFilterBank(frameLength: lengths.frame)
            var output = [Float](repeating: 0, count: lengths.frame)
            var noise: UInt32 = 1
            var error = ModelError()
            for index in 0..<4 {
                var data = LPDChannelData(frameLength: lengths.frame)
                let values = Self.setFrame(&data, coreRate: lengths.rate, &random)
                if index == 0 {
                    state.start(after: random.samples(lengths.frame, amplitude: 100).span, isShort: isAfterShortWindows)
                } else {
                    state.advance()
                }
                output.withMutableSpan { state.decode(data, seed: &noise, filterBank: &filterBank, into: &$0) }
                model.append(
                    modes: (0..<4).map { Int(data.modes[$0]) }, acelp: values, hasPostFilter: data.hasPostFilter,
                    isAfterShortWindows: index == 0 && isAfterShortWindows)
                for (place, value) in model.values.enumerated() {
                    error.add(state.gains[place], expected: value.gain)
                    // A lag without a gain has no effect.
                    if value.gain > 0 { error.add(Float(state.lags[place]), expected: Double(value.lag)) }
                }
            }
            return error
        }
        #expect(comparison.agrees(below: -120), "\(comparison)")
    }
}
