// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Cuts a frame into envelopes where its high band changes (ISO/IEC 14496-3:2009, 4.6.18.3.3).
///
/// All grids that the syntax allows are compared by how far the energies of slots are from those of their envelopes, and by
/// the number of envelopes.
struct GridPlanner: ~Copyable {
    /// What comes of it.
    private(set) var grid = SBRGrid()
    private(set) var borders = EnvelopeBorders(from: 0, to: 16)

    /// The cost of one envelope from slot s to slot e at 26 s + e.
    private var costs: [676 of Float] = .init(repeating: 0)
    /// Sums of logarithms up to each slot.
    private var logarithms: [27 of Float] = .init(repeating: 0)
    /// Where the last frame ended, in slots of this one.
    private var start = 0
    /// Whether the first envelope of this frame is the transient that the last one announced.
    private(set) var startsWithTransient = false
    private var announced = false

    /// What one more envelope has to save: octaves of energy by slots and bands.
    private let envelopePrice: Float

    private static let slotCount = 16
    private static let rowLength = 26
    /// Slots behind the end of the frame that are charged as one envelope, so that ends before an onset pay.
    private static let outlook = 6

    /// Makes a planner whose envelopes cost so much each.
    init(envelopePrice: Float) { self.envelopePrice = envelopePrice }
}

extension GridPlanner {
    /// The best end found so far.
    private struct Candidate {
        var cost = Float.infinity
        var leading = Chain()
        var trailing = Chain()
        var end = 16
        var isFixed = false
        var fixedCount = 1
    }

    /// Widths that are counted from one side.
    private struct Chain {
        var cost = Float.infinity
        var count = 0
        var widths = SIMD4<UInt8>(repeating: 0)

        func adding(_ width: Int, cost added: Float) -> Chain {
            var result = self
            result.widths[count] = UInt8(width)
            result.count += 1
            result.cost += added
            return result
        }
    }

    /// Plans a frame.
    mutating func plan(_ energies: borrowing SlotEnergies) {
        var best = Candidate()
        if start == 0 && isSteady(energies) {
            best = Candidate(cost: 0, isFixed: true, fixedCount: 1)
        } else {
            measureCosts(energies)
            if start == 0 { tryFixed(&best) }
            tryVariable(&best)
        }
        setGrid(best)
        setPointer(energies)
        borders = EnvelopeBorders(grid, slotCount: Self.slotCount) ?? EnvelopeBorders(from: start, to: Self.slotCount)
        start = borders.end - Self.slotCount
    }

    /// Whether one envelope costs so little that no other grid can be better.
    private mutating func isSteady(_ energies: borrowing SlotEnergies) -> Bool {
        sumLogarithms(energies)
        let slots = Self.slotCount
        return steadyCost(energies, 0, slots) + steadyCost(energies, slots, slots + Self.outlook) < Self.variableShare * envelopePrice
    }

    private func steadyCost(_ energies: borrowing SlotEnergies, _ first: Int, _ end: Int) -> Float {
        var (lowSum, highSum) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
        for slot in first..<end {
            lowSum += energies.low[slot]
            highSum += energies.high[slot]
        }
        return cost(lowSum, highSum, first, end)
    }

    /// The cost of an envelope with these sums.
    @inline(__always)
    private func cost(_ low: SIMD4<Float>, _ high: SIMD4<Float>, _ first: Int, _ end: Int) -> Float {
        let length = Float(end - first)
        let scale = SIMD4<Float>(repeating: 1 / length)
        let mean = (PortableMath.log2(low * scale) + PortableMath.log2(high * scale)).laneSum
        return (mean * length - (logarithms[end] - logarithms[first])) * (1.0 / Float(SlotEnergies.bandCount))
    }

    private mutating func sumLogarithms(_ energies: borrowing SlotEnergies) {
        for slot in 0..<Self.rowLength {
            let sum = (PortableMath.log2(energies.low[slot]) + PortableMath.log2(energies.high[slot])).laneSum
            logarithms[slot + 1] = logarithms[slot] + sum
        }
    }

    /// Takes over the plan for the other channel of a pair.
    mutating func adopt(_ other: borrowing GridPlanner) {
        grid = other.grid
        borders = other.borders
        start = other.start
        announced = other.announced
    }

    /// The logarithm of a mean less the mean of logarithms: 0 for a steady band.
    private mutating func measureCosts(_ energies: borrowing SlotEnergies) {
        sumLogarithms(energies)
        let (low, high) = (energies.low.span, energies.high.span)
        for first in 0..<Self.rowLength {
            var (lowSum, highSum) = (low[first], high[first])
            for end in first + 1..<Self.rowLength {
                costs[Self.rowLength * first + end] = cost(lowSum, highSum, first, end)
                lowSum += low[end]
                highSum += high[end]
            }
        }
    }

