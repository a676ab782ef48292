// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The scale factors of a channel that cost least: weighted distortion, spectral bits and scale factor bits together.
///
/// A Viterbi search over the bands. Its state is the scale factor of the last band that was coded; a band can also be left
/// out, which keeps the state.
struct ScaleFactorSearch: ~Copyable {
    /// Scale factors in a frame lie within so many steps of each other.
    private static let span = 96

    /// A band left out.
    static let notCoded: Int16 = -1

    /// The scale factor of each band, ``notCoded`` where all lines become zero.
    var scaleFactors = [120 of Int16](repeating: 0)

    /// The lowest cost of all bands up to and with band b, by the state behind it.
    private var costs = [11520 of Float](repeating: .infinity)

    /// The states that bands up to and with band b can end in.
    private var reached = [120 of States](repeating: States())

    /// The cost of leaving out all bands up to and with band b.
    private var emptyCosts = [120 of Float](repeating: 0)

    /// Rate times the bits of scale factor differences from 60 down to -60, with infinity around.
    private var transitionCosts = [320 of Float](repeating: .infinity)

    /// A run of states, in fours.
    private struct States: BitwiseCopyable {
        private var start: Int16 = 0
        private var end: Int16 = 0

        init() {}

        /// The least run with all of two others.
        init(_ first: Range<Int>, joinedWith second: Range<Int>) {
            let start = first.isEmpty ? second.lowerBound : second.isEmpty ? first.lowerBound : min(first.lowerBound, second.lowerBound)
            let end = first.isEmpty ? second.upperBound : second.isEmpty ? first.upperBound : max(first.upperBound, second.upperBound)
            self.start = Int16(start & ~3)
            self.end = Int16((end + 3) & ~3)
        }

        @inline(__always) var states: Range<Int> { Int(start)..<Int(end) }
    }

    /// What costs are counted in.
    struct Prices {
        /// λ: a bit, in the unit of weighted distortion.
        var bit: Float
        /// What leaving a band out costs more than its energy.
        var zeroPenalty: Float
        /// Candidates of each band.
        var candidateCount: Int
    }

    /// Finds the scale factors for a price of one bit.
    ///
    /// - Parameters:
    ///   - cells: Distortion and bits of the candidates, ``CostCurves/candidateCount`` a band.
    ///   - firsts: The scale factor of the first candidate of each band.
    ///   - weights: What a unit of squared error costs in each band.
    mutating func search(
        _ cells: Span<CostCurves.Cell>, firsts: Span<Int16>, bands: Span<SpectralLines.Band>, weights: Span<Float>, prices: Prices,
        bandCount: Int
    ) {
        var lowest = Int.max
        var highest = 0
        for band in 0..<bandCount {
            lowest = min(lowest, Int(firsts[band]))
            highest = max(highest, Int(firsts[band]) + prices.candidateCount)
        }
        // Beside a loud band, one that is all but silent is left out.
        lowest = max(lowest, highest - Self.span)
        setTransitions(bitPrice: prices.bit)
        for band in 0..<bandCount {
            let zeroCost = bands[band].energy * weights[band] * prices.zeroPenalty
            extend(to: band, cells, first: Int(firsts[band]) - lowest, weight: weights[band], zeroCost: zeroCost, prices: prices)
        }
        trace(cells, firsts, lowest: lowest, weights: weights, bitPrice: prices.bit, bandCount: bandCount)
    }

    /// The largest difference that can be sent.
    static let largestDifference = 60

    /// Brings scale factors within reach of each other after bands between them lost their lines to a codebook of zeros.
    ///
    /// - Parameter codebooks: The codebook of each band; one whose step becomes finer than planned gets the escape codebook.
    mutating func limitDifferences(_ codebooks: inout MutableSpan<UInt8>, bandCount: Int) {
        var target = scaleFactors.mutableSpan
        Self.limitDifferences(&target, &codebooks, bandCount: bandCount)
    }

    static func limitDifferences(_ scaleFactors: inout MutableSpan<Int16>, _ codebooks: inout MutableSpan<UInt8>, bandCount: Int) {
        var last: Int?
        for band in 0..<bandCount where scaleFactors[band] >= 0 && (1...BandCodebook.escape).contains(codebooks[band]) {
            let wanted = Int(scaleFactors[band])
            let limited = last.map { min(max(wanted, $0 - largestDifference), $0 + largestDifference) } ?? wanted
            if limited < wanted { codebooks[band] = BandCodebook.escape }
            scaleFactors[band] = Int16(limited)
            last = limited
        }
    }

    private static let transitionCenter = 160

