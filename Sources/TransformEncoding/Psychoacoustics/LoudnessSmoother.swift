// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Smooths the loudness of a channel over time, for noise targets that follow it.
///
/// A frame that is softer than previous frames may contain more noise; a transient must contain less.
///
/// Measured in NoiseTargets.md#noise-allocation.
package struct LoudnessSmoother {
    /// The smoothed loudness, as log2 of energy per line; `nil` before the first frame.
    private var smoothed: Float?

    /// The smoothing coefficient for rising loudness, per frame.
    private let attackWeight: Float

    /// The smoothing coefficient for falling loudness, per frame.
    ///
    /// The time constant is about a second.
    private let releaseWeight: Float

    /// Creates a smoother for frames of `frameLength` samples.
    package init(frameLength: Int) {
        attackWeight = Self.share(0.4, frameLength: frameLength)
        releaseWeight = Self.share(0.03, frameLength: frameLength)
    }

    /// Converts a coefficient for 1024-sample frames to another frame length, keeping the time constant in seconds.
    private static func share(_ share: Float, frameLength: Int) -> Float {
        Float(1 - PortableMath.power(1 - Double(share), Double(frameLength) / 1024))
    }

    /// The maximum effective excess of the smoothed loudness over the frame's, in octaves of energy.
    private static let maximumExcess: Float = 8

    /// The maximum effective deficit of the smoothed loudness against the frame's, in octaves of energy.
    private static let maximumDeficit: Float = 6

    /// Updates the smoothed loudness with the next frame.
    ///
    /// - Parameters:
    ///   - loudness: The frame's loudness, as log2 of energy per line.
    ///   - weight: The weight of the smoothed loudness in the result.
    /// - Returns: The loudness that the frame's noise targets follow.
    package mutating func update(with loudness: Float, weight: Float) -> Float {
        let before = smoothed ?? loudness
        let now = before + (loudness - before) * (loudness > before ? attackWeight : releaseWeight)
        smoothed = now
        return loudness + weight * min(max(now - loudness, -Self.maximumDeficit), Self.maximumExcess)
    }

    package mutating func reset() { smoothed = nil }
}
