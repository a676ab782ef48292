// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The distortion and the bits of each band at each of its candidate scale factors.
///
/// The curves don't depend on the Lagrange multiplier.
struct CostCurves: ~Copyable {
    /// The most candidates of a band.
    static let candidateCount = 16

    /// The most candidates of a band whose counts are kept, where values are not lowered later.
    static let countedCandidates = 4

    /// The lengths of codewords; a stored property, since access to a global includes a check each time.
    private let tables = SpectralBitTables.shared

    /// The steps of all scale factors, stored for the same reason.
    private let steps = Quantizer.steps

    /// The first candidate of each band.
    private(set) var firstScaleFactors = FixedArray<Int16>(repeating: 0, count: BandLayout.maximumCount)

    /// The squared errors of all candidates, ``candidateCount`` a band.
    private(set) var distortions = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount * CostCurves.candidateCount)

    /// The bits of all candidates in the best codebook; infinite where all lines are quantised to zero or one is too large to code.
    private(set) var bits = FixedArray<Float>(repeating: .infinity, count: BandLayout.maximumCount * CostCurves.candidateCount)

    /// The counts of all candidates, ``countedCandidates`` a band, where values are not lowered later; otherwise those of the latest four.
    private var counts = FixedArray<BandBitCount>(repeating: BandBitCount(), count: BandLayout.maximumCount * CostCurves.countedCandidates)

    /// Quantises each band with the scale factors around the expected one.
    ///
    /// - Parameters:
    ///   - peak: The largest |x|^(3/4) of all bands.
    ///   - noiseTargets: The noise target of each band.
    ///   - noiseScale: The factor from noise targets to the energy of the noise.
    mutating func measure(
        _ quads: Span<LineQuad>, _ bands: Span<SpectralLines.Band>, peak: Float, noiseTargets: Span<Float>, noiseScale: Float,
        effort: SearchEffort, layout: borrowing BandLayout
    ) {
        precondition(effort.candidateCount & 3 == 0)
        setFirsts(bands, peak: peak, noiseTargets: noiseTargets, noiseScale: noiseScale, effort: effort, bandCount: layout.count)
        // Literal strides, so that the scale factors of four candidates need one check.
        if effort.candidateStride == 2 {
            measure(quads, bands, effort: effort, layout: layout, stride: 2)
        } else {
            measure(quads, bands, effort: effort, layout: layout, stride: 1)
        }
    }

    /// Quantises each band with its candidates, four at a time.
    @inline(__always)
    private mutating func measure(
        _ quads: Span<LineQuad>, _ bands: Span<SpectralLines.Band>, effort: SearchEffort, layout: borrowing BandLayout, stride: Int
    ) {
        let (tables, allSteps) = (tables, steps)
        let (quadLengths, pairLengths, steps) = (tables.quads.span, tables.pairs.span, allSteps.span)
        let rounding = effort.searchRounding
        let bands = bands.extracting(0..<BandLayout.maximumCount)
        let firsts = firstScaleFactors.span(first: BandLayout.maximumCount)
        var distortions = distortions.mutableSpan(first: BandLayout.maximumCount * Self.candidateCount)
        var bits = bits.mutableSpan(first: BandLayout.maximumCount * Self.candidateCount)
        var counts = counts.mutableSpan(first: BandLayout.maximumCount * Self.countedCandidates)
        for band in 0..<layout.count {
            let lines = layout.lines(band)
            let quads = quads.extracting(lines.lowerBound >> 2..<lines.upperBound >> 2)
            let peak = bands[band].peak
            let kept = effort.lowersValues ? 0 : band &* Self.countedCandidates
            var four = counts._mutatingExtracting(kept..<kept &+ 4)
            var group = 0
            while group < effort.candidateCount {
                let first = Int(firsts[band]) &+ group &* stride
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
                    for candidate in 0..<4 {
                        let step = steps[candidate &* stride]
                        four[candidate] = BandBitCount(
                            quads, step: step, rounding: rounding, largest: peak * step.inversePower34 + rounding,
                            quadLengths: quadLengths, pairLengths: pairLengths)
                    }
                    totals = BandBitCount.totals(four[0], four[1], four[2], four[3])
                }
                distortions.store(totals.distortions, at: band &* Self.candidateCount &+ group)
                bits.store(totals.bits, at: band &* Self.candidateCount &+ group)
                group &+= 4
            }
        }
    }

    /// Returns the count of a band at a scale factor, `nil` if that is not a candidate; only where values are not lowered later.
    @inline(__always)
    mutating func count(_ band: Int, scaleFactor: Int, effort: SearchEffort) -> BandBitCount? {
        let steps = scaleFactor - Int(firstScaleFactors[band])
        let candidate = effort.candidateStride == 2 ? steps >> 1 : steps
        guard candidate >= 0, candidate < effort.candidateCount, candidate * effort.candidateStride == steps else { return nil }
        return counts[band * Self.countedCandidates + candidate]
    }

    /// Sets the first candidate of each band.
    ///
    /// It is at least the scale factor at which the band's largest line can be coded, and so near that of the frame's largest line that the
    /// difference can be sent: so the bits that a fine step leaves over never cost a band.
    private mutating func setFirsts(
        _ bands: Span<SpectralLines.Band>, peak: Float, noiseTargets: Span<Float>, noiseScale: Float, effort: SearchEffort, bandCount: Int
    ) {
        precondition(effort.lowersValues || effort.candidateCount <= Self.countedCandidates)
        let below = SIMD4<Int32>(repeating: Int32(effort.candidatesBelow * effort.candidateStride))
        let last = SIMD8<Int16>(repeating: Int16(255 - Self.candidateCount * effort.candidateStride))
        // From the scale factors at which all lines become zero to those at which the largest are just not too large to code.
        let range = PortableMath.log2(Quantizer.largestSearched / (1 - effort.searchRounding)) * (16 / 3)
        let farthest = Float(ScaleFactorTransitions.largestDifference - DequantizationTables.scaleFactorOffset)
        let least = SIMD4(repeating: PortableMath.log2(peak * (1 / Quantizer.largestSearched)) * (16 / 3) - farthest)
        var firsts = firstScaleFactors.mutableSpan(first: BandLayout.maximumCount)
        for band in stride(from: 0, to: bandCount, by: 4) {
            let (expected, zero) = Self.expectedScaleFactors(
                bands, from: band, noiseTargets: noiseTargets, noiseScale: noiseScale, rounding: effort.searchRounding)
            let first = (Self.roundedDown(expected) &- below).saturatedTwice
            // Rounded up.
            let limit =
                SIMD4<Int32>(repeating: 0) &- Self.roundedDown(SIMD4(repeating: 0) - (zero - SIMD4(repeating: range)).maximum(least))
            firsts.store(first.maximum(limit.saturatedTwice).minimum(last).maximum(SIMD8(repeating: 0)).lowHalf, at: band)
        }
    }

    /// Returns the largest integers that are not above some numbers.
    @inline(__always)
    private static func roundedDown(_ values: SIMD4<Float>) -> SIMD4<Int32> {
        let nearest = values.nearest
        return nearest.integers &- SIMD4(repeating: 0).replacing(with: SIMD4(repeating: 1), where: nearest.floats .> values)
    }

    /// Returns the candidate of a band with the lowest cost, whether or not leaving out the band costs less.
    ///
    /// - Parameter weight: The cost of a unit of squared error, in bits.
    mutating func cheapest(_ band: Int, weight: Float, effort: SearchEffort) -> Int {
        var best = 0
        var lowest = Float.infinity
        for candidate in 0..<effort.candidateCount {
            let index = band * Self.candidateCount + candidate
            let cost = bits[index] + weight * distortions[index]
            if cost < lowest { (best, lowest) = (candidate, cost) }
        }
        return Int(firstScaleFactors[band]) + best * effort.candidateStride
    }

    /// Returns the cost of that candidate, in bits.
    mutating func lowestCost(_ band: Int, weight: Float, effort: SearchEffort) -> Float {
        var lowest = SIMD4<Float>(repeating: .infinity)
        let start = band * Self.candidateCount
        for index in stride(from: start, to: start + effort.candidateCount, by: 4) {
            lowest = lowest.minimum(bits.span.vector(at: index) + distortions.span.vector(at: index) * weight)
        }
        return lowest.least
    }

    /// Returns the scale factors of four bands at which the noise of uniform rounding meets the noise targets, and those above which all lines are
    /// zero.
    ///
    /// The noise of a band is D = 4/27 Δ^(3/2) Σ √|x| with the step Δ. The scale factor is limited so that at most half of the
    /// candidates quantise all lines to zero.
    @inline(__always)
    private static func expectedScaleFactors(
        _ bands: Span<SpectralLines.Band>, from band: Int, noiseTargets: Span<Float>, noiseScale: Float, rounding: Float
    ) -> (expected: SIMD4<Float>, zero: SIMD4<Float>) {
        let (a, b, c, d) = (bands[band], bands[band + 1], bands[band + 2], bands[band + 3])
        let rootSums = SIMD4(a.rootSum, b.rootSum, c.rootSum, d.rootSum)
        let peaks = SIMD4(a.peak, b.peak, c.peak, d.peak)
        let byNoise =
            PortableMath.log2(noiseTargets.vector(at: band) * (6.75 * noiseScale) / rootSums.maximum(SIMD4(repeating: 1e-6))) * (8 / 3)
        let allZero = PortableMath.log2(peaks * (1 / (1 - rounding))) * (16 / 3)
        let offset = SIMD4(repeating: Float(DequantizationTables.scaleFactorOffset))
        var expected = byNoise.minimum(allZero - SIMD4(repeating: Float(candidateCount / 2))) + offset
        // A silent band has no expected scale factor; one near the others keeps the differences of scale factors small.
        expected.replace(with: offset, where: peaks .<= SIMD4(repeating: 0))
        return (expected.maximum(SIMD4(repeating: 0)).minimum(SIMD4(repeating: 255)), allZero + offset)
    }
}
