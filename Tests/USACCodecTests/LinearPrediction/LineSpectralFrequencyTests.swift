// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing

@testable import TransformCoding
@testable import USACCodec

@Suite struct LineSpectralFrequencyTests {
    @Test("Frequencies rise with a gap of 50 Hz, and their filter is stable", arguments: 0..<50 as Range<UInt64>)
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var frequencies = LineSpectralFrequencies()
        var sets = FixedArray(count: 5) { _ in LineSpectralData() }
        for set in 0..<5 {
            sets[set].isPresent = true
            sets[set].index = Int.random(in: 0..<256, using: &random)
        }
        frequencies.decode(sets)
        for set in 1..<5 {
            for index in 1..<16 {
                let (low, high) = (frequencies.frequencies[set * 16 + index - 1], frequencies.frequencies[set * 16 + index])
                #expect(high - low >= 49.9, "seed \(seed)")
            }
        }
    }

    @Test("The synthesis filter is the recursion of its coefficients", arguments: 0..<50 as Range<UInt64>)
    func synthesis(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var frequencies = LineSpectralFrequencies()
        var sets = FixedArray(count: 5) { _ in LineSpectralData() }
        sets[4].isPresent = true
        sets[4].index = Int.random(in: 0..<256, using: &random)
        frequencies.decode(sets)
        let filter = frequencies.filter(from: 0, to: 4, share: Double.random(in: 0...1, using: &random))
        let input = (0..<80).map { _ in Float.random(in: -1...1, using: &random) }
        var output = input
        output.withMutableSpan { filter.synthesize(&$0, count: 64) }
        var expected = input.map { Double($0) }
        for n in 16..<80 {
            for index in 0..<16 { expected[n] -= Double(filter[index]) * expected[n - 1 - index] }
        }
        let scale = expected.map { abs($0) }.max() ?? 1
        #expect(zip(output, expected).allSatisfy { abs(Double($0) - $1) <= 1e-4 * scale }, "seed \(seed)")
    }
}
