// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Forward masking of energy peaks.
///
/// It decays quickly at first, then slowly.
struct ForwardMasking {
    /// The energy that previous peaks still mask, before the masking ratio is applied.
    private(set) var level: Float = 0

    private var stepsSincePeak = 0

    /// Advances by one step and returns the decayed level of previous peaks.
    mutating func decay() -> Float {
        level *= stepsSincePeak < Self.fastSteps ? Self.fastDecay : Self.slowDecay
        return level
    }

    /// Adds the energy of the current step.
    mutating func rise(to energy: Float) {
        stepsSincePeak = energy >= level ? 0 : stepsSincePeak + 1
        level = energy.maximum(level)
    }

    /// The decay per step just after a peak: -8.9 dB.
    private static let fastDecay: Float = 0.1288

    /// The decay per later step: -1.1 dB.
    private static let slowDecay: Float = 0.7762

    private static let fastSteps = 4
}
