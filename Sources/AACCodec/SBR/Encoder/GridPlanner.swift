// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Cuts a frame into envelopes where its high band changes (ISO/IEC 14496-3:2009, 4.6.18.3.3).
///
/// All grids that the syntax allows are compared by how far the energies of slots are from those of their envelopes, and by
/// the number of envelopes (``GridSearch``).
struct GridPlanner: ~Copyable {
    /// What comes of it.
    private(set) var grid = SBRGrid()
    private(set) var boundaries = EnvelopeBoundaries(from: 0, to: 16)

    /// The cost of one envelope from slot s to slot e at ``GridSearch/place(_:_:)``, as far as it is asked for.
    private var costs: [676 of Float] = .init(repeating: 0)
    /// Sums of logarithms up to each slot.
    private var logarithms: [27 of Float] = .init(repeating: 0)
    /// Where the last frame ended, in slots of this one.
    private var start = 0

    private static let slotCount = GridSearch.slotCount

    /// Makes a planner.
    init() {}
}

extension GridPlanner {
    /// Goes on as if the last frame had ended where a frame ends by rights.
    mutating func resetHistory() { start = 0 }

    /// Plans a frame; `endsFixed` makes it end there too.
    mutating func plan(_ energies: inout SlotEnergies, endsFixed: Bool = false) {
        let (low, high) = (energies.low.span, energies.high.span)
        sumLogarithms(low, high)
        if start == 0 && isSteady(low, high) {
            grid = SBRGrid()
        } else {
            measureCosts(low, high)
            setGrid(GridSearch.best(costs.span, from: start, lastEnd: endsFixed ? Self.slotCount : GridSearch.lastEnd))
        }
        setPointer()
        boundaries = EnvelopeBoundaries(grid, slotCount: Self.slotCount) ?? EnvelopeBoundaries(from: start, to: Self.slotCount)
        start = boundaries.end - Self.slotCount
    }

    /// Takes over the plan for the other channel of a pair.
    mutating func adopt(_ other: borrowing GridPlanner) {
        grid = other.grid
        boundaries = other.boundaries
        start = other.start
    }

    private mutating func sumLogarithms(_ low: Span<SIMD4<Float>>, _ high: Span<SIMD4<Float>>) {
        for slot in 0..<SlotEnergies.slotCount {
            let sum = (PortableMath.log2(low[slot]) + PortableMath.log2(high[slot])).laneSum
            logarithms[slot + 1] = logarithms[slot] + sum
        }
    }

    /// Whether one envelope costs so little that no other grid can be better.
    private func isSteady(_ low: Span<SIMD4<Float>>, _ high: Span<SIMD4<Float>>) -> Bool {
        let slots = Self.slotCount
        return steadyCost(low, high, 0, slots) + steadyCost(low, high, slots, slots + GridSearch.outlook)
            < GridSearch.variableShare * GridSearch.envelopePrice
    }

    private func steadyCost(_ low: Span<SIMD4<Float>>, _ high: Span<SIMD4<Float>>, _ first: Int, _ end: Int) -> Float {
        var (lowSum, highSum) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        for slot in first..<end {
            lowSum += low[slot]
            highSum += high[slot]
        }
        return Self.cost(lowSum, highSum, length: end - first, logarithms: logarithms[end] - logarithms[first])
    }

    /// The cost of an envelope with these sums: the logarithm of the mean less the mean of logarithms, 0 for a steady band.
    @inline(__always)
    private static func cost(_ low: SIMD4<Float>, _ high: SIMD4<Float>, length: Int, logarithms: Float) -> Float {
        let length = Float(length)
        let scale = SIMD4<Float>(repeating: 1 / length)
        let mean = (PortableMath.log2(low * scale) + PortableMath.log2(high * scale)).laneSum
        return (mean * length - logarithms) * (1.0 / Float(SlotEnergies.bandCount))
    }

    /// Fills in what the search can ask for.
    private mutating func measureCosts(_ low: Span<SIMD4<Float>>, _ high: Span<SIMD4<Float>>) {
        let sums = logarithms.span
        let start = start
        var target = costs.mutableSpan
        for first in start..<GridSearch.lastEnd - 1 {
            // Counted from the start, envelopes begin at every second slot; counted from the end they are 2, 4, 6 or 8 long.
            let isFromStart = (first &- start) & 1 == 0 && first < Self.slotCount
            let last = isFromStart ? GridSearch.lastEnd : min(first &+ 8, GridSearch.lastEnd)
            var (lowSum, highSum) = (low[first], high[first])
            for end in first &+ 1...last {
                if isFromStart || (end &- first) & 1 == 0 {
                    target[GridSearch.place(first, end)] = Self.cost(
                        lowSum, highSum, length: end &- first, logarithms: sums[end] - sums[first])
                }
                lowSum += low[end]
                highSum += high[end]
            }
        }
        for first in Self.slotCount...GridSearch.lastEnd {
            let end = first &+ GridSearch.outlook
            var (lowSum, highSum) = (low[first], high[first])
            for slot in first &+ 1..<end {
                lowSum += low[slot]
                highSum += high[slot]
            }
            target[GridSearch.place(first, end)] = Self.cost(
                lowSum, highSum, length: GridSearch.outlook, logarithms: sums[end] - sums[first])
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
        let endsFixed = best.end == Self.slotCount && best.trailingCount == 0
        grid.frameClass = start == 0 && best.leadingCount == 0 ? .fixVar : endsFixed ? .varFix : .varVar
        grid.variableStart = start
        grid.variableEnd = best.end - Self.slotCount
    }

    /// The mean rise over the bands, in octaves of energy, from which a boundary counts as an onset.
    private static let onsetRise: Float = 2

    /// Points at the envelope that begins with the steepest onset.
    private mutating func setPointer() {
        guard grid.frameClass != .fixFix, let plain = EnvelopeBoundaries(grid, slotCount: Self.slotCount) else { return }
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

    private func meanLogarithm(_ first: Int, _ end: Int) -> Float {
        (logarithms[end] - logarithms[max(first, 0)]) / Float((end - max(first, 0)) * SlotEnergies.bandCount)
    }
}
