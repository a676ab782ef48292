// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
package import TransformEncoding

/// Finds the scale factors and codebooks with the minimum joint cost.
///
/// A Viterbi search over the bands, with separately quantized tuples for each codebook. The state consists of the last coded band's scale
/// factor and the current band's codebook, so that section headers are counted exactly.
package struct JointSearch: ~Copyable {
    /// The number of candidates per band, around a scale factor that is already good.
    package static let candidateCount = 12

    /// The number of candidates below that scale factor.
    static let candidatesBelow = 5

    /// The cost of omitting a band that must be coded; above the cost of any frame.
    package static let omissionCost: Float = 100_000

    /// The state of a path without a coded band so far.
    private static let nothingCoded = -1

    /// The cost of each band's candidates in each codebook, in bits.
    private var candidateCosts = FixedArray<Float>(repeating: 0, count: 0)

    /// The first candidate of each band.
    private var firstScaleFactors = FixedArray<Int16>(repeating: 0, count: BandLayout.maximumCount)

    /// The cost of omitting each band, in bits.
    private var zeroCosts = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    private var lattice = JointLattice()

    private var stateRanges = FixedArray<StateRange>(repeating: StateRange(), count: BandLayout.maximumCount)

    /// The cost of omitting all bands up to each band, including headers.
    private var emptyCosts = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The bits of scale factor differences from 60 down to -60, surrounded by ``CodebookCosts/impossible``.
    private var transitions = FixedArray<Float>(repeating: CodebookCosts.impossible, count: 2 * Self.transitionCenter)

    /// The index of difference 0.
    private static let transitionCenter = 160

    /// The maximum cost difference that a transition and a section header can compensate.
    private static let maximumGain = ScaleFactorTransitions.maximumGain + 9

    /// Creates a search without storage.
    package init() {
        for difference in -ScaleFactorCodebook.maximumDifference...ScaleFactorCodebook.maximumDifference {
            transitions[Self.transitionCenter - difference] = Float(
                ScaleFactorCodebook.lengths[difference + ScaleFactorCodebook.indexOffset])
        }
    }

    /// Allocates the storage once.
    ///
    /// Coders that do not use the joint search never need it.
    package mutating func allocate() {
        guard candidateCosts.count == 0 else { return }
        candidateCosts = FixedArray(
            repeating: CodebookCosts.impossible,
            count: BandLayout.maximumCount * Self.candidateCount * CodebookCosts.count + 1)
        lattice.allocate()
    }

    /// Returns the index in ``candidateCosts`` of a candidate's cost in codebook 0.
    @inline(__always)
    private static func candidateIndex(_ band: Int, candidate: Int) -> Int {
        (band * candidateCount + candidate) * CodebookCosts.count
    }

    /// Sets a band's first candidate and the cost of omitting it, and makes all candidates impossible.
    package mutating func setBand(_ band: Int, first: Int, zeroCost: Float) {
        firstScaleFactors[band] = Int16(first)
        zeroCosts[band] = zeroCost
        let start = Self.candidateIndex(band, candidate: 0)
        for index in start..<start + Self.candidateCount * CodebookCosts.count { candidateCosts[index] = CodebookCosts.impossible }
    }

    /// Sets the rate-distortion cost of a candidate in codebooks 1 to 11, in bits.
    package mutating func setCosts(_ band: Int, candidate: Int, _ codebooks: CodebookCosts) {
        let index = Self.candidateIndex(band, candidate: candidate)
        // `codebooks` has codebook 0 last. It is stored in the slot of the next candidate's codebook 0, which is never read.
        var costs = candidateCosts.mutableSpan
        costs.store(codebooks.vectors.0, at: index + 1)
        costs.store(codebooks.vectors.1, at: index + 5)
        costs.store(codebooks.vectors.2, at: index + 9)
    }

    /// Finds the scale factors.
    ///
    /// Omitted bands get ``ScaleFactorSearch/notCoded``.
    package mutating func search(layout: borrowing BandLayout, into scaleFactors: inout MutableSpan<Int16>) {
        var lowest = Int.max
        var highest = 0
        for band in 0..<layout.count {
            lowest = min(lowest, Int(firstScaleFactors[band]))
            highest = max(highest, Int(firstScaleFactors[band]) + Self.candidateCount)
        }
        let canTrim = highest - lowest <= ScaleFactorCodebook.maximumDifference
        lowest = max(lowest, highest - JointLattice.stateCount)
        var step = Step(lowest: lowest, headerBits: Sectioning.headerBits(of: layout.sequence), isFirst: true)
        for band in 0..<layout.count {
            step.isFirst = band % layout.bandsPerGroup == 0
            extend(to: band, step, canTrim: canTrim)
        }
        trace(layout, step, into: &scaleFactors)
    }

    /// The parameters of a step from one band to the next.
    private struct Step {
        /// The scale factor of state 0.
        var lowest: Int
        var headerBits: Float
        /// Whether the band is the first of its group, where a section must start.
        var isFirst: Bool
    }

    /// Computes the minimum costs of a band's states: omits the band, or codes it with each candidate in each codebook.
    private mutating func extend(to band: Int, _ step: Step, canTrim: Bool) {
        let before = band == 0 ? 0..<0 : stateRanges[band - 1].states
        let first = Int(firstScaleFactors[band]) - step.lowest
        let tried = max(0, first)..<max(0, min(first + Self.candidateCount, JointLattice.stateCount))
        var range = StateRange(before, joinedWith: tried)
        lattice.clear(band, range.states)
        lattice.zeroBand(
            band, .init(previousStates: before, headerBits: step.headerBits, isFirst: step.isFirst, zeroCost: zeroCosts[band]))
        let previousEmptyCost = band == 0 ? 0 : emptyCosts[band - 1]
        emptyCosts[band] = previousEmptyCost + zeroCosts[band] + (step.isFirst ? step.headerBits : 0)
        for state in tried {
            let index = Self.candidateIndex(band, candidate: state - first)
            let arrival = min(
                previousEmptyCost,
                Self.lowestCost(at: state, lattice.cheapest.span, row: JointLattice.row(band - 1), from: before, transitions.span))
            for codebook in 1..<CodebookCosts.count where candidateCosts[index + codebook] < CodebookCosts.impossible {
                var best = arrival + step.headerBits
                if !step.isFirst {
                    let continued = Self.lowestCost(
                        at: state, lattice.costs.span, row: JointLattice.row(band - 1, codebook: codebook), from: before, transitions.span)
                    best = min(best, continued)
                }
                lattice.setCost(best + candidateCosts[index + codebook], band, codebook: codebook, state: state)
            }
        }
        let lowest = lattice.findCheapest(band, range.states)
        if canTrim { range.trim(lattice.cheapest.span, row: JointLattice.row(band), limit: lowest + Self.maximumGain) }
        stateRanges[band] = range
    }

    /// Returns the minimum over the previous band's states of cost plus transition to a state.
    ///
    /// - Parameters:
    ///   - costs: State costs, with state 0 at index `row`.
    ///   - states: The previous band's states. Count is a multiple of four.
    @inline(__always)
    private static func lowestCost(
        at state: Int, _ costs: Span<Float>, row: Int, from states: Range<Int>, _ transitions: Span<Float>
    ) -> Float {
        let shift = transitionCenter - state
        var best = SIMD4<Float>(repeating: CodebookCosts.impossible)
        for other in stride(from: states.lowerBound, to: states.upperBound, by: 4) {
            best = best.minimum(costs.vector(at: row + other) + transitions.vector(at: shift + other))
        }
        return best.least
    }

    // MARK: Backtracking

    // Predecessors are not stored, because tracking the index of a vector minimum would slow down the inner loop. Backtracking visits one
    // state per band instead, and repeats the minimum that led to it. The operands are the same, and so is the result.

    /// Sets the scale factors on the cheapest path, from the last band back to the first.
    private mutating func trace(_ layout: borrowing BandLayout, _ step: Step, into scaleFactors: inout MutableSpan<Int16>) {
        guard layout.count > 0 else { return }
        let last = layout.count - 1
        var state = Self.nothingCoded
        var best = emptyCosts[last]
        for other in stateRanges[last].states where lattice.cheapest[JointLattice.row(last) + other] < best {
            best = lattice.cheapest[JointLattice.row(last) + other]
            state = other
        }
        var codebook = state == Self.nothingCoded ? 0 : lattice.cheapestCodebook(last, state: state)
        for band in stride(from: last, through: 0, by: -1) {
            scaleFactors[band] = ScaleFactorSearch.notCoded
            guard state != Self.nothingCoded else { continue }
            let isFirst = band % layout.bandsPerGroup == 0
            let continuesSection: Bool
            if codebook == 0 {
                continuesSection =
                    !isFirst
                    && lattice.costs[JointLattice.row(band - 1, codebook: 0) + state]
                        < lattice.cheapest[JointLattice.row(band - 1) + state] + step.headerBits
            } else {
                scaleFactors[band] = Int16(state + step.lowest)
                (state, continuesSection) = predecessor(of: state, codebook, band, isFirst: isFirst, headerBits: step.headerBits)
            }
            if !continuesSection && state != Self.nothingCoded { codebook = lattice.cheapestCodebook(band - 1, state: state) }
        }
    }

    /// Returns the state before a coded band on the cheapest path, and whether the band continues the previous band's section.
    private mutating func predecessor(
        of state: Int, _ codebook: Int, _ band: Int, isFirst: Bool, headerBits: Float
    ) -> (state: Int, continuesSection: Bool) {
        guard band > 0 else { return (Self.nothingCoded, false) }
        let states = stateRanges[band - 1].states
        let row = JointLattice.row(band - 1)
        let codebookRow = JointLattice.row(band - 1, codebook: codebook)
        let arrival = Self.lowestCost(at: state, lattice.cheapest.span, row: row, from: states, transitions.span)
        let continued =
            isFirst
            ? CodebookCosts.impossible
            : Self.lowestCost(at: state, lattice.costs.span, row: codebookRow, from: states, transitions.span)
        if continued < min(arrival, emptyCosts[band - 1]) + headerBits {
            return (Self.cheapestState(before: state, lattice.costs.span, row: codebookRow, from: states, transitions.span), true)
        }
        guard arrival < emptyCosts[band - 1] else { return (Self.nothingCoded, false) }
        return (Self.cheapestState(before: state, lattice.cheapest.span, row: row, from: states, transitions.span), false)
    }

    /// Returns the previous band's first state that attains the minimum of ``lowestCost(at:_:row:from:_:)``.
    private static func cheapestState(
        before state: Int, _ costs: Span<Float>, row: Int, from states: Range<Int>, _ transitions: Span<Float>
    ) -> Int {
        let shift = transitionCenter - state
        var cheapest = states.lowerBound
        var lowest = Float.infinity
        for other in states where costs[row + other] + transitions[shift + other] < lowest {
            lowest = costs[row + other] + transitions[shift + other]
            cheapest = other
        }
        return cheapest
    }
}
