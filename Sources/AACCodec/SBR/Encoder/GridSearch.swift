// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The search among all grids of a frame (ISO/IEC 14496-3:2009, 4.6.18.3.3): envelopes of two, four, six or eight slots
/// counted from the start, others counted from the end, and one between them.
enum GridSearch {
    /// Time slots of a frame, and the last at which it can end.
    static let slotCount = 16
    static let lastEnd = 19
    /// Slots behind the end of the frame that are charged as one envelope, so that ends before an onset pay.
    static let outlook = 6
    /// What one more envelope has to save: octaves of energy by slots and bands.
    static let envelopePrice: Float = 1
    /// Bits of a variable grid over a fixed one, as a share of an envelope.
    static let variableShare: Float = 0.5

    /// The most widths counted from one side, and from both.
    private static let chainLimit = 3
    private static let widthLimit = 4
    /// Costs are below zero by rounding only, and by less than this.
    private static let rounding: Float = 0.01

    /// Where the cost of an envelope from slot `first` to slot `end` lies.
    @inline(__always)
    static func place(_ first: Int, _ end: Int) -> Int { 26 &* first &+ end }

    /// Widths that are counted from one side, and what their envelopes cost.
    struct Chain {
        fileprivate(set) var cost = Float.infinity
        fileprivate(set) var widths = SIMD4<UInt8>(repeating: 0)

        fileprivate func adding(_ width: Int, at index: Int, cost added: Float) -> Chain {
            var result = self
            result.widths[index] = UInt8(truncatingIfNeeded: width)
            result.cost += added
            return result
        }
    }

    /// A grid.
    struct Candidate {
        fileprivate var cost = Float.infinity
        fileprivate(set) var leading = Chain()
        fileprivate(set) var leadingCount = 0
        fileprivate(set) var trailing = Chain()
        fileprivate(set) var trailingCount = 0
        /// The slot in which the frame ends.
        fileprivate(set) var end = slotCount
        /// Whether it has so many envelopes of the same length.
        fileprivate(set) var isFixed = false
        fileprivate(set) var fixedCount = 1
    }

    /// The cheapest grid of a frame that begins in slot `start` and ends in `lastEnd` or before.
    static func best(_ costs: Span<Float>, from start: Int, lastEnd: Int) -> Candidate {
        var best = Candidate()
        if start == 0 { tryFixed(costs, &best) }
        tryVariable(costs, from: start, lastEnd: lastEnd, &best)
        return best
    }

    private static func tryFixed(_ costs: Span<Float>, _ best: inout Candidate) {
        for shift in 0...2 {
            let count = 1 << shift
            let width = slotCount / count
            var sum = costs[place(slotCount, slotCount + outlook)] + envelopePrice * Float(count - 1)
            for index in 0..<count { sum += costs[place(index * width, (index + 1) * width)] }
            if sum < best.cost { best = Candidate(cost: sum, isFixed: true, fixedCount: count) }
        }
    }

    private static func tryVariable(_ costs: Span<Float>, from start: Int, lastEnd: Int, _ best: inout Candidate) {
        let leadingChains = leadingChains(costs, from: start)
        let leading = leadingChains.span
        var trailing = Trailing()
        for end in slotCount...lastEnd {
            let behind = costs[place(end, end + outlook)]
            guard behind + envelopePrice * variableShare < best.cost + rounding else { continue }
            trailing.make(costs, from: start, to: end)
            for count in 0...chainLimit {
                let price = envelopePrice * (Float(count) + variableShare) + behind
                for slot in Swift.stride(from: start, to: slotCount, by: 2) {
                    let chain = leading[20 &* count &+ slot]
                    guard chain.cost + price < best.cost + rounding else { continue }
                    trailing.close(chain, count: count, slot: slot, behind: behind, costs, &best)
                }
            }
        }
    }

    /// Chains of widths counted from an end.
    private struct Trailing {
        /// The cheapest way from each slot to the end by so many widths, at 20 count + slot.
        private var chains: [80 of Chain] = .init(repeating: Chain())
        /// What of those by no more widths is cheapest, prices included.
        private var least: [80 of Float] = .init(repeating: 0)
        private var end = 0

        /// Makes the chains to an end.
        mutating func make(_ costs: Span<Float>, from start: Int, to end: Int) {
            self.end = end
            var chains = chains.mutableSpan
            for index in 0..<80 { chains[index] = Chain() }
            chains[end].cost = 0
            // The first slot behind the start that is whole twos from the end.
            let first = end &- (end &- start &- 1) & ~1
            for count in 0..<chainLimit {
                for slot in Swift.stride(from: first, through: end, by: 2) {
                    let chain = chains[20 &* count &+ slot]
                    guard chain.cost < .infinity else { continue }
                    for width in Swift.stride(from: 2, through: 8, by: 2) where slot &- width > start {
                        let next = chain.adding(width, at: count, cost: costs[place(slot &- width, slot)])
                        let target = 20 &* (count &+ 1) &+ slot &- width
                        if next.cost < chains[target].cost { chains[target] = next }
                    }
                }
            }
            var least = least.mutableSpan
            for slot in Swift.stride(from: first, through: end, by: 2) {
                var smallest = Float.infinity
                for count in 0...chainLimit {
                    smallest = min(smallest, chains[20 &* count &+ slot].cost + envelopePrice * Float(count))
                    least[20 &* count &+ slot] = smallest
                }
            }
        }

        /// Tries all that can follow a chain of `count` envelopes counted from the start to `slot`.
        @inline(__always)
        mutating func close(
            _ chain: Chain, count: Int, slot: Int, behind: Float, _ costs: Span<Float>, _ best: inout Candidate
        ) {
            let (chains, least) = (chains.span, least.span)
            let limit = min(chainLimit, widthLimit &- count)
            let known = chain.cost + envelopePrice * (Float(count) + variableShare) + behind
            for other in Swift.stride(from: slot &+ 1 &+ (end &- slot &- 1) & 1, through: end, by: 2) {
                let middle = costs[place(slot, other)]
                guard known + middle + least[20 &* limit &+ other] < best.cost + rounding else { continue }
                for otherCount in 0...limit {
                    let next = chains[20 &* otherCount &+ other]
                    let sum =
                        chain.cost + next.cost + middle + envelopePrice * (Float(count &+ otherCount) + variableShare) + behind
                    guard sum < best.cost else { continue }
                    best = Candidate(
                        cost: sum, leading: chain, leadingCount: count, trailing: next, trailingCount: otherCount, end: end)
                }
            }
        }
    }

    /// The cheapest way to each slot by so many widths from the start, at 20 count + slot.
    private static func leadingChains(_ costs: Span<Float>, from start: Int) -> [80 of Chain] {
        var all = InlineArray<80, Chain>(repeating: Chain())
        var chains = all.mutableSpan
        chains[start].cost = 0
        for count in 0..<chainLimit {
            for slot in Swift.stride(from: start, to: slotCount, by: 2) {
                let chain = chains[20 &* count &+ slot]
                guard chain.cost < .infinity else { continue }
                for width in Swift.stride(from: 2, through: 8, by: 2) where slot &+ width < slotCount {
                    let next = chain.adding(width, at: count, cost: costs[place(slot, slot &+ width)])
                    let target = 20 &* (count &+ 1) &+ slot &+ width
                    if next.cost < chains[target].cost { chains[target] = next }
                }
            }
        }
        return all
    }
}
