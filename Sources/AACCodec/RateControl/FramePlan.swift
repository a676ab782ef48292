// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The quality a frame is coded at, and what is expected of it.
struct FramePlan {
    /// log2 of the quality.
    var level: Float

    /// What the bits are in proportion to; 0 if nobody asked.
    var entropy: Float = 0

    /// Octaves of bits for an octave of noise; as it stands where nobody asked.
    var slope: Float = -0.4

    /// The factor on the noise targets.
    var quality: Float { PortableMath.exp2(level) }

    /// Raises the noise of a frame that took too many bits; returns by how much its scale factors rise.
    ///
    /// One more attempt is mostly enough; at the twentieth hardly anything would be left.
    mutating func repair(bits: Int, limit: Int, attempt: Int) -> Int {
        let excess = PortableMath.log2(Float(bits) / Float(max(limit, 1)))
        let steps = max(Int((Self.stepsPerOctave * excess / -slope + Self.margin).rounded(.up)), attempt)
        level += Float(steps) / Self.stepsPerOctave
        return steps
    }

    /// Steps of the scale factor for an octave of noise: each is 1.5 dB.
    private static let stepsPerOctave: Float = 2

    /// Part of a step that is added, so that one repair does: with 0.1 a frame in a thousand takes two, and 2.6 times the mean.
    private static let margin: Float = 0.5
}
