// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The possible predecessor states of the next band in a Viterbi search over bands.
///
/// A state is a candidate scale factor of a coded band. Any number of bands between two states can be zeroed, so the frontier may
/// contain states of several bands. Costs are relative to zeroing all bands so far.
struct ViterbiFrontier: ~Copyable {
    /// A range of adjacent candidates of one band.
    struct Segment {
        var band = 0

        var firstScaleFactor = 0

        var start = 0

        /// The end of the candidates in the frontier.
        var end = 0

        /// The minimum cost of the candidates, in bits.
        var lowestCost = Float.infinity

        /// The index of candidate 0 among the states of all bands.
        var firstState: Int { band &* CostCurves.candidateCount }
    }

    /// The part of a segment that is needed to trace predecessors.
    struct Record: BitwiseCopyable {
        var band: UInt8 = 0
        var start: UInt8 = 0
        var end: UInt8 = 0
    }

    /// The maximum number of segments.
    ///
    /// There are seldom more than three.
    static let capacity = 8

    /// Only the first ``count`` are valid.
    private var segments = FixedArray<Segment>(repeating: Segment(), count: Self.capacity)

    private(set) var count = 0

    /// ``ScaleFactorTransitions/gains``, stored because accessing a global includes a check each time.
    private let gains = ScaleFactorTransitions.gains

    /// Whether every state can follow every other, so that expensive states can be discarded.
    private var canTrim = false

    /// The minimum cost of all states so far.
    private var lowestCost: Float = 0

    /// The cost of the first coded band's scale factor, in bits.
    ///
    /// It repeats the global gain.
    static let startCost: Float = 1

    /// The predecessor of the first coded state of a path.
    static let noPredecessor: Int16 = -1

    /// Resets the frontier for the first band.
    ///
    /// - Parameter canTrim: Whether every state can follow every other.
    mutating func start(canTrim: Bool) {
        self.canTrim = canTrim
        count = 0
        lowestCost = 0
    }

    /// The path costs to twelve adjacent candidates, without the candidates' own costs.
    struct Arrivals {
        let a, b, c: SIMD4<Float>

        subscript(four: Int) -> SIMD4<Float> {
            switch four {
            case 0: a
            case 1: b
            default: c
            }
        }
    }

    /// Finds the minimum path cost from the frontier to each of twelve adjacent candidates.
    ///
    /// - Parameters:
    ///   - scaleFactor: The scale factor of the first candidate.
    ///   - transitions: The bits of scale factor differences, from ``ScaleFactorTransitions/table()``.
    /// - Returns: The cost of each candidate without its own cost.
    @inline(__always)
    func relax(_ scaleFactor: Int, _ costs: Span<Float>, _ transitions: Span<Float>) -> Arrivals {
        let segments = segments.span(first: Self.capacity)
        let start = SIMD4<Float>(repeating: Self.startCost)
        var (a, b, c) = (start, start, start)
        for index in 0..<count {
            let segment = segments[index]
            let row = ScaleFactorTransitions.index(from: segment.firstScaleFactor, to: scaleFactor, stride: 1)
            let states = costs.extracting(segment.firstState..<segment.firstState &+ CostCurves.candidateCount)
            let bits = transitions.extracting(row &- CostCurves.candidateCount..<row &+ CostCurves.candidateCount)
            // All reads below are within these bounds.
            precondition(segment.start >= 0 && segment.end <= CostCurves.candidateCount)
            var candidate = segment.start
            while candidate < segment.end {
                let cost = unsafe SIMD4(repeating: states[unchecked: candidate])
                let first = CostCurves.candidateCount &- candidate
                a = unsafe a.minimum(cost + bits.vector(unchecked: first))
                b = unsafe b.minimum(cost + bits.vector(unchecked: first &+ 4))
                c = unsafe c.minimum(cost + bits.vector(unchecked: first &+ 8))
                candidate &+= 1
            }
        }
        return Arrivals(a: a, b: b, c: c)
    }

    /// Stores the segments in `records` and returns their count.
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

    /// A state that makes others superfluous.
    struct Rival {
        var cost: Float

        var scaleFactor: Int

        /// The cost from which states without a gain are superfluous.
        ///
        /// Half a bit exceeds all rounding errors of costs.
        @inline(__always) var limit: Float { cost + 0.5 }
    }

