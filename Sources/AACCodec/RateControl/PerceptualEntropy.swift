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

    /// Keeps the product of two ratios finite.
    private static let largestRatio: Float = 1e18

    /// The entropy of the lines in bits, with noise `quality` times the targets.
    static func bits(
        _ lines: Span<Float>, noise: Span<Float>, replacements: borrowing BandReplacements, quality: Float, layout: borrowing BandLayout
    ) -> Float {
        var sum = SIMD4<Float>(repeating: 0)
        let one = SIMD4<Float>(repeating: 1)
        let largest = SIMD4<Float>(repeating: Self.largestRatio)
        for band in 0..<layout.count where !replacements.contains(band) {
            let inverse = Float(layout.width(band)) / (noise[band] * quality * Self.noiseShare)
            let range = layout.lines(band)
            sum += PortableMath.sumOfLog2(range) { line in
                let x = lines.vector(at: line)
                return one + (x * x * inverse).minimum(largest)
            }
        }
        return sum.laneSum * 0.5
    }
}
