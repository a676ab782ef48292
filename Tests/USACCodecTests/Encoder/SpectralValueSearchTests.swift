// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct SpectralValueSearchTests {
    /// A window of 16 lines, with its costs and the context before it.
    ///
    /// The first 12 lines may be coded.
    private struct Window {
        var lines = [Int16](repeating: 0, count: 16)
        var costs = [Int16](repeating: SpectralValueSearch.never, count: 16)
        var magnitudes = [UInt8](repeating: 0, count: 8)

        init(seed: UInt64) {
            var random = SeededRandom(seed: seed)
            if seed % 3 > 0 {
                for pair in 0..<8 { magnitudes[pair] = UInt8.random(in: 1...(seed % 3 == 1 ? 3 : 15), using: &random) }
            }
            let limit = [1, 2, 6, 40].randomElement(using: &random) ?? 1
            for line in 0..<12 where Int.random(in: 0..<3, using: &random) > 0 {
                lines[line] = Int16(Int.random(in: -limit...limit, using: &random))
                if lines[line] != 0 && Int.random(in: 0..<4, using: &random) > 0 {
                    costs[line] = Int16.random(in: 0...160, using: &random)
                }
            }
        }

        func context() -> SpectralContext {
            var context = SpectralContext(frameLength: 128)
            context.reset(lineCount: 16)
            var target = context.magnitudes()
            for pair in 0..<8 { target[pair] = magnitudes[pair] }
            return context
        }

        /// Returns the values after a search with a number of paths.
        func lowered(width: Int) -> [Int16] {
            var search = SpectralValueSearch(frameLength: 128, width: width)
            var copy = context()
            var result = lines
            var span = result.mutableSpan
            search.search(&span, loweringCosts: costs.span, lineCount: 12, context: &copy)
            return result
        }

        /// Returns the cost of the code and of lowering values, in bits.
        func cost(_ values: [Int16]) -> Double {
            var copy = context()
            let code = SpectralCosts.shared.end(of: values.span, lineCount: 12, context: &copy).cost
            let lowering = values.indices.reduce(0) { $0 + (values[$1] == lines[$1] ? 0 : Int(costs[$1])) }
            return Double(code) / Double(SpectralCosts.unitsPerBit) + Double(lowering) / Double(SpectralValueSearch.unitsPerBit)
        }

        /// The lowest cost of all choices.
        var lowestCost: Double {
            let lowerable = costs.indices.filter { costs[$0] < SpectralValueSearch.never }
            return (0..<1 << lowerable.count).reduce(Double.infinity) { lowest, choice in
                var values = lines
                for (bit, line) in lowerable.enumerated() where choice >> bit & 1 != 0 { values[line] -= values[line].signum() }
                return min(lowest, cost(values))
            }
        }
    }

    @Test("With all paths the search finds the cheapest values, and with two almost", arguments: 0..<24 as Range<UInt64>)
    func exhaustive(seed: UInt64) {
        let window = Window(seed: seed)
        let lowest = window.lowestCost
        let exact = window.lowered(width: 64)
        #expect(window.cost(exact) == lowest, "seed \(seed)")
        #expect(zip(exact, window.lines).allSatisfy { $0 == $1 || abs($0) == abs($1) - 1 }, "seed \(seed)")
        #expect(window.cost(window.lowered(width: 2)) <= lowest + 1, "seed \(seed)")
        #expect(window.cost(window.lines) >= lowest, "seed \(seed)")
    }

    @Test("The search and the encoder leave the same context")
    func context() {
        for seed in 0..<12 as Range<UInt64> {
            let window = Window(seed: seed)
            var searched = window.context()
            var encoded = window.context()
            var search = SpectralValueSearch(frameLength: 128, width: 2)
            var values = window.lines
            var span = values.mutableSpan
            search.search(&span, loweringCosts: window.costs.span, lineCount: 12, context: &searched)
            var counter = BitCounter()
            SpectralArithmeticEncoder.encode(values.span, lineCount: 12, pairCount: 6, context: &encoded, to: &counter)
            let isEqual = (0..<8).allSatisfy { searched.values[$0] == encoded.values[$0] }
            #expect(isEqual, "seed \(seed)")
        }
    }
}
