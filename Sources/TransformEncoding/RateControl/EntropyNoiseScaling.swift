// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The dependence of a frame's noise scale on its perceptual entropy, where the bit rate is not constant.
///
/// It has no memory, so that segments of a stream can be encoded in parallel.
///
/// Measured in RateControl.md#noise-follows-entropy.
package struct EntropyNoiseScaling {
    /// The octaves of noise for an octave of entropy; 0 for no dependence.
    package var exponent: Float

    /// The entropy of a typical frame, in bits.
    var typicalBits: Float

    /// Makes a dependence.
    package init(exponent: Float = 0, typicalBits: Float = 1) {
        self.exponent = exponent
        self.typicalBits = typicalBits
    }

    /// Returns the difference of a frame's log2 noise scale from that of a typical frame.
    ///
    /// - Parameter entropy: The perceptual entropy of the frame, in bits.
    func log2Factor(entropy: Float) -> Float {
        exponent == 0 ? 0 : exponent * max(PortableMath.log2(entropy / typicalBits), Self.lowestLog2Ratio)
    }

    /// The lowest ratio of entropy to typical entropy that counts, in octaves: without a limit speech loses 6 % at 64 kbit/s, because
    /// its pauses take bits from its words.
    private static let lowestLog2Ratio: Float = -0.5

    /// The exponent at constant quality, which also distributes bits between different signals.
    ///
    /// With 0.5 the worst of six clips is worse than at a constant rate at 96 kbit/s, with 0.7 the mean is worse at 64 kbit/s.
    package static let variableExponent: Float = 0.6

    /// The exponent at an average bit rate: over 24 clips -0.1, -0.2, -1.5 and -0.7 % distance at 64, 96, 128 and 192 kbit/s; with 0.6
    /// the distance at 64 kbit/s rises by 1.3 %.
    package static let averageExponent: Float = 0.3
}
