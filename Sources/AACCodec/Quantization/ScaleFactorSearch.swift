// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Finds the scale factors of a frame with the lowest cost: distortion, lines, and the differences of scale factors.
///
/// A Viterbi search over the bands. The states of a band are its candidate scale factors (``CostCurves``); a band can also be left out, which
/// costs its energy as distortion and no bits.
struct ScaleFactorSearch: ~Copyable {
    /// The scale factor of a band whose lines are all quantised to zero.
    static let notCoded: Int16 = -1

    /// The scale factor of each band, or ``notCoded``.
    var scaleFactors = [120 of Int16](repeating: 0)

    /// The lowest cost of the bands up to each state, in bits, relative to leaving them all out: ``CostCurves/candidateCount`` states a band.
    private var costs = [1920 of Float](repeating: .infinity)

    /// The state of the last coded band before each state on its cheapest path, or ``ViterbiFrontier/noPredecessor``.
    private var predecessors = [1920 of Int16](repeating: ViterbiFrontier.noPredecessor)

    /// The bits of scale factor differences.
    private var transitions = ScaleFactorTransitions.table()

    /// Finds the scale factors.
    ///
    /// - Parameters:
    ///   - curves: Distortion and bits of the candidates, ``CostCurves/candidateCount`` a band.
    ///   - firsts: The scale factor of the first candidate of each band.
    ///   - weights: The cost of a unit of squared error in each band, in bits.
    ///   - effort: The number of candidates, and their distance.
    mutating func search(
        _ curves: (distortions: Span<Float>, bits: Span<Float>), firsts: Span<Int16>, bands: Span<SpectralLines.Band>, weights: Span<Float>,
        effort: SearchEffort, bandCount: Int
    ) {
        let reach = ScaleFactorTransitions.largestDifference
        var frontier = ViterbiFrontier(canTrim: Self.spread(of: firsts, bandCount: bandCount) + effort.candidateSpan <= reach)
        var end: (cost: Float, segment: ViterbiFrontier.Segment) = (0, ViterbiFrontier.Segment())
        var costs = costs.mutableSpan
        var predecessors = predecessors.mutableSpan
        for band in 0..<bandCount {
            scaleFactors[band] = Self.notCoded
            var segment = ViterbiFrontier.Segment(
                band: band, firstScaleFactor: Int(firsts[band]), candidates: 0..<effort.candidateCount)
            let zeroCost = weights[band] * bands[band].energy * ChannelCoder.zeroPenalty
            var lowest = SIMD4<Float>(repeating: .infinity)
            for candidate in stride(from: 0, to: effort.candidateCount, by: 4) {
                let state = segment.firstState &+ candidate
                let arrival = frontier.relax(
                    segment.firstScaleFactor &+ candidate &* effort.candidateStride, costs.span, transitions.span,
                    stride: effort.candidateStride)
                let coded = curves.distortions.vector(at: state) * weights[band]
                let cost = arrival.costs + coded + curves.bits.vector(at: state) - SIMD4(repeating: zeroCost)
                costs.store(cost, at: state)
                predecessors.store(arrival.predecessors.saturated, at: state)
                lowest = lowest.minimum(cost)
            }
            segment.lowestCost = lowest.least
            if segment.lowestCost < end.cost { end = (segment.lowestCost, segment) }
            frontier.add(segment, costs.span)
        }
        if end.cost < 0 { trace(from: end.segment, firsts, stride: effort.candidateStride) }
    }

    /// Returns the distance between the lowest and the highest first candidate.
    private static func spread(of firsts: Span<Int16>, bandCount: Int) -> Int {
        var lowest = Int16.max
        var highest: Int16 = 0
        for band in 0..<bandCount {
            lowest = min(lowest, firsts[band])
            highest = max(highest, firsts[band])
        }
        return Int(highest) - Int(lowest)
    }

    /// Sets the scale factors on the cheapest path, from its last band back to its first.
    ///
    /// - Parameter last: The candidates of the last coded band.
    private mutating func trace(from last: ViterbiFrontier.Segment, _ firsts: Span<Int16>, stride: Int) {
        var state = last.firstState
        for other in last.firstState + 1..<last.firstState + last.candidates.count where costs[other] < costs[state] { state = other }
        while state >= 0 {
            let (band, candidate) = state.quotientAndRemainder(dividingBy: CostCurves.candidateCount)
            scaleFactors[band] = firsts[band] + Int16(candidate * stride)
            state = Int(predecessors[state])
        }
    }

    /// Limits the differences of scale factors to the largest that can be sent, after bands between them have lost their lines to codebook 0.
    ///
    /// - Parameter codebooks: The codebook of each band; a band whose step becomes finer than planned gets the escape codebook.
    mutating func limitDifferences(_ codebooks: inout MutableSpan<UInt8>, bandCount: Int) {
        var target = scaleFactors.mutableSpan
        Self.limitDifferences(&target, &codebooks, bandCount: bandCount)
    }

    /// Limits the differences of scale factors to the largest that can be sent.
    static func limitDifferences(_ scaleFactors: inout MutableSpan<Int16>, _ codebooks: inout MutableSpan<UInt8>, bandCount: Int) {
        var last: Int?
        for band in 0..<bandCount where scaleFactors[band] >= 0 && (1...BandCodebook.escape).contains(codebooks[band]) {
            let wanted = Int(scaleFactors[band])
            let reach = ScaleFactorTransitions.largestDifference
            let limited = last.map { min(max(wanted, $0 - reach), $0 + reach) } ?? wanted
            if limited < wanted { codebooks[band] = BandCodebook.escape }
            scaleFactors[band] = Int16(limited)
            last = limited
        }
    }
}
