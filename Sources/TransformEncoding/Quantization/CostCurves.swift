// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The distortion and the bits of each band at each of its candidate scale factors: all that the search knows of an entropy coder.
///
/// The coder sets the first candidates, quantises each band with all of them, and stores the two curves. They don't depend on the Lagrange
/// multiplier.
@usableFromInline package struct CostCurves: ~Copyable {
    /// The most candidates of a band.
    @inlinable package static var candidateCount: Int { 16 }

    /// The first candidate of each band.
    package private(set) var firstScaleFactors = FixedArray<Int16>(repeating: 0, count: BandLayout.maximumCount)

    /// The squared errors of all candidates, ``candidateCount`` a band.
    package var distortions = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount * CostCurves.candidateCount)

    /// The bits of all candidates in the best codebook; infinite where all lines are quantised to zero or one is too large to code.
    package var bits = FixedArray<Float>(repeating: .infinity, count: BandLayout.maximumCount * CostCurves.candidateCount)

    /// Makes curves without candidates.
    package init() {}

    /// Sets the first candidate of each band.
    ///
    /// It is at least the scale factor at which the band's largest line can be coded, and so near that of the frame's largest line that the
    /// difference can be sent: so the bits that a fine step leaves over never cost a band.
    ///
    /// - Parameters:
    ///   - peak: The largest |x|^(3/4) of all bands.
    ///   - noiseTargets: The noise target of each band.
    ///   - noiseScale: The factor from noise targets to the energy of the noise.
    package mutating func setFirsts(
        _ bands: Span<SpectralLines.Band>, peak: Float, noiseTargets: Span<Float>, noiseScale: Float, effort: SearchEffort, bandCount: Int
    ) {
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
    private static func roundedDown(_ values: SIMD4<Float>) -> SIMD4<Int32> {
        let nearest = values.nearest
        return nearest.integers &- SIMD4(repeating: 0).replacing(with: SIMD4(repeating: 1), where: nearest.floats .> values)
    }

    /// Returns the candidate of a band with the lowest cost, whether or not leaving out the band costs less.
    ///
    /// - Parameter weight: The cost of a unit of squared error, in bits.
    package mutating func cheapest(_ band: Int, weight: Float, effort: SearchEffort) -> Int {
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
    package mutating func lowestCost(_ band: Int, weight: Float, effort: SearchEffort) -> Float {
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
