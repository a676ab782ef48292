// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_USAC
internal import TransformCoding

/// Predicts the lines that a decoder reconstructs, without a search for scale factors and codebooks.
///
/// Measured in Search.md#predicted-errors.
package enum QuantizationPrediction {
    /// Replaces the lines of a band with their predicted reconstruction.
    ///
    /// With step Δ, rounding noise is 4/27 Δ^(3/2) Σ √|x|. That determines the step, and the values are |x|^(3/4) over Δ^(3/4). The error is
    /// a series of two terms.
    ///
    /// - Parameters:
    ///   - range: The lines of the band, in fours.
    ///   - noise: The noise target of the band times the noise scale.
    /// - Returns: The number of lines that are not zero.
    package static func quantize(_ lines: inout MutableSpan<Float>, _ range: Range<Int>, noise: Float) -> Float {
        let (zero, one) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 1))
        // Bounds of all accesses below.
        precondition(lines.span.hasQuads(range))
        var roots = zero
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            roots += unsafe lines.vector(unchecked: line).magnitudes.squareRoots
        }
        let inverseStep = (roots.laneSum / (6.75 * max(noise * excess, leastNoise))).squareRoot()
        var count = zero
        for line in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
            let x = unsafe lines.vector(unchecked: line)
            let magnitudes = x.magnitudes.maximum(SIMD4(repeating: tiny))
            let scaled = ((magnitudes * magnitudes.squareRoots).squareRoots * inverseStep).minimum(SIMD4(repeating: largest))
            let value = (scaled - SIMD4(repeating: 0.5 - rounding)).nearest.floats
            let error = (value - scaled) / scaled
            let isSent = value .> zero
            let decoded = x + x * error * (SIMD4(repeating: 4.0 / 3) + error * (2.0 / 9))
            unsafe lines.store(zero.replacing(with: decoded, where: isSent), unchecked: line)
            count += zero.replacing(with: one, where: isSent)
        }
        return count.laneSum
    }

    /// Replaces the lines of a band with others of the same energy, as noise substitution does.
    package static func substitute(_ lines: inout MutableSpan<Float>, _ range: Range<Int>) {
        var (low, high) = (range.lowerBound, range.upperBound - 4)
        while low < high {
            let values = lines.span.vector(at: low)
            lines.store(lines.span.vector(at: high), at: low)
            lines.store(values, at: high)
            low += 4
            high -= 4
        }
    }

    /// The noise of the search's choice relative to the noise target: steps are coarser because bits are then saved.
    private static let excess: Float = 1.3

    /// The offset added before truncation, as in the scale factor search.
    private static let rounding: Float = 0.38

    /// A magnitude far below a 16-bit quantization step, so that nothing is divided by zero.
    private static let tiny: Float = 1e-9

    /// The noise energy below which steps are not finer.
    private static let leastNoise: Float = 1e-6

    /// The maximum value, within the range of exact rounding.
    private static let largest: Float = 1_000_000
}
#endif
