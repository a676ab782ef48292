// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Time grid selection for a frame (ISO/IEC 14496-3:2009, 4.6.18.3.3).
///
/// All grids that the syntax permits are compared by the distance of time slot energies from their envelopes' and by the number of
/// envelopes (``GridSearch``).
package struct GridPlanner: ~Copyable {
    /// The grid of the last planned frame.
    package var grid = SBRGrid()
    package var boundaries: EnvelopeBoundaries

    /// The envelope costs that the search may need, at ``GridSearch/costIndex(_:_:)``.
    private var costs = FixedArray<Float>(repeating: 0, count: GridSearch.costCapacity)
    /// Prefix sums over time slots of log2 energy, summed over all wide bands.
    private var logarithms: FixedArray<Float>
    /// The first time slot of the current frame, where the last frame ended.
    private var start = 0

    private var search: GridSearch
    private let layout: SlotLayout
    /// The weight of the distance between envelope and time slots, relative to the number of envelopes.
    private let weight: Float

    /// Creates a planner for the first frame.
    ///
    /// - Parameter weight: The weight of the distance between envelope and time slots, relative to the number of envelopes.
    package init(_ layout: SlotLayout, weight: Float) {
        self.layout = layout
        self.weight = weight
        search = GridSearch(slotCount: layout.slotCount)
        boundaries = EnvelopeBoundaries(from: 0, to: layout.slotCount)
        logarithms = FixedArray(repeating: 0, count: layout.slotCount + SlotEnergies.nextSlotCount + 1)
    }
}

extension GridPlanner {
    var slotCount: Int { layout.slotCount }

    /// Resets the start, as if the last envelope ended with the previous frame.
    mutating func resetHistory() { start = 0 }

    /// Chooses the grid of a frame.
    ///
    /// - Parameter endsFixed: Whether the last envelope must end with the frame.
    package mutating func plan(_ energies: borrowing SlotEnergies, endsFixed: Bool = false) {
        let (low, high) = (energies.low.span, energies.high.span)
        sumLogarithms(low, high)
        if layout.isLowDelay { return planLowDelay(low, high) }
        if start == 0 && isSteady(low, high) {
            grid = SBRGrid()
        } else {
            measureCosts(low, high)
            setGrid(search.best(costs.span, from: start, lastEnd: endsFixed ? slotCount : search.lastEnd))
        }
        setPointer()
        boundaries = EnvelopeBoundaries(grid, slotCount: slotCount) ?? EnvelopeBoundaries(from: start, to: slotCount)
        start = boundaries.end - slotCount
    }

    /// Copies the grid of the other channel of a pair.
    mutating func adopt(_ other: borrowing GridPlanner) {
        grid = other.grid
        boundaries = other.boundaries
        start = other.start
    }

    /// Computes ``logarithms``.
    private mutating func sumLogarithms(_ low: Span<SIMD4<Float>>, _ high: Span<SIMD4<Float>>) {
        var logarithms = logarithms.mutableSpan
        var sum = logarithms[0]
        for slot in 0..<min(logarithms.count - 1, low.count) {
            sum += (PortableMath.log2(low[slot]) + PortableMath.log2(high[slot])).laneSum
            logarithms[slot + 1] = sum
        }
    }

    /// Returns whether a single envelope costs so little that no other grid can be better.
    private func isSteady(_ low: Span<SIMD4<Float>>, _ high: Span<SIMD4<Float>>) -> Bool {
        steadyCost(low, high, 0, slotCount) + steadyCost(low, high, slotCount, slotCount + GridSearch.lookahead)
            < GridSearch.variableWeight * GridSearch.envelopeCost
    }

    /// Returns the cost of an envelope from time slot `first` to `end`.
    func steadyCost(_ low: Span<SIMD4<Float>>, _ high: Span<SIMD4<Float>>, _ first: Int, _ end: Int) -> Float {
        var (lowSum, highSum) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        for slot in first..<end {
            lowSum += low[slot]
            highSum += high[slot]
        }
        return weight * Self.cost(lowSum, highSum, length: end - first, logarithms: logarithms[end] - logarithms[first])
    }

