// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct SpectralCostsTests {
    @Test("The costs of all parts add up to the cost of the window, in each alternative", arguments: 1...20 as ClosedRange<UInt64>)
    func parts(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = ([1, 3, 6, 40, 4000] as [Int16]).randomElement(using: &random) ?? 1
        var lines = (0..<128).map { _ in
            let largest = Int16.random(in: 0...limit, using: &random)
            var values = SIMD8(repeating: largest)
            for alternative in 1..<8 { values[alternative] = largest / Int16(alternative + 1) }
            return values
        }
        // Without a value in the last pair, a stop symbol could be cheaper.
        lines[127] = SIMD8(repeating: 1)
        var context = SpectralContext(frameLength: 128)
        context.reset(lineCount: 128)
        do {
            var magnitudes = context.magnitudes()
            for pair in 0..<64 { magnitudes[pair] = UInt8.random(in: 1...15, using: &random) }
        }
        let costs = SpectralCosts.shared
        var sums = SIMD8<Int32>(repeating: 0)
        var recent = SpectralCosts.RecentPairs()
        var first = 0
        while first < 64 {
            let end = min(64, first + Int.random(in: 1...9, using: &random))
            sums &+= costs.costs(
                ofAlternatives: lines.span.extracting(2 * first..<2 * end), after: &recent, first: first, context.values.span)
            first = end
        }
        for alternative in 0..<8 {
            let window = lines.map { $0[alternative] }
            let whole = costs.end(of: window.span, lineCount: 128, advances: false, context: &context)
            #expect(whole.pairCount == 64)
            // The end of the interval counts as one bit.
            #expect(Int(sums[alternative]) + SpectralCosts.unitsPerBit == whole.cost)
        }
    }
}
