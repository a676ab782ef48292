// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The distortion and bits of each band at its candidate scale factors: the search's interface to an entropy coder.
///
/// The coder sets the first candidates, quantizes each band with all candidates and stores both curves. The curves do not depend on
/// the Lagrange multiplier.
@usableFromInline package struct CostCurves: ~Copyable {
    /// The maximum number of candidates per band.
    @inlinable package static var candidateCount: Int { 12 }

    /// The first candidate of each band.
    package private(set) var firstScaleFactors = FixedArray<Int16>(repeating: 0, count: BandLayout.maximumCount)

    /// The squared errors of all candidates, ``candidateCount`` per band.
    package var distortions = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount * CostCurves.candidateCount)

    /// The bits of all candidates in the best codebook.
    ///
    /// Infinite if all lines are quantized to zero or one exceeds the range.
    package var bits = FixedArray<Float>(repeating: .infinity, count: BandLayout.maximumCount * CostCurves.candidateCount)

    package init() {}

    /// Sets the first candidate of each band.
    ///
    /// The first candidate must be able to code the band's largest line. It is also close enough to the scale factor of the frame's largest
    /// line that the difference can be sent. So surplus bits that allow fine steps never cost a band.
    ///
    /// - Parameters:
    ///   - peak: The maximum |x|^(3/4) of all bands.
    ///   - noiseScale: The ratio of noise energy to noise target.
    package mutating func setFirsts(
        _ bands: Span<SpectralLines.Band>, peak: Float, noiseTargets: Span<Float>, noiseScale: Float, effort: SearchEffort, bandCount: Int
    ) {
        let below = SIMD4<Int32>(repeating: Int32(effort.candidatesBelow * effort.candidateStride))
        let last = SIMD8<Int16>(repeating: Int16(255 - Self.candidateCount * effort.candidateStride))
        // From the scale factors at which all lines become zero to those at which the largest lines can just be coded.
        let range = PortableMath.log2(Quantizer.maximumSearched / (1 - effort.searchRounding)) * (16 / 3)
        let farthest = Float(ScaleFactorCodebook.maximumDifference - DequantizationTables.scaleFactorOffset)
        let least = SIMD4(repeating: PortableMath.log2(peak * (1 / Quantizer.maximumSearched)) * (16 / 3) - farthest)
        var firstScaleFactors = firstScaleFactors.mutableSpan(first: BandLayout.maximumCount)
        for band in stride(from: 0, to: bandCount, by: 4) {
            let (expected, zero) = Self.expectedScaleFactors(
                bands, from: band, noiseTargets: noiseTargets, noiseScale: noiseScale, rounding: effort.searchRounding)
            let first = (Self.roundedDown(expected) &- below).packedSaturating
            // Rounded up.
            let limit =
                SIMD4<Int32>(repeating: 0) &- Self.roundedDown(SIMD4(repeating: 0) - (zero - SIMD4(repeating: range)).maximum(least))
            firstScaleFactors.store(first.maximum(limit.packedSaturating).minimum(last).maximum(SIMD8(repeating: 0)).lowHalf, at: band)
        }
    }

    private static func roundedDown(_ values: SIMD4<Float>) -> SIMD4<Int32> {
        let nearest = values.nearest
        return nearest.integers &- SIMD4(repeating: 0).replacing(with: SIMD4(repeating: 1), where: nearest.floats .> values)
    }

    /// Returns the scale factor of a band's cheapest candidate, even if zeroing the band costs less.
    ///
    /// - Parameter weight: The cost per unit of squared error, in bits.
    package func cheapest(_ band: Int, weight: Float, effort: SearchEffort) -> Int {
        var best = 0
        var lowest = Float.infinity
        for candidate in 0..<effort.candidateCount {
            let index = band * Self.candidateCount + candidate
            let cost = bits[index] + weight * distortions[index]
            if cost < lowest { (best, lowest) = (candidate, cost) }
        }
        return Int(firstScaleFactors[band]) + best * effort.candidateStride
    }

    /// Returns the minimum cost over a band's candidates, in bits.
    package func lowestCost(_ band: Int, weight: Float, effort: SearchEffort) -> Float {
        var lowest = SIMD4<Float>(repeating: .infinity)
        let start = band * Self.candidateCount
        for index in stride(from: start, to: start + effort.candidateCount, by: 4) {
            lowest = lowest.minimum(bits.span.vector(at: index) + distortions.span.vector(at: index) * weight)
        }
        return lowest.least
    }

    /// Returns the scale factors of four bands at which uniform rounding noise reaches the noise targets, and those above which all lines
    /// are zero.
    ///
    /// The noise of a band is D = 4/27 Δ^(3/2) Σ √|x| with step Δ. The scale factor is at least eight steps below those that quantize all
    /// lines to zero.
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
        var expected = byNoise.minimum(allZero - SIMD4(repeating: 8)) + offset
        // A silent band has no expected scale factor. A value near the others keeps scale factor differences small.
        expected.replace(with: offset, where: peaks .<= SIMD4(repeating: 0))
        return (expected.maximum(SIMD4(repeating: 0)).minimum(SIMD4(repeating: 255)), allZero + offset)
    }
}
