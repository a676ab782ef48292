// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

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
}