    @inline(__always)
    private func cost(_ first: Int, _ end: Int) -> Float { costs.span[Self.rowLength &* first &+ end] }

    private func outlookCost(_ end: Int) -> Float { cost(end, end + Self.outlook) }

    private func tryFixed(_ best: inout Candidate) {
        for shift in 0...2 {
            let count = 1 << shift
            let width = Self.slotCount / count
            var sum = outlookCost(Self.slotCount) + envelopePrice * Float(count - 1)
            for index in 0..<count { sum += cost(index * width, (index + 1) * width) }
            if sum < best.cost {
                best = Candidate(cost: sum, isFixed: true, fixedCount: count)
            }
        }
    }

    /// Bits of a variable grid over a fixed one, as a share of an envelope.
    private static let variableShare: Float = 0.5

    private func tryVariable(_ best: inout Candidate) {
        let leading = leadingChains()
        for end in Self.slotCount...Self.slotCount + 3 {
            let trailing = trailingChains(end)
            for a in 0...3 {
                for p in start..<Self.slotCount where leading.span[20 * a + p].cost < .infinity {
                    for b in 0...min(3, 4 - a) {
                        for q in p + 1...end where trailing.span[20 * b + q].cost < .infinity {
                            let sum =
                                leading.span[20 * a + p].cost + trailing.span[20 * b + q].cost + cost(p, q)
                                + envelopePrice * (Float(a + b) + Self.variableShare) + outlookCost(end)
                            if sum < best.cost {
                                best = Candidate(
                                    cost: sum, leading: leading.span[20 * a + p], trailing: trailing.span[20 * b + q], end: end)
                            }
                        }
                    }
                }
            }
        }
    }

    /// The cheapest way to each slot by so many widths from the start, at 20 count + slot.
    private func leadingChains() -> [80 of Chain] {
        var chains = InlineArray<80, Chain>(repeating: Chain())
        chains[start].cost = 0
        for count in 0..<3 {
            for slot in start..<Self.slotCount where chains[20 * count + slot].cost < .infinity {
                for width in stride(from: 2, through: 8, by: 2) where slot + width < Self.slotCount + 3 {
                    let next = chains[20 * count + slot].adding(width, cost: cost(slot, slot + width))
                    if next.cost < chains[20 * (count + 1) + slot + width].cost { chains[20 * (count + 1) + slot + width] = next }
                }
            }
        }
        return chains
    }

    /// The cheapest way from each slot to the end by so many widths.
    private func trailingChains(_ end: Int) -> [80 of Chain] {
        var chains = InlineArray<80, Chain>(repeating: Chain())
        chains[end].cost = 0
        for count in 0..<3 {
            for slot in start + 1...end where chains[20 * count + slot].cost < .infinity {
                for width in stride(from: 2, through: 8, by: 2) where slot - width > start {
                    let next = chains[20 * count + slot].adding(width, cost: cost(slot - width, slot))
                    if next.cost < chains[20 * (count + 1) + slot - width].cost { chains[20 * (count + 1) + slot - width] = next }
                }
            }
        }
        return chains
    }

    private mutating func setGrid(_ best: Candidate) {
        grid = SBRGrid()
        if best.isFixed {
            grid.fixedEnvelopeCount = best.fixedCount
            return
        }
        for index in 0..<best.leading.count { grid.leadingWidths.append(Int(best.leading.widths[index])) }
        for index in 0..<best.trailing.count { grid.trailingWidths.append(Int(best.trailing.widths[index])) }
        let endsFixed = best.end == Self.slotCount && best.trailing.count == 0
        grid.frameClass = start == 0 && best.leading.count == 0 ? .fixVar : endsFixed ? .varFix : .varVar
        grid.variableStart = start
        grid.variableEnd = best.end - Self.slotCount
    }

    /// The mean rise over the bands, in octaves of energy, from which a border counts as an onset.
    private static let onsetRise: Float = 2

    /// Points at the envelope that begins with the steepest onset.
    private mutating func setPointer(_ energies: borrowing SlotEnergies) {
        startsWithTransient = announced
        announced = false
        guard grid.frameClass != .fixFix, let plain = EnvelopeBorders(grid, slotCount: Self.slotCount) else { return }
        var best = 0
        var steepest = Self.onsetRise
        for index in 1...plain.count where index < plain.count || grid.frameClass != .varFix {
            let border = plain[index]
            let rise = meanLogarithm(border, border + 2) - meanLogarithm(border - 2, border)
            if rise > steepest { (best, steepest) = (index, rise) }
        }
        guard best > 0 else { return }
        grid.pointer = grid.frameClass == .varFix ? best + 1 : plain.count + 1 - best
        announced = best == plain.count
    }

    private func meanLogarithm(_ first: Int, _ end: Int) -> Float {
        (logarithms[end] - logarithms[max(first, 0)]) / Float((end - max(first, 0)) * SlotEnergies.bandCount)
    }
}
