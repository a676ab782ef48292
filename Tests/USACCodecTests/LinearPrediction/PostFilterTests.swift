// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing

@testable import TransformCoding
@testable import USACCodec

@Suite struct PostFilterTests {
    // Correlations are sums of 64 and 160 products in single precision.
    @Test("The output is the signal without the residue between its harmonics", arguments: [1024, 768], [4, 7, 8])
    func output(frameLength: Int, knownEighths: Int) {
        var (halvedCount, limitedCount) = (0, 0)
        // After ACELP all is known that a lag reaches.
        let faults: [PlantedFault] = knownEighths == 8 ? [.sign, .index] : PlantedFault.allCases
        let comparison = ModelComparison(seeds: 500..<520, faults: faults) { seed, fault in
            var random = SeededRandom(seed: seed)
            var state = LPDState(frameLength: frameLength, coreRate: 16_000)
            let period = random.integer(in: 36..<400)
            state.signal.set(random.voice(state.signal.count, period: period, noise: 300), at: 0)
            // Lags of one period, and of about two, which are halved; pauses between them.
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
            // Only what the filter removes, which is small beside the signal.
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
}
