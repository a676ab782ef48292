// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What each band costs at each of a range of scale factors: the distortion, and the bits in the best codebook.
///
/// The curves do not depend on the rate, so one set serves every rate that is tried.
struct CostCurves: ~Copyable {
    /// The most scale factors tried a band.
    static let candidateCount = 16

    /// Counts are kept of so many candidates a band at most, where there are no more.
    static let countedCandidates = 4

    /// Held here, since reaching a global costs a check each time.
    private let tables = SpectralBitTables.shared
    private let steps = Quantizer.steps

    /// The lowest scale factor tried in each band.
    private(set) var firstScaleFactors = [120 of Int16](repeating: 0)

    /// The squared errors of all candidates, band after band.
    private(set) var distortions = [1920 of Float](repeating: 0)

    /// Bits in the best codebook; infinite where all lines would be zero, or too large to code.
    private(set) var bits = [1920 of Float](repeating: .infinity)

    /// The counts of all candidates, ``countedCandidates`` a band, where values are not lowered later; else of the latest four.
    private var counts = [480 of BandCount](repeating: BandCount())

    /// Tries the scale factors around the ones that would put `quality` times the noise target into each band.
    mutating func measure(
        _ quads: Span<LineQuad>, _ bands: Span<SpectralLines.Band>, noise: Span<Float>, quality: Float, effort: SearchEffort,
        layout: borrowing BandLayout
    ) {
        setFirsts(bands, noise: noise, quality: quality, effort: effort, bandCount: layout.count)
        let (tables, allSteps) = (tables, steps)
        let (quadLengths, pairLengths, steps) = (tables.quads.span, tables.pairs.span, allSteps.span)
        let (rounding, stride) = (effort.searchRounding, effort.candidateStride)
        var distortions = distortions.mutableSpan
        var bits = bits.mutableSpan
        var counts = counts.mutableSpan
        for band in 0..<layout.count {
            let quads = quads.extracting(layout.quads(band))
            let peak = bands[band].peak
            let kept = effort.lowersValues ? 0 : band &* Self.countedCandidates
            for group in Swift.stride(from: 0, to: effort.candidateCount, by: 4) {
                let first = Int(firstScaleFactors[band]) &+ group &* stride
                let tried = min(4, effort.candidateCount &- group)
                for candidate in 0..<tried {
                    let step = steps[first &+ candidate &* stride]
                    counts[kept &+ candidate] = BandCount(
                        quads, step: step, rounding: rounding, largest: peak * step.inversePower34 + rounding, quadLengths: quadLengths,
                        pairLengths: pairLengths)
                }
                for candidate in tried..<4 { counts[kept &+ candidate] = BandCount() }
                let totals = BandCount.totals(counts[kept], counts[kept &+ 1], counts[kept &+ 2], counts[kept &+ 3])
                distortions.store(totals.distortions, at: band &* Self.candidateCount &+ group)
                bits.store(totals.bits, at: band &* Self.candidateCount &+ group)
            }
        }
    }

    /// The count of a band at a scale factor, if it was tried; only where values are not lowered later.
    @inline(__always)
    mutating func count(_ band: Int, scaleFactor: Int, effort: SearchEffort) -> BandCount? {
        let steps = scaleFactor - Int(firstScaleFactors[band])
        let candidate = effort.candidateStride == 2 ? steps >> 1 : steps
        guard candidate >= 0, candidate < effort.candidateCount, candidate * effort.candidateStride == steps else { return nil }
        return counts[band * Self.countedCandidates + candidate]
    }

    private mutating func setFirsts(
        _ bands: Span<SpectralLines.Band>, noise: Span<Float>, quality: Float, effort: SearchEffort, bandCount: Int
    ) {
        precondition(effort.lowersValues || effort.candidateCount <= Self.countedCandidates)
        for band in stride(from: 0, to: bandCount, by: 4) {
            let expected = Self.expectedScaleFactors(bands, from: band, noise: noise, quality: quality, rounding: effort.searchRounding)
            for lane in 0..<min(4, bandCount - band) {
                let first = Int(expected[lane]) - effort.candidatesBelow * effort.candidateStride
                firstScaleFactors[band + lane] = Int16(max(0, min(first, 255 - Self.candidateCount * effort.candidateStride)))
            }
        }
    }

    /// The candidate of a band that costs least by itself, whether or not it is worth coding.
    ///
    /// - Parameter weight: What a unit of squared error costs, in bits.
    mutating func cheapest(_ band: Int, weight: Float, effort: SearchEffort) -> Int {
        var best = 0
        var lowest = Float.infinity
        for candidate in 0..<effort.candidateCount {
            let place = band * Self.candidateCount + candidate
            let cost = bits[place] + weight * distortions[place]
            if cost < lowest { (best, lowest) = (candidate, cost) }
        }
        return Int(firstScaleFactors.span[band]) + best * effort.candidateStride
    }

    /// What that candidate costs, in bits.
    mutating func lowestCost(_ band: Int, weight: Float, effort: SearchEffort) -> Float {
        var lowest = SIMD4<Float>(repeating: .infinity)
        let start = band * Self.candidateCount
        for place in stride(from: start, to: start + effort.candidateCount, by: 4) {
            lowest = lowest.minimum(bits.span.vector(at: place) + distortions.span.vector(at: place) * weight)
        }
        return lowest.least
    }

    /// The scale factors at which noise of uniform quantisation comes to `noise` in four bands: D = 4/27 Δ^(3/2) Σ√|x|.
    @inline(__always)
    private static func expectedScaleFactors(
        _ bands: Span<SpectralLines.Band>, from band: Int, noise: Span<Float>, quality: Float, rounding: Float
    ) -> SIMD4<Float> {
        let (a, b, c, d) = (bands[band], bands[band + 1], bands[band + 2], bands[band + 3])
        let rootSums = SIMD4(a.rootSum, b.rootSum, c.rootSum, d.rootSum)
        let peaks = SIMD4(a.peak, b.peak, c.peak, d.peak)
        let byNoise = PortableMath.log2(noise.vector(at: band) * (6.75 * quality) / rootSums.maximum(SIMD4(repeating: 1e-6))) * (8 / 3)
        let allZero = PortableMath.log2(peaks * (1 / (1 - rounding))) * (16 / 3)
        var expected = byNoise.minimum(allZero - SIMD4(repeating: Float(candidateCount / 2))) + SIMD4(repeating: 100)
        // Of a silent band it does not matter, if it is near the others.
        expected.replace(with: SIMD4(repeating: 100), where: peaks .<= SIMD4(repeating: 0))
        return expected.maximum(SIMD4(repeating: 0)).minimum(SIMD4(repeating: 255))
    }
}
