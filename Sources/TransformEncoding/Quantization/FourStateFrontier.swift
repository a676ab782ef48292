// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// A ``ViterbiFrontier`` for four candidates per band, whose costs fit into one vector.
///
/// It does not discard single states of a band, because that would take longer than trying them.
struct FourStateFrontier: ~Copyable {
    private struct Segment {
        var costs = SIMD4<Float>(repeating: .infinity)

        var firstScaleFactor = 0

        /// The index of candidate 0 among the states of all bands, in each lane.
        var firstState = SIMD4<Int32>(repeating: 0)

        /// The minimum cost of the candidates, in bits.
        var lowestCost = Float.infinity
    }

    /// Only the first ``count`` are valid.
    private var segments = FixedArray<Segment>(repeating: Segment(), count: ViterbiFrontier.capacity)

    private var count = 0

    /// ``ScaleFactorTransitions/gains``, stored because accessing a global includes a check each time.
    private let gains = ScaleFactorTransitions.gains

    /// Whether every state can follow every other, so that expensive states can be discarded.
    private var canTrim = false

    private var lowestCost: Float = 0

    /// Resets the frontier for the first band.
    ///
    /// - Parameter canTrim: Whether every state can follow every other.
    mutating func start(canTrim: Bool) {
        self.canTrim = canTrim
        count = 0
        lowestCost = 0
    }

    /// Finds the cheapest path from the frontier to each of four adjacent candidates.
    ///
    /// - Parameters:
    ///   - scaleFactor: The scale factor of the first candidate.
    ///   - transitions: The bits of scale factor differences, from ``ScaleFactorTransitions/table()``.
    ///   - stride: The difference of adjacent candidates, 1 or 2.
    /// - Returns: The costs, and the predecessors: states, or ``ViterbiFrontier/noPredecessor``.
    @inline(__always)
    mutating func relax(
        _ scaleFactor: Int, _ transitions: Span<Float>, stride: Int
    ) -> (costs: SIMD4<Float>, predecessors: SIMD4<Int32>) {
        var lowest = SIMD4<Float>(repeating: ViterbiFrontier.startCost)
        var predecessors = SIMD4<Int32>(repeating: Int32(ViterbiFrontier.noPredecessor))
        // Start at the last segment: of two paths with the same cost, the path from the later band wins.
        var index = count &- 1
        let segments = segments.span(first: ViterbiFrontier.capacity)
        while index >= 0 {
            let segment = segments[index]
            let row = ScaleFactorTransitions.index(from: segment.firstScaleFactor, to: scaleFactor, stride: stride)
            let bits = transitions.extracting(row &- 3..<row &+ 4)
            for candidate in 0..<4 {
                let cost = SIMD4(repeating: segment.costs[candidate]) + bits.vector(at: 3 &- candidate)
                let state = segment.firstState &+ SIMD4(repeating: Int32(truncatingIfNeeded: candidate))
                predecessors.replace(with: state, where: cost .< lowest)
                lowest = lowest.minimum(cost)
            }
            index &-= 1
        }
        return (lowest, predecessors)
    }

    /// Adds the states of a band and discards bands that cannot be on the cheapest path.
    ///
    /// - Parameters:
    ///   - scaleFactor: The scale factor of the first candidate.
    ///   - lowest: The minimum of `costs`.
    ///   - reaching: The scale factors that all later states can follow.
    ///   - stride: The difference of adjacent candidates.
    mutating func add(_ band: Int, scaleFactor: Int, costs: SIMD4<Float>, lowest: Float, reaching: Range<Int>, stride: Int) {
        // With a cost of 0 or more, zeroing all bands so far is at least as good.
        guard lowest < 0 else { return }
        lowestCost = min(lowestCost, lowest)
        let limit = canTrim ? min(0, lowestCost + ScaleFactorTransitions.maximumGain) : 0
        if count > 0 {
            let rival = Self.rival(costs, scaleFactor: scaleFactor, reaching: reaching, stride: stride)
            removeSegments(from: limit, rival, stride: stride)
        }
        guard lowest < limit else { return }
        if count == ViterbiFrontier.capacity { removeMostExpensive() }
        self.segments[count] = Segment(
            costs: costs, firstScaleFactor: scaleFactor,
            firstState: SIMD4(repeating: Int32(truncatingIfNeeded: band &* CostCurves.candidateCount)), lowestCost: lowest)
        count &+= 1
    }

    /// Removes segments that cost at least `limit` or have a better rival.
    @inline(__always)
    private mutating func removeSegments(from limit: Float, _ rival: ViterbiFrontier.Rival, stride: Int) {
        let allGains = gains
        let gains = allGains.span.extracting(0..<ScaleFactorTransitions.gainCount)
        var segments = segments.mutableSpan(first: ViterbiFrontier.capacity)
        var kept = 0
        for index in 0..<count where segments[index].lowestCost < limit {
            // The first or the last candidate has the largest gain.
            let first = segments[index].firstScaleFactor
            let last = first &+ 3 &* stride
            let gain = gains[ScaleFactorTransitions.gainIndex(from: rival.scaleFactor, to: first)]
                .maximum(gains[ScaleFactorTransitions.gainIndex(from: rival.scaleFactor, to: last)])
            if segments[index].lowestCost > rival.limit + gain { continue }
            if kept < index { segments[kept] = segments[index] }
            kept &+= 1
        }
        count = kept
    }

    /// Returns the cheapest of four states that all later states can follow, or an infinite cost.
    @inline(__always)
    private static func rival(_ costs: SIMD4<Float>, scaleFactor: Int, reaching: Range<Int>, stride: Int) -> ViterbiFrontier.Rival {
        var rival = ViterbiFrontier.Rival(cost: .infinity, scaleFactor: scaleFactor)
        for candidate in 0..<4 {
            let state = scaleFactor &+ candidate &* stride
            if costs[candidate] < rival.cost && reaching.contains(state) {
                rival = ViterbiFrontier.Rival(cost: costs[candidate], scaleFactor: state)
            }
        }
        return rival
    }

    @inline(never)
    private mutating func removeMostExpensive() {
        var highest = 0
        for index in 1..<count where segments[index].lowestCost > segments[highest].lowestCost { highest = index }
        count -= 1
        segments[highest] = segments[count]
    }
}
