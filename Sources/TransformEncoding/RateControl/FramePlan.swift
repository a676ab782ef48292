// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The noise scale of a frame and the estimates that it is based on.
///
/// Measured in RateControl.md#constant-rate.
package struct FramePlan {
    /// log2 of the noise scale.
    package var log2NoiseScale: Float

    /// The frame's estimated entropy at that noise scale, with side information, in bits; 0 if the mode needs no estimate.
    var entropy: Float = 0

    /// The slope of the frame's bits over the noise scale, in octaves of bits per octave of noise, or a typical value if the mode needs no
    /// estimate.
    package var slope: Float = -0.4

    package init(log2NoiseScale: Float, slope: Float = -0.4) {
        self.log2NoiseScale = log2NoiseScale
        self.slope = slope
    }

    /// The ratio of quantization noise energy to noise target.
    package var noiseScale: Float { PortableMath.exp2(log2NoiseScale) }

    /// Raises the noise scale of a frame that needed too many bits.
    ///
    /// One attempt is usually enough. Attempt `n` raises the scale factors by at least `n` steps, so repeated attempts leave almost no
    /// spectral data.
    ///
    /// - Parameters:
    ///   - limit: The bits that the frame may use.
    ///   - attempt: The number of the attempt, from 1.
    /// - Returns: The number of steps to add to all scale factors.
    package mutating func repair(bits: Int, limit: Int, attempt: Int) -> Int {
        let excess = PortableMath.log2(Float(bits) / Float(max(limit, 1)))
        let steps = max(Int((Self.stepsPerOctave * excess / -slope + Self.margin).rounded(.up)), attempt)
        log2NoiseScale += Float(steps) / Self.stepsPerOctave
        return steps
    }

    /// Scale factor steps per octave of noise; each step is 1.5 dB.
    private static let stepsPerOctave: Float = 2

    /// The extra fraction of a step that makes one repair sufficient.
    ///
    /// With 0.1, one frame in a thousand needs two, and up to 2.6 times the mean.
    private static let margin: Float = 0.5
}
