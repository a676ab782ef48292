// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// How many bits the lines of a channel are likely to take, before anything is quantised.
///
/// Half of log2 (1 + signal to noise) a line. Bits are in proportion to it, by a factor that stays the same for frames on end.
enum PerceptualEntropy {
    /// The part of the noise target that counts as noise: with a quarter, the factor is the same for long and short windows, and nearly
    /// the same at any rate.
    ///
    /// Twelve clips at 64, 128 and 192 kb/s: short windows take 2 % more bits for their entropy than long ones; 9 % fewer with the whole
    /// target.
    private static let noiseShare: Float = 0.25

    /// The entropy of the lines in bits, with noise `quality` times the targets; `replacements` are the codebooks of bands without lines.
    static func bits(
        _ lines: Span<Float>, noise: Span<Float>, replacements: Span<UInt8>, quality: Float, layout: borrowing BandLayout
    ) -> Float {
        var sum = Sum()
        let scale = Self.scale(quality: quality)
        for band in 0..<layout.count where replacements[band] == 0 {
            let inverse = Float(layout.width(band)) / noise[band] * scale
            let range = layout.lines(band)
            for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
                let x = lines.vector(at: line)
                sum.add(x * x, inverseNoise: inverse)
            }
        }
        return sum.bits
    }

    /// A factor for the inverse of a band's noise target a line.
    @inline(__always)
    static func scale(quality: Float) -> Float { 1 / (quality * noiseShare) }

    /// The entropy of some lines.
    ///
    /// One logarithm does for all: that of the product of what is in it, whose exponents are put aside.
    struct Sum {
        private var mantissas = SIMD4<Float>(repeating: 1)
        private var exponents = SIMD4<UInt32>(repeating: 0)
        private var count: UInt32 = 0

        /// Adds four lines by their energies.
        @inline(__always)
        mutating func add(_ energies: SIMD4<Float>, inverseNoise: Float) {
            let one = SIMD4<Float>(repeating: 1)
            let ratios = (energies * inverseNoise).minimum(SIMD4(repeating: 1e18))
            let product = (mantissas * (one + ratios)).bitPatterns
            exponents &+= product &>> 23
            mantissas = SIMD4(bitPatterns: product & SIMD4(repeating: 0x007F_FFFF) | one.bitPatterns)
            count &+= 1
        }

        /// The entropy in bits.
        var bits: Float {
            let unbiased = exponents &- SIMD4(repeating: count &* 127)
            let sum = unbiased[0] &+ unbiased[1] &+ unbiased[2] &+ unbiased[3]
            return 0.5 * (Float(sum) + PortableMath.log2(mantissas).laneSum)
        }
    }
}