    private mutating func setTransitions(bitPrice: Float) {
        let lengths = ScaleFactorCodebook.lengths
        for difference in -60...60 {
            transitionCosts[Self.transitionCenter - difference] =
                bitPrice * Float(lengths[difference + ScaleFactorCodebook.indexOffset])
        }
    }

    /// Goes on to a band: what was reached before stays reached where the band is left out, and each candidate can follow.
    private mutating func extend(
        to band: Int, _ cells: Span<CostCurves.Cell>, first: Int, weight: Float, zeroCost: Float, prices: Prices
    ) {
        let row = band * Self.span
        let emptyBefore = band == 0 ? 0 : emptyCosts.span[band - 1]
        emptyCosts[band] = emptyBefore + zeroCost
        let before = band == 0 ? 0..<0 : reached.span[band - 1].states
        let tried = max(0, first)..<max(0, first, min(first + prices.candidateCount, Self.span))
        let now = States(before, joinedWith: tried)
        reached[band] = now
        var costs = costs.mutableSpan
        for state in stride(from: now.states.lowerBound, to: now.states.upperBound, by: 4) {
            let isOld = before.contains(state)
            let passed = isOld ? costs.vector(at: row - Self.span + state) + SIMD4(repeating: zeroCost) : SIMD4(repeating: .infinity)
            costs.store(passed, at: row + state)
        }
        for state in tried {
            let cell = cells[band * CostCurves.candidateCount + state - first]
            guard cell.bits < .infinity else { continue }
            let arrival = Self.lowestArrival(at: state, costs.span, row: row - Self.span, from: before, transitionCosts.span)
            let cost = min(emptyBefore + prices.bit, arrival) + weight * cell.distortion + prices.bit * cell.bits
            costs[row + state] = min(costs[row + state], cost)
        }
    }

    /// The lowest cost of a state before, with the transition to `state`.
    @inline(__always)
    private static func lowestArrival(
        at state: Int, _ costs: Span<Float>, row: Int, from states: Range<Int>, _ transitionCosts: Span<Float>
    ) -> Float {
        let shift = transitionCenter - state
        var best = SIMD4<Float>(repeating: .infinity)
        for other in stride(from: states.lowerBound, to: states.upperBound, by: 4) {
            best = best.minimum(costs.vector(at: row + other) + transitionCosts.vector(at: shift + other))
        }
        return min(min(best[0], best[1]), min(best[2], best[3]))
    }

    /// Goes back from the cheapest end, finding again which choice made each cost.
    private mutating func trace(
        _ cells: Span<CostCurves.Cell>, _ firsts: Span<Int16>, lowest: Int, weights: Span<Float>, bitPrice: Float, bandCount: Int
    ) {
        guard bandCount > 0 else { return }
        var state = -1
        var best = emptyCosts.span[bandCount - 1]
        let last = (bandCount - 1) * Self.span
        for other in reached.span[bandCount - 1].states where costs.span[last + other] < best {
            best = costs.span[last + other]
            state = other
        }
        for band in stride(from: bandCount - 1, through: 0, by: -1) {
            scaleFactors[band] = Self.notCoded
            guard state >= 0 else { continue }
            let candidate = state + lowest - Int(firsts[band])
            guard candidate >= 0, candidate < CostCurves.candidateCount else { continue }
            let cell = cells[band * CostCurves.candidateCount + candidate]
            let (origin, reach) = bestOrigin(of: state, band: band, bitPrice: bitPrice)
            let cost = reach + weights[band] * cell.distortion + bitPrice * cell.bits
            guard cost <= costs.span[band * Self.span + state] else { continue }
            scaleFactors[band] = Int16(state + lowest)
            state = origin
        }
    }

    /// Where the cheapest arrival at a state comes from, -1 for no band coded before, and its cost.
    private func bestOrigin(of state: Int, band: Int, bitPrice: Float) -> (origin: Int, cost: Float) {
        let nothingBefore = (band == 0 ? 0 : emptyCosts.span[band - 1]) + bitPrice
        guard band > 0 else { return (-1, nothingBefore) }
        let states = reached.span[band - 1].states
        let row = (band - 1) * Self.span
        let lowest = Self.lowestArrival(at: state, costs.span, row: row, from: states, transitionCosts.span)
        guard lowest < nothingBefore else { return (-1, nothingBefore) }
        let shift = Self.transitionCenter - state
        let costs = costs.span
        let transitionCosts = transitionCosts.span
        var origin = states.lowerBound
        while origin < states.upperBound - 1 && costs[row + origin] + transitionCosts[shift + origin] > lowest { origin += 1 }
        return (origin, lowest)
    }
}
