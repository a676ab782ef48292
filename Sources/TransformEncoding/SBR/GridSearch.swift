// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The search for the cheapest time grid of a frame (ISO/IEC 14496-3:2009, 4.6.18.3.3).
///
/// Candidates are FIXFIX grids and grids of three parts: leading envelopes of two, four, six or eight time slots counted from the start,
/// one envelope of any length, and trailing envelopes counted backwards from the end.
///
///     start   leading   leading         mid          trailing   end
///       |--------|---------|--------------------|------------|
///
/// Dynamic programming finds, for each number of envelopes, the cheapest leading chain to each time slot and the cheapest trailing
/// chain from each time slot. Then all mid envelopes between them are tried.
package struct GridSearch: ~Copyable {
    let slotCount: Int
    /// The number of time slots after the frame that count as another envelope, so that a frame ends before an onset.
    package static let lookahead = 6
    /// The cost per additional envelope, in octaves of energy · slots.
    ///
    /// Measured in SBR.md#choice-of-parameters.
    static let envelopeCost: Float = 1
    /// The extra cost of a variable grid over a FIXFIX grid, in envelopes.
    package static let variableWeight: Float = 0.5

    /// The maximum number of envelopes per chain.
    private static let chainLimit = 3
    /// The maximum number of envelopes in both chains.
    private static let widthLimit = 4
    /// The maximum magnitude of negative costs, which are caused by rounding.
    private static let rounding: Float = 0.01

    /// The chains of envelopes counted from the start, at ``chainIndex(_:_:)``.
    private var leadingChains = FixedArray<EnvelopeChain>(repeating: EnvelopeChain(), count: chainCapacity)
    /// The chains of envelopes counted backwards from the end.
    private var trailingChains = TrailingChains()

    /// The number of costs at ``costIndex(_:_:)``.
    static let costCapacity = costStride * costStride
    /// The stride between the costs of envelopes that start in adjacent time slots.
    private static let costStride = 26
    /// The stride between chains of adjacent lengths: time slots in which a frame may end, from 0.
    private static let chainStride = 20
    private static let chainCapacity = (chainLimit + 1) * chainStride

    /// Creates a search for frames of at most 16 time slots.
    package init(slotCount: Int) { self.slotCount = slotCount }

    /// The last time slot in which a frame may end.
    var lastEnd: Int { slotCount + SlotLayout.tailSlotCount }

    /// Returns the cost index of an envelope from time slot `first` to `end`.
    package static func costIndex(_ first: Int, _ end: Int) -> Int { costStride &* first &+ end }

    /// Consecutive envelopes counted from one end of a frame.
    package struct EnvelopeChain: BitwiseCopyable {
        /// The total cost of the envelopes; infinite if the chain does not exist.
        fileprivate(set) var cost = Float.infinity
        /// The widths of the envelopes, in time slots.
        package fileprivate(set) var widths = SIMD4<UInt8>(repeating: 0)

        fileprivate func appending(_ width: Int, at index: Int, cost added: Float) -> EnvelopeChain {
            var result = self
            result.widths[index] = UInt8(truncatingIfNeeded: width)
            result.cost += added
            return result
        }
    }

    package struct Candidate {
        /// The total cost of the envelopes and their number.
        fileprivate var cost = Float.infinity
        /// The envelopes counted from the start.
        package fileprivate(set) var leading = EnvelopeChain()
        package fileprivate(set) var leadingCount = 0
        /// The envelopes counted from the end.
        package fileprivate(set) var trailing = EnvelopeChain()
        package fileprivate(set) var trailingCount = 0
        /// The time slot in which the frame ends.
        package fileprivate(set) var end: Int
        /// Whether the grid is FIXFIX.
        package fileprivate(set) var isFixed = false
        /// The number of envelopes of a FIXFIX grid.
        package fileprivate(set) var fixedCount = 1
    }

    /// Returns the cheapest grid.
    ///
    /// - Parameters:
    ///   - costs: The costs of envelopes at ``costIndex(_:_:)``.
    ///   - start: The first time slot of the frame, 0 to 3.
    ///   - lastEnd: The last time slot in which the frame may end, from ``slotCount`` to ``lastEnd``.
    package mutating func best(_ costs: Span<Float>, from start: Int, lastEnd: Int) -> Candidate {
        var best = Candidate(end: slotCount)
        if start == 0 { tryFixed(costs, &best) }
        tryVariable(costs, from: start, lastEnd: lastEnd, &best)
        return best
    }

    /// Tries FIXFIX grids with 1, 2 and 4 envelopes.
    private func tryFixed(_ costs: Span<Float>, _ best: inout Candidate) {
        for shift in 0...2 {
            let count = 1 << shift
            // As in ``EnvelopeBoundaries``: with 15 time slots, the last envelope is one slot shorter.
            let width = (2 * slotCount + count) / (2 * count)
            var sum = costs[Self.costIndex(slotCount, slotCount + Self.lookahead)] + Self.envelopeCost * Float(count - 1)
            for index in 0..<count { sum += costs[Self.costIndex(index * width, min((index + 1) * width, slotCount))] }
            if sum < best.cost { best = Candidate(cost: sum, end: slotCount, isFixed: true, fixedCount: count) }
        }
    }

    private mutating func tryVariable(_ costs: Span<Float>, from start: Int, lastEnd: Int, _ best: inout Candidate) {
        buildLeadingChains(costs, from: start)
        let leading = leadingChains.span(first: Self.chainCapacity)
        let costs = costs.extracting(0..<Self.costCapacity)
        for end in slotCount...lastEnd {
            let lookaheadCost = costs[Self.costIndex(end, end + Self.lookahead)]
            guard lookaheadCost + Self.envelopeCost * Self.variableWeight < best.cost + Self.rounding else { continue }
            trailingChains.build(costs, from: start, to: end)
            for count in 0...Self.chainLimit {
                let added = Self.envelopeCost * (Float(count) + Self.variableWeight) + lookaheadCost
                for slot in Swift.stride(from: start, to: slotCount, by: 2) {
                    let chain = leading[Self.chainIndex(count, slot)]
                    guard chain.cost + added < best.cost + Self.rounding else { continue }
                    let grid = Candidate(cost: lookaheadCost, leading: chain, leadingCount: count, end: end)
                    trailingChains.complete(grid, from: slot, costs, &best)
                }
            }
        }
    }

    /// Returns the index of the chain of `count` envelopes that ends (leading) or starts (trailing) in a time slot.
    private static func chainIndex(_ count: Int, _ slot: Int) -> Int { chainStride &* count &+ slot }

    /// The chains of envelopes counted backwards from an end.
    private struct TrailingChains: ~Copyable {
        /// The cheapest chain of each length from each time slot to the end.
        private var chains = FixedArray<EnvelopeChain>(repeating: EnvelopeChain(), count: chainCapacity)
        /// The minimum cost of a chain from each time slot with at most each number of envelopes, including the cost of their number.
        private var least = FixedArray<Float>(repeating: 0, count: chainCapacity)
        /// The time slot in which the frame ends.
        private var end = 0

        mutating func build(_ costs: Span<Float>, from start: Int, to end: Int) {
            self.end = end
            var chains = chains.mutableSpan(first: chainCapacity)
            for index in chains.indices { chains[index] = EnvelopeChain() }
            chains[end].cost = 0
            // The first time slot after the start at an even distance from the end.
            let first = end &- (end &- start &- 1) & ~1
            for count in 0..<chainLimit {
                for slot in Swift.stride(from: first, through: end, by: 2) {
                    let chain = chains[chainIndex(count, slot)]
                    guard chain.cost < .infinity else { continue }
                    for width in Swift.stride(from: 2, through: 8, by: 2) where slot &- width > start {
                        let next = chain.appending(width, at: count, cost: costs[costIndex(slot &- width, slot)])
                        let target = chainIndex(count &+ 1, slot &- width)
                        if next.cost < chains[target].cost { chains[target] = next }
                    }
                }
            }
            var least = least.mutableSpan(first: chainCapacity)
            for slot in Swift.stride(from: first, through: end, by: 2) {
                var smallest = Float.infinity
                for count in 0...chainLimit {
                    smallest = min(smallest, chains[chainIndex(count, slot)].cost + envelopeCost * Float(count))
                    least[chainIndex(count, slot)] = smallest
                }
            }
        }

        /// Tries all combinations of mid envelope and trailing chain after a leading chain.
        ///
        /// - Parameter grid: The leading chain, and the cost after the end of the frame.
        @inline(__always)
        func complete(_ grid: Candidate, from slot: Int, _ costs: Span<Float>, _ best: inout Candidate) {
            let (chains, least) = (chains.span(first: chainCapacity), least.span(first: chainCapacity))
            let (chain, count, lookaheadCost) = (grid.leading, grid.leadingCount, grid.cost)
            let limit = min(chainLimit, widthLimit &- count)
            let known = chain.cost + envelopeCost * (Float(count) + variableWeight) + lookaheadCost
            for other in Swift.stride(from: slot &+ 1 &+ (end &- slot &- 1) & 1, through: end, by: 2) {
                let middle = costs[costIndex(slot, other)]
                guard known + middle + least[chainIndex(limit, other)] < best.cost + rounding else { continue }
                for otherCount in 0...limit {
                    let next = chains[chainIndex(otherCount, other)]
                    let sum =
                        chain.cost + next.cost + middle + envelopeCost * (Float(count &+ otherCount) + variableWeight)
                        + lookaheadCost
                    guard sum < best.cost else { continue }
                    best = Candidate(
                        cost: sum, leading: chain, leadingCount: count, trailing: next, trailingCount: otherCount, end: end)
                }
            }
        }
    }

    /// Finds the cheapest chain of each length from the start to each time slot.
    private mutating func buildLeadingChains(_ costs: Span<Float>, from start: Int) {
        leadingChains.fill(EnvelopeChain())
        var chains = leadingChains.mutableSpan(first: Self.chainCapacity)
        chains[start].cost = 0
        for count in 0..<Self.chainLimit {
            for slot in Swift.stride(from: start, to: slotCount, by: 2) {
                let chain = chains[Self.chainIndex(count, slot)]
                guard chain.cost < .infinity else { continue }
                for width in Swift.stride(from: 2, through: 8, by: 2) where slot &+ width < slotCount {
                    let next = chain.appending(width, at: count, cost: costs[Self.costIndex(slot, slot &+ width)])
                    let target = Self.chainIndex(count &+ 1, slot &+ width)
                    if next.cost < chains[target].cost { chains[target] = next }
                }
            }
        }
    }
}
