// SPDX-License-Identifier: Apache-2.0

import DABPlus
import TestSupport
import Testing

@Suite struct ReedSolomonCodeTests {
    private static func words(_ count: Int, using random: inout SeededRandom) -> [UInt8] {
        var bytes = (0..<ReedSolomonCode.dataByteCount * count).map { _ in UInt8.random(in: 0...255, using: &random) }
        ReedSolomonCode.shared.appendParity(to: &bytes, wordCount: count)
        return bytes
    }

    /// Returns the product of two field elements by definition.
    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var (result, factor, rest) = (0, Int(a), Int(b))
        while rest > 0 {
            if rest & 1 != 0 { result ^= factor }
            factor <<= 1
            if factor > 255 { factor ^= 0x11D }
            rest >>= 1
        }
        return UInt8(result)
    }

    @Test("Words vanish at all roots of the generator")
    func roots() {
        var random = SeededRandom(seed: 1)
        for count in [1, 3, 24] {
            let bytes = Self.words(count, using: &random)
            for word in 0..<count {
                var root: UInt8 = 1
                for _ in 0..<ReedSolomonCode.parityByteCount {
                    let value = (0..<ReedSolomonCode.byteCount).reduce(UInt8(0)) { Self.product($0, root) ^ bytes[$1 * count + word] }
                    #expect(value == 0)
                    root = Self.product(root, 2)
                }
            }
        }
    }

    @Test("Corrects up to five wrong bytes anywhere in a word", arguments: 0...5)
    func correction(errorCount: Int) {
        var random = SeededRandom(seed: UInt64(errorCount))
        for _ in 0..<200 {
            let count = Int.random(in: 1...24, using: &random)
            let bytes = Self.words(count, using: &random)
            var damaged = bytes
            for word in 0..<count {
                for position in (0..<ReedSolomonCode.byteCount).shuffled(using: &random).prefix(errorCount) {
                    damaged[position * count + word] ^= UInt8.random(in: 1...255, using: &random)
                }
            }
            let correction = ReedSolomonCode.shared.correct(&damaged, wordCount: count)
            #expect(damaged == bytes)
            #expect(correction.correctedByteCount == errorCount * count && correction.uncorrectableWordCount == 0)
        }
    }

    @Test("Detects most uncorrectable words; never traps", arguments: [6, 7, 10, 60, 120])
    func excess(errorCount: Int) {
        var random = SeededRandom(seed: UInt64(errorCount))
        var noticed = 0
        for _ in 0..<500 {
            var damaged = Self.words(1, using: &random)
            for position in (0..<ReedSolomonCode.byteCount).shuffled(using: &random).prefix(errorCount) {
                damaged[position] ^= UInt8.random(in: 1...255, using: &random)
            }
            let before = damaged
            let correction = ReedSolomonCode.shared.correct(&damaged, wordCount: 1)
            noticed += correction.uncorrectableWordCount
            if correction.uncorrectableWordCount == 1 { #expect(damaged == before) }
        }
        // With many errors, one word in 5! resembles another word with five errors.
        #expect(noticed > 480, "\(noticed) of 500")
    }
}
