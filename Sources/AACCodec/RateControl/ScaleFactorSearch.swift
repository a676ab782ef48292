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
    private(set) var scaleFactors = [120 of Int16](repeating: 0)

    /// The lowest cost of all bands up to and with band b, by the state behind it.
    private var costs = [11520 of Float](repeating: .infinity)

    /// The cost of leaving out all bands up to and with band b.
    private var emptyCosts = [120 of Float](repeating: 0)

    /// Rate times the bits of scale factor differences from 60 down to -60, with infinity around.
    private var transitionCosts = [320 of Float](repeating: .infinity)

    /// Finds the scale factors for a price of one bit.
    ///
    /// - Parameters:
    ///   - weights: What a unit of squared error costs in each band.
    ///   - zeroPenalties: What leaving a band out costs more than its energy.
    ///   - bitPrice: λ, in the unit of weighted distortion.
    mutating func search(
        _ curves: borrowing CostCurves, energies: Span<Float>, weights: Span<Float>, zeroPenalties: Span<Float>, bitPrice: Float,
        layout: borrowing BandLayout
    ) {
        var lowest = Int.max
        for band in 0..<layout.count { lowest = min(lowest, Int(curves.firstScaleFactors[band])) }
        setTransitions(bitPrice: bitPrice)
        for band in 0..<layout.count {
            extend(
                to: band, curves, lowest: lowest, weight: weights[band], zeroCost: energies[band] * weights[band] * zeroPenalties[band],
                bitPrice: bitPrice)
        }
        trace(curves, lowest: lowest, weights: weights, bitPrice: bitPrice, bandCount: layout.count)
    }

    private static let transitionCenter = 160

    private mutating func setTransitions(bitPrice: Float) {
        for difference in -60...60 {
            transitionCosts[Self.transitionCenter - difference] =
                bitPrice * Float(ScaleFactorCodebook.lengths[difference + ScaleFactorCodebook.indexOffset])
        }
    }

    private mutating func extend(
        to band: Int, _ curves: borrowing CostCurves, lowest: Int, weight: Float, zeroCost: Float, bitPrice: Float
    ) {
        let row = band * Self.span
        let before = row - Self.span
        let emptyBefore = band == 0 ? 0 : emptyCosts[band - 1]
        emptyCosts[band] = emptyBefore + zeroCost
        for state in 0..<Self.span { costs[row + state] = band == 0 ? .infinity : costs[before + state] + zeroCost }
        let first = Int(curves.firstScaleFactors[band]) - lowest
        for candidate in 0..<CostCurves.candidateCount where first + candidate < Self.span {
            let cell = band * CostCurves.candidateCount + candidate
            let bits = curves.bits[cell]
            guard bits < .infinity else { continue }
            let state = first + candidate
            var reach = emptyBefore + bitPrice
            if band > 0 { reach = min(reach, bestArrival(at: state, before: before)) }
            let cost = reach + weight * curves.distortions[cell] + bitPrice * bits
            costs[row + state] = min(costs[row + state], cost)
        }
    }

    /// The lowest cost of a state before, with the transition to `state`.
    @inline(__always)
    private func bestArrival(at state: Int, before: Int) -> Float {
        let shift = Self.transitionCenter - state
        var best = SIMD4<Float>(repeating: .infinity)
        for other in stride(from: 0, to: Self.span, by: 4) {
            best = best.minimum(costs.span.vector(at: before + other) + transitionCosts.span.vector(at: shift + other))
        }
        return min(min(best[0], best[1]), min(best[2], best[3]))
    }

    /// Goes back from the cheapest end, finding again which choice made each cost.
    private mutating func trace(
        _ curves: borrowing CostCurves, lowest: Int, weights: Span<Float>, bitPrice: Float, bandCount: Int
    ) {
        guard bandCount > 0 else { return }
        var state = -1
        var best = emptyCosts[bandCount - 1]
        for other in 0..<Self.span where costs[(bandCount - 1) * Self.span + other] < best {
            best = costs[(bandCount - 1) * Self.span + other]
            state = other
        }
        for band in stride(from: bandCount - 1, through: 0, by: -1) {
            scaleFactors[band] = Self.notCoded
            guard state >= 0 else { continue }
            let candidate = state + lowest - Int(curves.firstScaleFactors[band])
            guard candidate >= 0, candidate < CostCurves.candidateCount else { continue }
            let cell = band * CostCurves.candidateCount + candidate
            let (origin, reach) = bestOrigin(of: state, band: band, bitPrice: bitPrice)
            let cost = reach + weights[band] * curves.distortions[cell] + bitPrice * curves.bits[cell]
            guard cost <= costs[band * Self.span + state] else { continue }
            scaleFactors[band] = Int16(state + lowest)
            state = origin
        }
    }

    /// Where the cheapest arrival at a state comes from, -1 for no band coded before, and its cost.
    private func bestOrigin(of state: Int, band: Int, bitPrice: Float) -> (origin: Int, cost: Float) {
        var origin = -1
        var best = (band == 0 ? 0 : emptyCosts[band - 1]) + bitPrice
        guard band > 0 else { return (origin, best) }
        let before = (band - 1) * Self.span
        for other in 0..<Self.span {
            let cost = costs[before + other] + transitionCosts[Self.transitionCenter - state + other]
            if cost < best {
                best = cost
                origin = other
            }
        }
        return (origin, best)
    }
}