    /// Adds the states of a band and discards states that cannot be on the cheapest path.
    ///
    /// - Parameters:
    ///   - segment: All candidates of the band.
    ///   - reaching: The scale factors that all later states can follow.
    mutating func add(_ segment: Segment, _ costs: Span<Float>, reaching: Range<Int>) {
        // With a cost of 0 or more, zeroing all bands so far is at least as good.
        guard segment.lowestCost < 0 else { return }
        lowestCost = min(lowestCost, segment.lowestCost)
        let limit = canTrim ? min(0, lowestCost + ScaleFactorTransitions.maximumGain) : 0
        let rival = Self.rival(in: segment, costs, reaching: reaching)
        trimSegments(from: limit, rival, costs)
        guard segment.lowestCost < limit else { return }
        var kept = segment
        Self.trim(&kept, from: limit, rival, costs, gains.span.extracting(0..<ScaleFactorTransitions.gainCount))
        if count == Self.capacity { removeMostExpensive() }
        segments[count] = kept
        count += 1
    }

    /// Returns the cheapest state of a band that all later states can follow.
    @inline(__always)
    private static func rival(in segment: Segment, _ costs: Span<Float>, reaching: Range<Int>) -> Rival {
        let lowest = SIMD4(repeating: segment.lowestCost)
        var isHigher = 0
        for four in 0..<CostCurves.candidateCount / 4 {
            isHigher |= (lowest - costs.vector(at: segment.firstState &+ 4 &* four)).signBits &<< (4 &* four)
        }
        let scaleFactor = segment.firstScaleFactor &+ (~isHigher).trailingZeroBitCount
        if reaching.contains(scaleFactor) { return Rival(cost: segment.lowestCost, scaleFactor: scaleFactor) }
        return reachingRival(in: segment, costs, reaching: reaching)
    }

    /// Returns the cheapest state of a band that all later states can follow, or an infinite cost.
    @inline(never)
    private static func reachingRival(in segment: Segment, _ costs: Span<Float>, reaching: Range<Int>) -> Rival {
        var rival = Rival(cost: .infinity, scaleFactor: segment.firstScaleFactor)
        for candidate in 0..<segment.end {
            let (cost, scaleFactor) = (costs[segment.firstState + candidate], segment.firstScaleFactor + candidate)
            if cost < rival.cost && reaching.contains(scaleFactor) { rival = Rival(cost: cost, scaleFactor: scaleFactor) }
        }
        return rival
    }

    /// Removes states at the ends of a segment that cost at least `limit`, or that the rival makes superfluous.
    @inline(__always)
    private static func trim(_ segment: inout Segment, from limit: Float, _ rival: Rival, _ costs: Span<Float>, _ gains: Span<Float>) {
        let row = ScaleFactorTransitions.gainIndex(from: rival.scaleFactor, to: segment.firstScaleFactor)
        var useful = 0
        for four in 0..<CostCurves.candidateCount / 4 {
            let highest = (SIMD4(repeating: rival.limit) + gains.vector(at: row &+ 4 &* four)).minimum(SIMD4(repeating: limit))
            useful |= (costs.vector(at: segment.firstState &+ 4 &* four) - highest).signBits &<< (4 &* four)
        }
        useful &= 1 &<< segment.end &- 1 &<< segment.start
        segment.start = useful == 0 ? segment.end : useful.trailingZeroBitCount
        segment.end = useful == 0 ? segment.end : Int.bitWidth &- useful.leadingZeroBitCount
    }

    /// Trims all segments and removes those without states.
    @inline(__always)
    private mutating func trimSegments(from limit: Float, _ rival: Rival, _ costs: Span<Float>) {
        let allGains = gains
        let gains = allGains.span.extracting(0..<ScaleFactorTransitions.gainCount)
        var segments = segments.mutableSpan(first: Self.capacity)
        var kept = 0
        for index in 0..<count where segments[index].lowestCost < limit {
            var segment = segments[index]
            Self.trim(&segment, from: 0, rival, costs, gains)
            guard segment.start < segment.end else { continue }
            segments[kept] = segment
            kept &+= 1
        }
        count = kept
    }

    private mutating func removeMostExpensive() {
        var highest = 0
        for index in 1..<count where segments[index].lowestCost > segments[highest].lowestCost { highest = index }
        count -= 1
        segments[highest] = segments[count]
    }
}
