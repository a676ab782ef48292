// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The states of a Viterbi search over bands from which the next band can be reached at the lowest cost.
///
/// A state is a candidate scale factor of a band that is coded. Any number of bands between two states can be left out, so states of several
/// bands can be in the frontier at once. Costs are relative to leaving out all bands so far.
struct ViterbiFrontier: ~Copyable {
    /// A range of neighbouring candidates of one band.
    struct Segment {
        /// The band.
        var band = 0

        /// The scale factor of candidate 0.
        var firstScaleFactor = 0

        /// The first candidate that is in the frontier.
        var start = 0

        /// The end of the candidates that are in the frontier.
        var end = 0

        /// The lowest cost among the candidates, in bits.
        var lowestCost = Float.infinity

        /// The index of candidate 0 among the states of all bands.
        var firstState: Int { band &* CostCurves.candidateCount }
    }

    /// The part of a segment from which the predecessors of states are found again.
    struct Record: BitwiseCopyable {
        /// The band.
        var band: UInt8 = 0
        /// The first candidate.
        var start: UInt8 = 0
        /// The end of the candidates.
        var end: UInt8 = 0
    }

    /// The most segments kept; there are seldom more than three.
    static let capacity = 8

    /// The segments, of which the first ``count`` are valid.
    private var segments = FixedArray<Segment>(repeating: Segment(), count: Self.capacity)

    /// The number of segments.
    private(set) var count = 0

    /// Whether every state can follow every other, so that states with much higher costs can be discarded.
    private var canTrim = false

    /// The lowest cost of all states so far.
    private var lowestCost: Float = 0

    /// The cost of the first coded band's scale factor, in bits: it repeats the global gain.
    static let startCost: Float = 1

    /// The predecessor of a state that is the first coded one.
    static let noPredecessor: Int16 = -1

    /// Returns to the frontier before the first band.
    ///
    /// - Parameter canTrim: Whether every state can follow every other.
    mutating func start(canTrim: Bool) {
        self.canTrim = canTrim
        count = 0
        lowestCost = 0
    }

    /// The costs of 16 neighbouring candidates, without that of their own band.
    struct Arrivals {
        /// The costs in fours.
        let a, b, c, d: SIMD4<Float>

        /// The costs of four candidates.
        subscript(four: Int) -> SIMD4<Float> {
            switch four {
            case 0: a
            case 1: b
            case 2: c
            default: d
            }
        }
    }

    /// Finds the lowest cost of a way from the frontier to each of up to 16 neighbouring candidates.
    ///
    /// - Parameters:
    ///   - scaleFactor: The scale factor of the first candidate.
    ///   - costs: The costs of all states.
    ///   - transitions: The bits of scale factor differences, from ``ScaleFactorTransitions/table()``.
    ///   - stride: The difference of neighbouring candidates, 1 or 2.
    ///   - vectorCount: The number of vectors of four candidates, at least 2; a literal, so that they are in registers.
    /// - Returns: The cost of each candidate without that of its own band.
    @inline(__always)
    func relax(
        _ scaleFactor: Int, _ costs: Span<Float>, _ transitions: Span<Float>, stride: Int, vectorCount: Int
    ) -> Arrivals {
        let segments = segments.span(first: Self.capacity)
        let start = SIMD4<Float>(repeating: Self.startCost)
        var (a, b, c, d) = (start, start, start, start)
        for index in 0..<count {
            let segment = segments[index]
            let row = ScaleFactorTransitions.index(from: segment.firstScaleFactor, to: scaleFactor, stride: stride)
            let states = costs.extracting(segment.firstState..<segment.firstState &+ CostCurves.candidateCount)
            let bits = transitions.extracting(row &- CostCurves.candidateCount..<row &+ CostCurves.candidateCount)
            // All of what is read below lies within these.
            precondition(segment.start >= 0 && segment.end <= CostCurves.candidateCount)
            var candidate = segment.start
            while candidate < segment.end {
                let cost = SIMD4(repeating: states[candidate])
                let first = CostCurves.candidateCount &- candidate
                a = a.minimum(cost + bits.vector(at: first))
                b = b.minimum(cost + bits.vector(at: first &+ 4))
                if vectorCount > 2 { c = c.minimum(cost + bits.vector(at: first &+ 8)) }
                if vectorCount > 3 { d = d.minimum(cost + bits.vector(at: first &+ 12)) }
                candidate &+= 1
            }
        }
        return Arrivals(a: a, b: b, c: c, d: d)
    }

    /// Stores the segments in ``capacity`` records.
    func record(into records: inout MutableSpan<Record>) -> Int {
        let segments = segments.span(first: Self.capacity)
        for index in 0..<count {
            let segment = segments[index]
            records[index] = Record(
                band: UInt8(truncatingIfNeeded: segment.band), start: UInt8(truncatingIfNeeded: segment.start),
                end: UInt8(truncatingIfNeeded: segment.end))
        }
        return count
    }

    /// Adds the states of a band, and discards states that can't be on the cheapest path.
    ///
    /// - Parameters:
    ///   - segment: All candidates of the band.
    ///   - costs: The costs of all states.
    mutating func add(_ segment: Segment, _ costs: Span<Float>) {
        // Costs of 0 and above are no better than leaving out all bands so far.
        guard segment.lowestCost < 0 else { return }
        lowestCost = min(lowestCost, segment.lowestCost)
        let limit = canTrim ? min(0, lowestCost + ScaleFactorTransitions.largestGain) : 0
        removeSegments(from: limit)
        guard segment.lowestCost < limit else { return }
        var (start, end) = (segment.start, segment.end)
        let costs = costs.extracting(segment.firstState..<segment.firstState &+ CostCurves.candidateCount)
        while costs[start] >= limit { start &+= 1 }
        while costs[end &- 1] >= limit { end &-= 1 }
        if count == Self.capacity { removeMostExpensive() }
        var kept = segment
        (kept.start, kept.end) = (start, end)
        segments[count] = kept
        count += 1
    }

    /// Removes the segments whose lowest cost is at or above a limit.
    private mutating func removeSegments(from limit: Float) {
        var segments = segments.mutableSpan(first: Self.capacity)
        var kept = 0
        for index in 0..<count where segments[index].lowestCost < limit {
            segments[kept] = segments[index]
            kept &+= 1
        }
        count = kept
    }

    /// Removes the segment with the highest cost.
    private mutating func removeMostExpensive() {
        var highest = 0
        for index in 1..<count where segments[index].lowestCost > segments[highest].lowestCost { highest = index }
        count -= 1
        segments[highest] = segments[count]
    }
}
