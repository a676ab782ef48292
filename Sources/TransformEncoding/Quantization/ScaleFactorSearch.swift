// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Finds the scale factors of a frame with the minimum cost: distortion, line bits and scale factor difference bits.
///
/// It is a Viterbi search over the bands. The states of a band are its candidate scale factors (``CostCurves``). A band can also be
/// zeroed, which costs its energy as distortion but no bits.
package struct ScaleFactorSearch: ~Copyable {
    /// The scale factor of a zeroed band.
    package static let notCoded: Int16 = -1

    private static let stateCount = BandLayout.maximumCount * CostCurves.candidateCount

    private static let recordCount = BandLayout.maximumCount * ViterbiFrontier.capacity

    /// The scale factor of each band, or ``notCoded``.
    package var scaleFactors = FixedArray<Int16>(repeating: 0, count: BandLayout.maximumCount)

    /// The minimum cost of a path to each state, in bits, relative to zeroing all bands so far.
    ///
    /// ``CostCurves/candidateCount`` states per band.
    private var costs = FixedArray<Float>(repeating: .infinity, count: Self.stateCount)

    /// With four candidates per band: the state of the previous coded band on the cheapest path to each state, or
    /// ``ViterbiFrontier/noPredecessor``.
    private var predecessors = FixedArray<Int16>(
        repeating: ViterbiFrontier.noPredecessor, count: Self.stateCount)

    /// With twelve candidates: the frontier before each band, ``ViterbiFrontier/capacity`` records per band.
    private var records = FixedArray<ViterbiFrontier.Record>(
        repeating: ViterbiFrontier.Record(), count: Self.recordCount)

    private var recordCounts = FixedArray<UInt8>(repeating: 0, count: BandLayout.maximumCount)

    /// The predecessor states of the next band, with four candidates per band.
    private var fourStateFrontier = FourStateFrontier()

    /// The predecessor states of the next band, with twelve candidates.
    private var frontier = ViterbiFrontier()

    /// The range of candidates after each band, with an exclusive end; unused if every candidate can follow every other.
    private var laterScaleFactors = FixedArray<SIMD2<Int16>>(repeating: SIMD2(0, 0), count: BandLayout.maximumCount)

    private let transitions = ScaleFactorTransitions.table()

    package init() {}

    /// Finds the scale factors.
    ///
    /// - Parameters:
    ///   - curves: Distortion and bits of the candidates, ``CostCurves/candidateCount`` per band.
    ///   - weights: The cost per unit of squared error in each band, in bits.
    ///   - effort: The number and spacing of candidates.
    package mutating func search(
        _ curves: (distortions: Span<Float>, bits: Span<Float>), firstScaleFactors: Span<Int16>, bands: Span<SpectralLines.Band>,
        weights: Span<Float>,
        effort: SearchEffort, bandCount: Int
    ) {
        let firstScaleFactors = firstScaleFactors.extracting(0..<bandCount)
        let weights = weights.extracting(0..<bandCount)
        let bands = bands.extracting(0..<bandCount)
        let curves = (
            distortions: curves.distortions.extracting(0..<Self.stateCount), bits: curves.bits.extracting(0..<Self.stateCount)
        )
        let last =
            effort.candidateCount == 4
            ? runFour(curves, firstScaleFactors, bands, weights, effort)
            : runTwelve(curves, firstScaleFactors, bands, weights, effort)
        if let last { trace(from: last, firstScaleFactors, effort) }
    }

    /// Computes the costs of all states, with four candidates per band.
    ///
    /// - Returns: The last coded band on the cheapest path; `nil` if no band is coded.
    private mutating func runFour(
        _ curves: (distortions: Span<Float>, bits: Span<Float>), _ firstScaleFactors: Span<Int16>, _ bands: Span<SpectralLines.Band>,
        _ weights: Span<Float>, _ effort: SearchEffort
    ) -> Int? {
        let canTrim = prepareTrimming(firstScaleFactors, bands, effort)
        fourStateFrontier.start(canTrim: canTrim)
        var end: (band: Int, cost: Float) = (-1, 0)
        var costs = costs.mutableSpan(first: Self.stateCount)
        var predecessors = predecessors.mutableSpan(first: Self.stateCount)
        let transitions = transitions.span(first: ScaleFactorTransitions.tableLength)
        for band in 0..<firstScaleFactors.count {
            scaleFactors[band] = Self.notCoded
            let first = Int(firstScaleFactors[band])
            let arrivals = fourStateFrontier.relax(first, transitions, stride: effort.candidateStride)
            let weight = weights[band]
            let zeroCost = SIMD4<Float>(repeating: min(bands[band].zeroCost(weight: weight), Self.maximumZeroCost))
            let state = band &* CostCurves.candidateCount
            let coded = curves.distortions.vector(at: state) * weight
            let cost = arrivals.costs + coded + curves.bits.vector(at: state) - zeroCost
            costs.store(cost, at: state)
            predecessors.store(arrivals.predecessors.saturated, at: state)
            let lowest = cost.least
            if lowest < end.cost { end = (band, lowest) }
            let reached = Self.reaching(laterScaleFactors[band], canTrim: canTrim)
            fourStateFrontier.add(
                band, scaleFactor: first, costs: cost, lowest: lowest, reaching: reached,
                stride: effort.candidateStride)
        }
        return end.band >= 0 ? end.band : nil
    }

    /// Computes the costs of all states, with twelve adjacent candidates per band.
    ///
    /// - Returns: The last coded band on the cheapest path; `nil` if no band is coded.
    private mutating func runTwelve(
        _ curves: (distortions: Span<Float>, bits: Span<Float>), _ firstScaleFactors: Span<Int16>, _ bands: Span<SpectralLines.Band>,
        _ weights: Span<Float>, _ effort: SearchEffort
    ) -> Int? {
        let canTrim = prepareTrimming(firstScaleFactors, bands, effort)
        frontier.start(canTrim: canTrim)
        var end = ViterbiFrontier.Segment(lowestCost: 0)
        var costs = costs.mutableSpan(first: Self.stateCount)
        var records = records.mutableSpan(first: Self.recordCount)
        let transitions = transitions.span(first: ScaleFactorTransitions.tableLength)
        for band in 0..<firstScaleFactors.count {
            scaleFactors[band] = Self.notCoded
            var segment = ViterbiFrontier.Segment(
                band: band, firstScaleFactor: Int(firstScaleFactors[band]), end: CostCurves.candidateCount)
            let weight = weights[band]
            let zeroCost = SIMD4<Float>(repeating: min(bands[band].zeroCost(weight: weight), Self.maximumZeroCost))
            var recorded = records._mutatingExtracting(
                band &* ViterbiFrontier.capacity..<(band &+ 1) &* ViterbiFrontier.capacity)
            recordCounts[band] = UInt8(truncatingIfNeeded: frontier.record(into: &recorded))
            let arrivals = frontier.relax(segment.firstScaleFactor, costs.span, transitions)
            var lowest = SIMD4<Float>(repeating: .infinity)
            var candidate = 0
            while candidate < CostCurves.candidateCount {
                let state = segment.firstState &+ candidate
                let coded = curves.distortions.vector(at: state) * weight
                let cost = arrivals[candidate >> 2] + coded + curves.bits.vector(at: state) - zeroCost
                costs.store(cost, at: state)
                lowest = lowest.minimum(cost)
                candidate &+= 4
            }
            segment.lowestCost = lowest.least
            if segment.lowestCost < end.lowestCost { end = segment }
            let reached = Self.reaching(laterScaleFactors[band], canTrim: canTrim)
            frontier.add(segment, costs.span, reaching: reached)
        }
        return end.lowestCost < 0 ? end.band : nil
    }

    /// The maximum cost of zeroing a band, in bits: three times the bits of any band.
    ///
    /// The costs of states are relative to zeroing all bands so far. Without a limit, a pure low tone coded finely reached 5e9. In single
    /// precision, a band with a zeroing cost below 256 then had no effect and was zeroed.
    ///
    /// Measured in Search.md#costs-in-single-precision.
    private static let maximumZeroCost: Float = 16_384

    /// Returns whether every candidate can follow every other; otherwise sets ``laterScaleFactors``.
    private mutating func prepareTrimming(_ firstScaleFactors: Span<Int16>, _ bands: Span<SpectralLines.Band>, _ effort: SearchEffort)
        -> Bool
    {
        let span = effort.candidateSpan
        if Self.spread(of: firstScaleFactors) + span <= ScaleFactorCodebook.maximumDifference { return true }
        setLaterScaleFactors(firstScaleFactors, bands, span: span)
        return false
    }

    /// Sets ``laterScaleFactors``, without bands of zeros, whose candidates are never states.
    private mutating func setLaterScaleFactors(_ firstScaleFactors: Span<Int16>, _ bands: Span<SpectralLines.Band>, span: Int) {
        var (lowest, highest) = (Int16.max, Int16.min)
        for band in firstScaleFactors.indices.reversed() {
            laterScaleFactors[band] = SIMD2(lowest, highest)
            guard bands[band].energy > 0 else { continue }
            lowest = min(lowest, firstScaleFactors[band])
            highest = max(highest, firstScaleFactors[band] + Int16(span))
        }
    }

    /// Returns the scale factors that all later candidates can follow.
    ///
    /// - Parameters:
    ///   - later: An element of ``laterScaleFactors``.
    ///   - canTrim: Whether every candidate can follow every other.
    @inline(__always)
    private static func reaching(_ later: SIMD2<Int16>, canTrim: Bool) -> Range<Int> {
        if canTrim { return 0..<256 }
        let farthest = ScaleFactorCodebook.maximumDifference
        let first = Int(later[1]) &- farthest
        return first..<max(first, Int(later[0]) &+ farthest &+ 1)
    }

    /// Returns the distance between the lowest and the highest first candidate.
    private static func spread(of firstScaleFactors: Span<Int16>) -> Int {
        var lowest = Int16.max
        var highest: Int16 = 0
        for band in firstScaleFactors.indices {
            lowest = min(lowest, firstScaleFactors[band])
            highest = max(highest, firstScaleFactors[band])
        }
        return Int(highest) - Int(lowest)
    }

    /// Sets the scale factors on the cheapest path, from its last band to its first.
    private mutating func trace(from last: Int, _ firstScaleFactors: Span<Int16>, _ effort: SearchEffort) {
        let stride = effort.candidateStride
        var state = last * CostCurves.candidateCount
        for other in state + 1..<state + effort.candidateCount where costs[other] < costs[state] { state = other }
        while state >= 0 {
            let (band, candidate) = state.quotientAndRemainder(dividingBy: CostCurves.candidateCount)
            scaleFactors[band] = firstScaleFactors[band] + Int16(candidate * stride)
            state =
                effort.candidateCount <= 4
                ? Int(predecessors[state]) : predecessor(ofBand: band, candidate: candidate, firstScaleFactors)
        }
    }

    /// Returns the state of the previous coded band on the cheapest path to a state, or -1.
    ///
    /// Few states are on the path. Storing the predecessors of all would take a third of the search time with twelve candidates.
    private func predecessor(ofBand band: Int, candidate: Int, _ firstScaleFactors: Span<Int16>) -> Int {
        let states = CostCurves.candidateCount
        let costs = costs.span(first: Self.stateCount)
        let transitions = transitions.span(first: ScaleFactorTransitions.tableLength)
        let count = Int(recordCounts[band])
        let records = records.span(first: Self.recordCount).extracting(
            band &* ViterbiFrontier.capacity..<band &* ViterbiFrontier.capacity &+ count)
        let scaleFactor = Int(firstScaleFactors[band])
        var lowest = ViterbiFrontier.startCost
        var best = -1
        // Start at the last band: of two paths with the same cost, the path from the later band wins.
        var index = count &- 1
        while index >= 0 {
            let record = records[index]
            let row = candidate &+ ScaleFactorTransitions.index(from: Int(firstScaleFactors[Int(record.band)]), to: scaleFactor, stride: 1)
            let costs = costs.extracting(Int(record.band) &* states..<Int(record.band) &* states &+ states)
            let bits = transitions.extracting(row &- states &+ 1..<row &+ 1)
            let (start, end) = (Int(record.start), Int(record.end))
            // All reads below are within these bounds.
            precondition(end <= states)
            var other = start
            while other < end {
                let cost = costs[other] + bits[states &- 1 &- other]
                if cost < lowest { (best, lowest) = (Int(record.band) &* states &+ other, cost) }
                other &+= 1
            }
            index &-= 1
        }
        return best
    }
}
