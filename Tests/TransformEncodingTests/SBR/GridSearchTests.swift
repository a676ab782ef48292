// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct GridSearchTests {
    /// All chains of at most three widths, 2 to 8 time slots each.
    private static let chains: [[Int]] = {
        var all: [[Int]] = [[]]
        var last: [[Int]] = [[]]
        for _ in 0..<3 {
            last = last.flatMap { chain in [2, 4, 6, 8].map { chain + [$0] } }
            all += last
        }
        return all
    }()

    /// The cost of a grid with variable boundaries; `nil` if it is invalid.
    private static func cost(
        _ costs: [Float], slotCount: Int, start: Int, leading: [Int], trailing: [Int], end: Int
    ) -> Double? {
        var boundaries = leading.reduce(into: [start]) { $0.append($0[$0.count - 1] + $1) }
        let backwards = trailing.reduce(into: [end]) { $0.append($0[$0.count - 1] - $1) }
        guard boundaries[boundaries.count - 1] < slotCount, backwards[backwards.count - 1] > boundaries[boundaries.count - 1]
        else { return nil }
        boundaries += backwards.reversed()
        return zip(boundaries, boundaries.dropFirst()).reduce(
            Double(costs[GridSearch.costIndex(end, end + GridSearch.lookahead)]) + Double(leading.count + trailing.count)
                + Double(GridSearch.variableWeight)
        ) { $0 + Double(costs[GridSearch.costIndex($1.0, $1.1)]) }
    }

    /// The cost of a FIXFIX grid.
    private static func fixedCost(_ costs: [Float], slotCount: Int, count: Int) -> Double {
        // 15 time slots are split into 8 and 7, or 4, 4, 4 and 3.
        let width = (slotCount + 1) / count
        return (0..<count).reduce(
            Double(costs[GridSearch.costIndex(slotCount, slotCount + GridSearch.lookahead)]) + Double(count - 1)
        ) { $0 + Double(costs[GridSearch.costIndex($1 * width, min(($1 + 1) * width, slotCount))]) }
    }

    @Test(arguments: 0...3, [16, 15]) func `finds the cheapest valid grid`(start: Int, slotCount: Int) {
        let seed = UInt64(710 + start)
        var search = GridSearch(slotCount: slotCount)
        var random = SeededRandom(seed: seed)
        for trial in 0..<40 {
            let scale = [0.5, 1, 3, 10][trial % 4]
            // Short envelopes are cheaper, as with real energies.
            let costs = (0..<676).map { Float(scale * Double.random(in: 0...1, using: &random) * Double(max(1, $0 % 26 - $0 / 26)) / 8) }
            let lastEnd = trial % 3 == 0 ? slotCount : slotCount + 3
            let found = search.best(costs.span, from: start, lastEnd: lastEnd)
            var least = start == 0 ? [1, 2, 4].map { Self.fixedCost(costs, slotCount: slotCount, count: $0) }.min() ?? 0 : .infinity
            for end in slotCount...lastEnd {
                for leading in Self.chains {
                    for trailing in Self.chains where leading.count + trailing.count <= 4 {
                        guard
                            let cost = Self.cost(costs, slotCount: slotCount, start: start, leading: leading, trailing: trailing, end: end)
                        else { continue }
                        least = min(least, cost)
                    }
                }
            }
            let leading = (0..<found.leadingCount).map { Int(found.leading.widths[$0]) }
            let trailing = (0..<found.trailingCount).map { Int(found.trailing.widths[$0]) }
            let cost =
                found.isFixed
                ? Self.fixedCost(costs, slotCount: slotCount, count: found.fixedCount)
                : Self.cost(costs, slotCount: slotCount, start: start, leading: leading, trailing: trailing, end: found.end) ?? .infinity
            #expect(cost < least + 1e-4, "seed \(seed), trial \(trial): \(cost), least \(least)")
        }
    }
}
