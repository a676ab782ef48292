// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
package import TransformEncoding

/// Measures ``/TransformEncoding/CostCurves`` with the spectral codebooks.
package struct CodebookCurves: ~Copyable {
    /// The maximum number of candidates per band whose counts are kept, unless values are lowered later.
    static let countedCandidates = 4

    /// Codeword lengths.
    ///
    /// Stored, because accessing a global includes a check each time.
    private let tables = SpectralBitTables.shared

    /// The steps of all scale factors, stored for the same reason.
    private let steps = Quantizer.steps

    /// The counts of all candidates, ``countedCandidates`` per band.
    ///
    /// If values are lowered later, only the latest four counts.
    private var counts = FixedArray<BandBitCount>(
        repeating: BandBitCount(), count: BandLayout.maximumCount * CodebookCurves.countedCandidates)

    package init() {}

    /// Quantizes each band with the scale factors around the expected one.
    ///
    /// - Parameters:
    ///   - peak: The maximum |x|^(3/4) of all bands.
    ///   - noiseScale: The ratio of noise energy to noise target.
    ///   - weights: The cost per unit of squared error in each band, in bits.
    ///   - isComplete: Whether to measure candidates that these weights make useless.
    package mutating func measure(
        _ quads: Span<LineQuad>, _ bands: Span<SpectralLines.Band>, peak: Float, noiseTargets: Span<Float>, noiseScale: Float,
        weights: Span<Float>, isComplete: Bool = false, effort: SearchEffort, layout: borrowing BandLayout, into curves: inout CostCurves
    ) {
        precondition(effort.candidateCount & 3 == 0)
        precondition(effort.lowersValues || effort.candidateCount <= Self.countedCandidates)
        curves.setFirsts(bands, peak: peak, noiseTargets: noiseTargets, noiseScale: noiseScale, effort: effort, bandCount: layout.count)
        // Literal strides, so that the scale factors of four candidates need one check.
        if effort.candidateStride == 2 {
            measure(quads, bands, weights, isComplete: isComplete, effort: effort, layout: layout, stride: 2, into: &curves)
        } else {
            measure(quads, bands, weights, isComplete: isComplete, effort: effort, layout: layout, stride: 1, into: &curves)
        }
    }

    /// Quantizes each band with its candidates, four at a time.
    ///
    /// The finest four are last, and are usually left out.
    @inline(__always)
    private mutating func measure(
        _ quads: Span<LineQuad>, _ bands: Span<SpectralLines.Band>, _ weights: Span<Float>, isComplete: Bool, effort: SearchEffort,
        layout: borrowing BandLayout, stride: Int, into curves: inout CostCurves
    ) {
        let (tables, allSteps) = (tables, steps)
        let (quadLengths, pairLengths, steps) = (tables.quads.span, tables.pairs.span, allSteps.span)
        let rounding = effort.searchRounding
        let bands = bands.extracting(0..<BandLayout.maximumCount)
        let firstScaleFactors = curves.firstScaleFactors.span(first: BandLayout.maximumCount)
        var distortions = curves.distortions.mutableSpan(first: BandLayout.maximumCount * CostCurves.candidateCount)
        var bits = curves.bits.mutableSpan(first: BandLayout.maximumCount * CostCurves.candidateCount)
        var counts = counts.mutableSpan(first: BandLayout.maximumCount * Self.countedCandidates)
        for band in 0..<layout.count {
            let lines = layout.lines(band)
            let quads = quads.extracting(lines.lowerBound >> 2..<lines.upperBound >> 2)
            let peak = bands[band].peak
            let kept = effort.lowersValues ? 0 : band &* Self.countedCandidates
            var four = counts._mutatingExtracting(kept..<kept &+ 4)
            let weight = weights[band]
            var group = effort.candidateCount > 4 ? 4 : 0
            var lowest = SIMD4<Float>(repeating: .infinity)
            /// A lower bound of the costs of the finest four candidates.
            var leastOfFinest: Float = 0
            while true {
                let first = Int(firstScaleFactors[band]) &+ group &* stride
                let steps = steps.extracting(first..<first &+ 4 &* stride)
                let largest = peak * steps[0].inversePower34 + rounding
                let totals: (distortions: SIMD4<Float>, bits: SIMD4<Float>)
                if largest >= 1 && largest < BandBitCount.pairLimit {
                    let together = FourQuadCounts(
                        quads, steps: (steps[0], steps[stride], steps[2 &* stride], steps[3 &* stride]), rounding: rounding, peak: peak,
                        lengths: quadLengths)
                    if !effort.lowersValues { together.store(to: &four) }
                    totals = together.totals
                } else {
                    for candidate in 0..<2 {
                        let two = (steps[2 &* candidate &* stride], steps[(2 &* candidate &+ 1) &* stride])
                        let largest = (peak * two.0.inversePower34 + rounding, peak * two.1.inversePower34 + rounding)
                        (four[2 &* candidate], four[2 &* candidate &+ 1]) = BandBitCount.two(
                            quads, steps: two, rounding: rounding, largest: largest, quadLengths: quadLengths, pairLengths: pairLengths)
                    }
                    totals = BandBitCount.totals(four[0], four[1], four[2], four[3])
                }
                distortions.store(totals.distortions, at: band &* CostCurves.candidateCount &+ group)
                bits.store(totals.bits, at: band &* CostCurves.candidateCount &+ group)
                guard group > 0 else { break }
                let costs = totals.distortions * weight + totals.bits
                lowest = lowest.minimum(costs)
                if group == 4 { leastOfFinest = Self.leastCost(below: (totals.bits.x, costs.x), lineCount: lines.count) }
                group &+= 4
                guard group == effort.candidateCount else { continue }
                group = 0
                if leastOfFinest > lowest.least && !isComplete {
                    bits.store(SIMD4(repeating: .infinity), at: band &* CostCurves.candidateCount)
                    break
                }
            }
        }
    }

    /// Returns a cost that the four candidates below a candidate exceed, less the cost by which a candidate must be worse than another to
    /// be on no cheapest path.
    ///
    /// Finer candidates need more bits, with few exceptions in narrow bands.
    ///
    /// - Parameter candidate: The bits of the candidate and its whole cost.
    @inline(__always)
    private static func leastCost(below candidate: (bits: Float, cost: Float), lineCount: Int) -> Float {
        guard lineCount >= minimumSkippedLineCount && candidate.bits < .infinity else { return 0 }
        return candidate.bits * 0.9 + (candidate.cost - candidate.bits) * 0.2 - skippedCost
    }

    /// The minimum line count of bands whose finest candidates can be left out.
    private static let minimumSkippedLineCount = 16

    /// The cost by which a candidate must be worse than another, in bits.
    private static let skippedCost: Float = 10

    /// Returns the count of a band at a scale factor, or `nil` if that is not a candidate.
    ///
    /// Only valid if values are not lowered later.
    @inline(__always)
    mutating func count(_ band: Int, scaleFactor: Int, of curves: borrowing CostCurves, effort: SearchEffort) -> BandBitCount? {
        let steps = scaleFactor - Int(curves.firstScaleFactors[band])
        let candidate = effort.candidateStride == 2 ? steps >> 1 : steps
        guard candidate >= 0, candidate < effort.candidateCount, candidate * effort.candidateStride == steps else { return nil }
        return counts[band * Self.countedCandidates + candidate]
    }
}
