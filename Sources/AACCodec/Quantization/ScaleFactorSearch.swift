// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The scale factors of a channel that cost least: weighted distortion, spectral bits and scale factor bits together.
///
/// A Viterbi search over the bands. A state is the last band that was coded, with its scale factor; a band can also be left out, which
/// keeps the state. Costs are in bits, against coding nothing so far, so that leaving out a band changes none of them.
struct ScaleFactorSearch: ~Copyable {
    /// A band left out.
    static let notCoded: Int16 = -1

    /// The scale factor of each band, ``notCoded`` where all lines become zero.
    var scaleFactors = [120 of Int16](repeating: 0)

    /// The lowest cost up to and with each band, by its candidate: ``CostCurves/candidateCount`` a band.
    private var costs = [1920 of Float](repeating: .infinity)

    /// What of it lies before the band: the cheapest state to come from, and the bits of the difference.
    private var arrivals = [1920 of Float](repeating: 0)

    private var transitions = ScaleFactorTransitions.table()

    /// Finds the scale factors.
    ///
    /// - Parameters:
    ///   - curves: Distortion and bits of the candidates, ``CostCurves/candidateCount`` a band.
    ///   - firsts: The scale factor of the first candidate of each band.
    ///   - weights: What a unit of squared error costs in each band, in bits.
    ///   - effort: Which candidates each band has.
    mutating func search(
        _ curves: (distortions: Span<Float>, bits: Span<Float>), firsts: Span<Int16>, bands: Span<SpectralLines.Band>, weights: Span<Float>,
        effort: SearchEffort,
        bandCount: Int
    ) {
        let reach = ScaleFactorTransitions.largestDifference
        var front = SearchFront(canTrim: Self.spread(of: firsts, bandCount: bandCount) + effort.candidateSpan <= reach)
        var end: (cost: Float, band: Int) = (0, -1)
        var costs = costs.mutableSpan
        var arrivals = arrivals.mutableSpan
        for band in 0..<bandCount {
            scaleFactors[band] = Self.notCoded
            var run = SearchFront.Run(band: band, first: Int(firsts[band]), candidates: 0..<effort.candidateCount)
            front.arrive(at: run, costs.span, transitions.span, stride: effort.candidateStride, into: &arrivals)
            let zeroCost = weights[band] * bands[band].energy * ChannelCoder.zeroPenalty
            var lowest = SIMD4<Float>(repeating: .infinity)
            for place in stride(from: run.place, to: run.place + effort.candidateCount, by: 4) {
                let coded = curves.distortions.vector(at: place) * weights[band]
                let cost = arrivals.vector(at: place) + coded + curves.bits.vector(at: place) - SIMD4(repeating: zeroCost)
                costs.store(cost, at: place)
                lowest = lowest.minimum(cost)
            }
            run.lowest = lowest.least
            if run.lowest < end.cost { end = (run.lowest, band) }
            front.add(run, costs.span)
        }
        trace(from: end.band, cost: end.cost, firsts, effort: effort)
    }

    /// How far the first candidates lie apart.
    private static func spread(of firsts: Span<Int16>, bandCount: Int) -> Int {
        var lowest = Int16.max
        var highest: Int16 = 0
        for band in 0..<bandCount {
            lowest = min(lowest, firsts[band])
            highest = max(highest, firsts[band])
        }
        return Int(highest) - Int(lowest)
    }

    /// Goes back from the last band that is coded, finding again which state each arrival came from.
    private mutating func trace(from last: Int, cost: Float, _ firsts: Span<Int16>, effort: SearchEffort) {
        var wanted = cost
        var next: Int?
        for band in (0..<last + 1).reversed() {
            let first = Int(firsts[band])
            let row = next.map { ScaleFactorTransitions.place(from: first, to: $0, stride: effort.candidateStride) }
            let places = band * CostCurves.candidateCount..<band * CostCurves.candidateCount + effort.candidateCount
            let found = places.first { place in
                costs[place] + (row.map { transitions[$0 &- (place &- places.lowerBound)] } ?? 0) == wanted
            }
            guard let found else { continue }
            let scaleFactor = first + (found - places.lowerBound) * effort.candidateStride
            scaleFactors[band] = Int16(scaleFactor)
            wanted = arrivals[found]
            if wanted == SearchFront.startCost { return }
            next = scaleFactor
        }
    }

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
            let reach = ScaleFactorTransitions.largestDifference
            let limited = last.map { min(max(wanted, $0 - reach), $0 + reach) } ?? wanted
            if limited < wanted { codebooks[band] = BandCodebook.escape }
            scaleFactors[band] = Int16(limited)
            last = limited
        }
    }
}
