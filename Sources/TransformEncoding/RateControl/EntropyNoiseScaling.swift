// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The dependence of a frame's noise scale on its perceptual entropy in modes without a constant bit rate.
///
/// It is stateless, so segments of a stream can be encoded in parallel.
///
/// Measured in RateControl.md#noise-follows-entropy.
package struct EntropyNoiseScaling {
    /// Octaves of noise per octave of entropy; 0 for no dependence.
    package var exponent: Float

    var typicalBits: Float

    /// Creates a dependence; by default none.
    package init(exponent: Float = 0, typicalBits: Float = 1) {
        self.exponent = exponent
        self.typicalBits = typicalBits
    }

    /// Returns log2 of a frame's noise scale relative to a typical frame's.
    ///
    /// - Parameter entropy: The perceptual entropy of the frame, in bits.
    func log2Factor(entropy: Float) -> Float {
        exponent == 0 ? 0 : exponent * max(PortableMath.log2(entropy / typicalBits), Self.lowestLog2Ratio)
    }

    /// The minimum effective ratio of entropy to typical entropy, in octaves.
    ///
    /// Without it, speech at 64 kbit/s loses 6 %, because pauses take bits from words.
    private static let lowestLog2Ratio: Float = -0.5

    /// The exponent at constant quality, which also distributes bits between different signals.
    ///
    /// With 0.5 the worst of six clips is worse than at a constant rate at 96 kbit/s. With 0.7 the mean is worse at 64 kbit/s.
    package static let variableExponent: Float = 0.6

    /// The exponent at an average bit rate.
    ///
    /// Measured in NoiseTargets.md#many-values-at-once.
    package static let averageExponent: Float = 0.34

    /// The exponent at an average bit rate with SBR.
    ///
    /// In AAC-LC it changes the distance of 24 clips by -0.1, -0.2, -1.5 and -0.7 % at 64, 96, 128 and 192 kbit/s. With 0.6 the distance rises
    /// by 1.3 % at 64 kbit/s.
    package static let averageExponentWithSBR: Float = 0.3
}
