// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The same as ``ViterbiFrontier`` for four candidates a band, whose costs are one vector.
///
/// States of a band are not discarded singly, which would take longer than to try them.
struct FourStateFrontier: ~Copyable {
    /// The four candidates of one band.
    private struct Segment {
        /// The costs of the candidates.
        var costs = SIMD4<Float>(repeating: .infinity)

        /// The scale factor of candidate 0.
        var firstScaleFactor = 0

        /// The index of candidate 0 among the states of all bands, in each lane.
        var firstState = SIMD4<Int32>(repeating: 0)

        /// The lowest cost among the candidates, in bits.
        var lowestCost = Float.infinity
    }

    /// The segments, of which the first ``count`` are valid.
    private var segments = FixedArray<Segment>(repeating: Segment(), count: ViterbiFrontier.capacity)

    /// The number of segments.
    private var count = 0

    /// Whether every state can follow every other, so that states with much higher costs can be discarded.
    private var canTrim = false

    /// The lowest cost of all states so far.
    private var lowestCost: Float = 0

    /// Returns to the frontier before the first band.
    ///
    /// - Parameter canTrim: Whether every state can follow every other.
    mutating func start(canTrim: Bool) {
        self.canTrim = canTrim
        count = 0
        lowestCost = 0
    }

    /// Finds the lowest cost of a way from the frontier to each of four neighbouring candidates, and the predecessor of each: a state, or
    /// ``ViterbiFrontier/noPredecessor``.
    ///
    /// - Parameters:
    ///   - scaleFactor: The scale factor of the first candidate.
    ///   - transitions: The bits of scale factor differences, from ``ScaleFactorTransitions/table()``.
    ///   - stride: The difference of neighbouring candidates, 1 or 2.
    @inline(__always)
    mutating func relax(
        _ scaleFactor: Int, _ transitions: Span<Float>, stride: Int
    ) -> (costs: SIMD4<Float>, predecessors: SIMD4<Int32>) {
        var lowest = SIMD4<Float>(repeating: ViterbiFrontier.startCost)
        var predecessors = SIMD4<Int32>(repeating: Int32(ViterbiFrontier.noPredecessor))
        // From the latest segment: of two ways at the same cost, the one from the later band is taken.
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

    /// Adds the states of a band, and discards bands that can't be on the cheapest path.
    ///
    /// - Parameters:
    ///   - band: The band.
    ///   - scaleFactor: The scale factor of the first candidate.
    ///   - costs: The costs of the candidates.
    ///   - lowest: The lowest of them.
    mutating func add(_ band: Int, scaleFactor: Int, costs: SIMD4<Float>, lowest: Float) {
        // Costs of 0 and above are no better than leaving out all bands so far.
        guard lowest < 0 else { return }
        lowestCost = min(lowestCost, lowest)
        let limit = canTrim ? min(0, lowestCost + ScaleFactorTransitions.largestGain) : 0
        var kept = 0
        var segments = segments.mutableSpan(first: ViterbiFrontier.capacity)
        for index in 0..<count where segments[index].lowestCost < limit {
            if kept < index { segments[kept] = segments[index] }
            kept &+= 1
        }
        count = kept
        guard lowest < limit else { return }
        if count == ViterbiFrontier.capacity { removeMostExpensive() }
        self.segments[count] = Segment(
            costs: costs, firstScaleFactor: scaleFactor,
            firstState: SIMD4(repeating: Int32(truncatingIfNeeded: band &* CostCurves.candidateCount)), lowestCost: lowest)
        count &+= 1
    }

    /// Removes the segment with the highest cost.
    @inline(never)
    private mutating func removeMostExpensive() {
        var highest = 0
        for index in 1..<count where segments[index].lowestCost > segments[highest].lowestCost { highest = index }
        count -= 1
        segments[highest] = segments[count]
    }
}
