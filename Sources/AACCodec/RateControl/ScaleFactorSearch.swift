// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The scale factors of a channel that cost least: weighted distortion, spectral bits and scale factor bits together.
///
/// A Viterbi search over the bands. Its state is the scale factor of the last band that was coded; a band can also be left
/// out, which keeps the state.
struct ScaleFactorSearch: ~Copyable {
    /// Differences between neighbours beyond this many steps are not tried, except from the cheapest state of all: each takes as many
    /// bits as the next.
    private static let reach = 24

    /// Scale factors in a frame lie within so many steps of each other.
    private static let span = 96

    /// A band left out.
    static let notCoded: Int16 = -1

    /// The scale factor of each band, ``notCoded`` where all lines become zero.
    var scaleFactors = [120 of Int16](repeating: 0)

    /// The lowest cost of all bands up to and with band b, by the state behind it.
    private var costs = [11520 of Float](repeating: .infinity)

    /// The cost of leaving out all bands up to and with band b.
    private var emptyCosts = [120 of Float](repeating: 0)

    /// Rate times the bits of scale factor differences from 60 down to -60, with infinity around.
    private var transitionCosts = [320 of Float](repeating: .infinity)

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

    private mutating func extend(
        to band: Int, _ cells: Span<CostCurves.Cell>, first: Int, weight: Float, zeroCost: Float, prices: Prices
    ) {
        let row = band * Self.span
        let before = row - Self.span
        let emptyBefore = band == 0 ? 0 : emptyCosts.span[band - 1]
        emptyCosts[band] = emptyBefore + zeroCost
        var costs = costs.mutableSpan
        for state in stride(from: 0, to: Self.span, by: 4) {
            let passed = band == 0 ? SIMD4(repeating: .infinity) : costs.vector(at: before + state) + SIMD4(repeating: zeroCost)
            costs.store(passed, at: row + state)
        }
        let cheapest = band > 0 ? Self.cheapestState(costs.span, row: before) : 0
        for candidate in max(0, -first)..<max(-first, prices.candidateCount) where first + candidate < Self.span {
            let cell = cells[band * CostCurves.candidateCount + candidate]
            guard cell.bits < .infinity else { continue }
            let state = first + candidate
            var reach = emptyBefore + prices.bit
            if band > 0 {
                let far = costs[before + cheapest] + transitionCosts.span[Self.transitionCenter - state + cheapest]
                reach = min(reach, far, Self.bestArrival(at: state, costs.span, before: before, transitionCosts.span))
            }
            let cost = reach + weight * cell.distortion + prices.bit * cell.bits
            costs[row + state] = min(costs[row + state], cost)
        }
    }

    /// The state of a row that costs least.
    private static func cheapestState(_ costs: Span<Float>, row: Int) -> Int {
        var best = SIMD4<Float>(repeating: .infinity)
        for state in stride(from: 0, to: span, by: 4) { best = best.minimum(costs.vector(at: row + state)) }
        let least = min(min(best[0], best[1]), min(best[2], best[3]))
        var state = 0
        while state < span - 1 && costs[row + state] > least { state += 1 }
        return state
    }

    /// The lowest cost of a state before, with the transition to `state`.
    @inline(__always)
    private static func bestArrival(at state: Int, _ costs: Span<Float>, before: Int, _ transitionCosts: Span<Float>) -> Float {
        let shift = transitionCenter - state
        var best = SIMD4<Float>(repeating: .infinity)
        let nearest = max(0, state - reach) & ~3
        for other in stride(from: nearest, to: min(span, state + reach), by: 4) {
            best = best.minimum(costs.vector(at: before + other) + transitionCosts.vector(at: shift + other))
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
        for other in 0..<Self.span where costs.span[last + other] < best {
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
        var origin = -1
        var best = (band == 0 ? 0 : emptyCosts.span[band - 1]) + bitPrice
        guard band > 0 else { return (origin, best) }
        let before = (band - 1) * Self.span
        let costs = costs.span
        let transitionCosts = transitionCosts.span
        let cheapest = Self.cheapestState(costs, row: before)
        let far = costs[before + cheapest] + transitionCosts[Self.transitionCenter - state + cheapest]
        if far < best { (origin, best) = (cheapest, far) }
        for other in max(0, state - Self.reach) & ~3..<min(Self.span, (state + Self.reach + 3) & ~3) {
            let cost = costs[before + other] + transitionCosts[Self.transitionCenter - state + other]
            if cost < best {
                best = cost
                origin = other
            }
        }
        return (origin, best)
    }
}