    /// Returns the cost of an envelope, in octaves of energy · slots; 0 for constant energies.
    ///
    ///     Σ over bands (length · log2(mean energy) - Σ over slots log2(energy)) / 8
    ///
    /// - Parameters:
    ///   - low: The energies of the first four wide bands, summed over the envelope.
    ///   - high: The energies of the last four wide bands, summed over the envelope.
    ///   - length: The length of the envelope, in time slots.
    ///   - logarithms: The sum of the logarithms of all energies.
    @inline(__always)
    private static func cost(_ low: SIMD4<Float>, _ high: SIMD4<Float>, length: Int, logarithms: Float) -> Float {
        let length = Float(length)
        let scale = SIMD4<Float>(repeating: 1 / length)
        let mean = (PortableMath.log2(low * scale) + PortableMath.log2(high * scale)).laneSum
        return (mean * length - logarithms) * (1.0 / Float(SlotEnergies.bandCount))
    }

    /// Computes the costs of all envelopes that the search may need.
    private mutating func measureCosts(_ low: Span<SIMD4<Float>>, _ high: Span<SIMD4<Float>>) {
        let lastEnd = search.lastEnd
        for first in start..<lastEnd - 1 {
            // Leading envelopes and the mid envelope start at an even distance from the start and have any length. Trailing envelopes
            // start in any time slot and have 2, 4, 6 or 8 time slots.
            let isLeading = (first &- start) & 1 == 0 && first < slotCount
            let last = isLeading ? lastEnd : min(first &+ 8, lastEnd)
            measureCosts(low, high, from: first, to: first &+ 1...last, step: isLeading ? 1 : 2)
        }
        for first in slotCount...lastEnd {
            let end = first &+ GridSearch.lookahead
            measureCosts(low, high, from: first, to: end...end, step: 1)
        }
    }

    /// Computes the costs of envelopes from one time slot to each end in a range, in steps of `step`.
    @inline(__always)
    private mutating func measureCosts(
        _ low: Span<SIMD4<Float>>, _ high: Span<SIMD4<Float>>, from first: Int, to ends: ClosedRange<Int>, step: Int
    ) {
        let sums = logarithms.span
        var target = costs.mutableSpan
        var (lowSum, highSum) = (low[first], high[first])
        for end in first &+ 1...ends.upperBound {
            if end >= ends.lowerBound && (step == 1 || (end &- first) & 1 == 0) {
                let cost = Self.cost(lowSum, highSum, length: end &- first, logarithms: sums[end] - sums[first])
                target[GridSearch.costIndex(first, end)] = weight * cost
            }
            lowSum += low[end]
            highSum += high[end]
        }
    }

    private mutating func setGrid(_ best: GridSearch.Candidate) {
        grid = SBRGrid()
        if best.isFixed {
            grid.fixedEnvelopeCount = best.fixedCount
            return
        }
        for index in 0..<best.leadingCount { grid.leadingWidths.append(Int(best.leading.widths[index])) }
        for index in 0..<best.trailingCount { grid.trailingWidths.append(Int(best.trailing.widths[index])) }
        let endsFixed = best.end == slotCount && best.trailingCount == 0
        grid.frameClass = start == 0 && best.leadingCount == 0 ? .fixVar : endsFixed ? .varFix : .varVar
        grid.variableStart = start
        grid.variableEnd = best.end - slotCount
    }

    /// The minimum mean energy rise of an onset, in octaves.
    static let onsetRise: Float = 2

    /// Sets `bs_pointer` to the envelope that starts with the steepest onset.
    private mutating func setPointer() {
        guard grid.frameClass != .fixFix, let plain = EnvelopeBoundaries(grid, slotCount: slotCount) else { return }
        var best = 0
        var steepest = Self.onsetRise
        for index in 1...plain.count where index < plain.count || grid.frameClass != .varFix {
            let boundary = plain[index]
            let rise = meanLogarithm(boundary, boundary + 2) - meanLogarithm(boundary - 2, boundary)
            if rise > steepest { (best, steepest) = (index, rise) }
        }
        guard best > 0 else { return }
        grid.pointer = grid.frameClass == .varFix ? best + 1 : plain.count + 1 - best
    }

    /// Returns the mean log2 energy from time slot `first` to `end`.
    func meanLogarithm(_ first: Int, _ end: Int) -> Float {
        (logarithms[end] - logarithms[max(first, 0)]) / Float((end - max(first, 0)) * SlotEnergies.bandCount)
    }
}
