// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The noise scale chosen for a frame, and the estimates that it is based on.
///
/// Measured in RateControl.md#constant-rate.
package struct FramePlan {
    /// The base-2 logarithm of the noise scale.
    package var log2NoiseScale: Float

    /// The estimated entropy of the frame at that noise scale, side information included, in bits; 0 if the mode needs no estimate.
    var entropy: Float = 0

    /// The change of the frame's bits with the noise scale, in octaves of bits for an octave of noise; a typical value if the mode needs
    /// no estimate.
    package var slope: Float = -0.4

    /// Creates a value from its parts.
    package init(log2NoiseScale: Float, entropy: Float = 0, slope: Float = -0.4) {
        self.log2NoiseScale = log2NoiseScale
        self.entropy = entropy
        self.slope = slope
    }

    /// The factor from noise targets to the energy of the quantisation noise.
    package var noiseScale: Float { PortableMath.exp2(log2NoiseScale) }

    /// Raises the noise scale of a frame that took too many bits.
    ///
    /// One attempt is mostly enough. Each attempt raises the scale factors by at least its own number, so that the last one of many
    /// leaves hardly any spectral data.
    ///
    /// - Parameters:
    ///   - bits: The bits that the frame took.
    ///   - limit: The bits that it may take.
    ///   - attempt: The number of the attempt, from 1.
    /// - Returns: The number of steps by which all scale factors have to be raised.
    package mutating func repair(bits: Int, limit: Int, attempt: Int) -> Int {
        let excess = PortableMath.log2(Float(bits) / Float(max(limit, 1)))
        let steps = max(Int((Self.stepsPerOctave * excess / -slope + Self.margin).rounded(.up)), attempt)
        log2NoiseScale += Float(steps) / Self.stepsPerOctave
        return steps
    }

    /// The steps of the scale factor for an octave of noise: each step is 1.5 dB.
    private static let stepsPerOctave: Float = 2

    /// The part of a step that is added so that one repair is enough: with 0.1 one frame in a thousand takes two, and 2.6 times the mean.
    private static let margin: Float = 0.5
}
