// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct SpectralCostsTests {
    @Test("The costs of all parts add up to the cost of the window", arguments: 1...20 as ClosedRange<UInt64>)
    func parts(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limit = [1, 3, 6, 40].randomElement(using: &random) ?? 1
        var lines = (0..<128).map { _ in Int16(Int.random(in: -limit...limit, using: &random)) }
        // Without a value in the last pair, a stop symbol could be cheaper.
        lines[127] = 1
        var context = SpectralContext(frameLength: 128)
        context.reset(lineCount: 128)
        do {
            var magnitudes = context.magnitudes()
            for pair in 0..<64 { magnitudes[pair] = UInt8.random(in: 1...15, using: &random) }
        }
        let magnitudes = (0...64).map { context.values[$0] }
        let costs = SpectralCosts.shared
        var sum = 0
        var first = 0
        while first < 64 {
            let end = min(64, first + Int.random(in: 1...9, using: &random))
            let lead = min(first, 4)
            sum += costs.cost(
                of: lines.span.extracting(2 * (first - lead)..<2 * end), lead: lead, first: first, after: magnitudes.span)
            first = end
        }
        // The end of the interval counts as one bit.
        let whole = costs.end(of: lines.span, lineCount: 128, context: &context)
        #expect(whole.pairCount == 64)
        #expect(sum + SpectralCosts.unitsPerBit == whole.cost)
    }
}
