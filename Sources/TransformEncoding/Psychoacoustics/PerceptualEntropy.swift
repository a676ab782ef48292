// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// An estimate of the bits that a channel's lines need, computed before quantization.
///
/// It is the sum of ½ log2(1 + x²/N) over the lines, where N is the noise energy per line (J. D. Johnston, 1988). A frame's bits
/// are proportional to it, with a factor that changes slowly between frames.
package enum PerceptualEntropy {
    /// The fraction of the noise target that counts as noise.
    ///
    /// With a quarter, the ratio of bits to entropy is the same for long and short windows and nearly the same at all bit rates.
    /// For twelve clips at 64, 128 and 192 kbit/s, short windows need 2 % more bits per unit of entropy than long ones; with the whole
    /// target they need 9 % fewer.
    package static let noiseFraction: Float = 0.25

    /// Returns the entropy of a channel's lines, in bits.
    ///
    /// - Parameters:
    ///   - lines: The lines, in the order of `layout`.
    ///   - replacements: The codebook of each band sent without lines, 0 for the others.
    ///   - noiseScale: The ratio of noise energy to noise target.
    package static func bits(
        _ lines: Span<Float>, noiseTargets: Span<Float>, replacements: Span<UInt8>, noiseScale: Float, layout: borrowing BandLayout
    ) -> Float {
        var sum = Sum()
        let inverseScale = Self.inverseScale(noiseScale: noiseScale)
        for band in 0..<layout.count where replacements[band] == 0 {
            let range = layout.lines(band)
            let inverseNoise = Float(range.count) / noiseTargets[band] * inverseScale
            for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
                let x = lines.vector(at: line)
                sum.add(x * x, inverseNoise: inverseNoise)
            }
        }
        return sum.bits
    }

    /// Returns the entropies of a channel's lines at three noise scales, in bits.
    ///
    /// They equal those of ``bits(_:noiseTargets:replacements:noiseScale:layout:)``.
    package static func bits(
        _ lines: Span<Float>, noiseTargets: Span<Float>, replacements: Span<UInt8>, noiseScales: SIMD3<Float>, layout: borrowing BandLayout
    ) -> SIMD3<Float> {
        var (a, b, c) = (Sum(), Sum(), Sum())
        let inverseScales = SIMD3(
            inverseScale(noiseScale: noiseScales.x), inverseScale(noiseScale: noiseScales.y), inverseScale(noiseScale: noiseScales.z))
        for band in 0..<layout.count where replacements[band] == 0 {
            let lines = lines.extracting(layout.lines(band))
            let inverseTarget = Float(lines.count) / noiseTargets[band]
            let inverseNoise = (inverseTarget * inverseScales.x, inverseTarget * inverseScales.y, inverseTarget * inverseScales.z)
            var line = 0
            while line < lines.count {
                let x = lines.vector(at: line)
                let energies = x * x
                a.add(energies, inverseNoise: inverseNoise.0)
                b.add(energies, inverseNoise: inverseNoise.1)
                c.add(energies, inverseNoise: inverseNoise.2)
                line &+= 4
            }
        }
        return SIMD3(a.bits, b.bits, c.bits)
    }

    /// Returns the factor from the inverse noise target per line to the inverse noise passed to ``Sum/add(_:inverseNoise:)``.
    package static func inverseScale(noiseScale: Float) -> Float { 1 / (noiseScale * noiseFraction) }

    /// The accumulated entropy of lines.
    ///
    /// The sum of logarithms is computed as one logarithm of the product. Mantissas and exponents of the product are separate, so it
    /// cannot overflow.
    package struct Sum {
        /// The mantissas of the four lanes' products, in [1, 2).
        private var mantissas = SIMD4<Float>(repeating: 1)

        /// The sums of biased exponents per lane.
        private var exponents = SIMD4<UInt32>(repeating: 0)

        /// The number of factors per lane.
        private var count: UInt32 = 0

        /// Adds four lines.
        ///
        /// - Parameters:
        ///   - energies: The squared lines.
        ///   - inverseNoise: The inverse noise energy per line.
        @inline(__always)
        package mutating func add(_ energies: SIMD4<Float>, inverseNoise: Float) {
            let one = SIMD4<Float>(repeating: 1)
            let ratios = (energies * inverseNoise).minimum(SIMD4(repeating: 1e18))
            let product = (mantissas * (one + ratios)).bitPatterns
            exponents &+= product &>> 23
            mantissas = SIMD4(bitPatterns: product & SIMD4(repeating: 0x007F_FFFF) | one.bitPatterns)
            count &+= 1
        }

        var bits: Float {
            let unbiased = exponents &- SIMD4(repeating: count &* 127)
            let sum = unbiased[0] &+ unbiased[1] &+ unbiased[2] &+ unbiased[3]
            return 0.5 * (Float(sum) + PortableMath.log2(mantissas).laneSum)
        }
    }
}
