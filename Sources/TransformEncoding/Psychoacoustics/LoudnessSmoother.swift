// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Smooths the loudness of a channel over time, for noise targets that follow it.
///
/// A frame that is softer than the frames before it may have more noise, and an attack has to have less.
///
/// Measured in NoiseTargets.md#noise-allocation.
package struct LoudnessSmoother {
    /// The smoothed loudness, as log2 of energy per line; `nil` before the first frame.
    private var smoothed: Float?

    /// The share of a rise that the smoothed loudness takes over with one frame.
    private let attackShare: Float

    /// The share of a fall that the smoothed loudness takes over with one frame: it decays in about a second.
    private let releaseShare: Float

    /// Makes a smoother for frames of so many samples.
    package init(frameLength: Int) {
        attackShare = Self.share(0.4, frameLength: frameLength)
        releaseShare = Self.share(0.03, frameLength: frameLength)
    }

    /// Returns the share of one frame for that of a frame of 1024 samples, so that the smoothed loudness follows as fast in seconds.
    private static func share(_ share: Float, frameLength: Int) -> Float {
        Float(1 - PortableMath.power(1 - Double(share), Double(frameLength) / 1024))
    }

    /// The largest distance of the smoothed loudness above that of the frame that counts, in octaves of energy.
    private static let largestExcess: Float = 8

    /// The largest distance of the smoothed loudness below that of the frame that counts, in octaves of energy.
    private static let largestDeficit: Float = 6

    /// Updates the smoothed loudness with that of the next frame.
    ///
    /// - Parameters:
    ///   - loudness: The loudness of the frame, as log2 of energy per line.
    ///   - weight: The weight of the smoothed loudness against that of the frame.
    /// - Returns: The loudness that the frame's noise targets follow.
    package mutating func update(with loudness: Float, weight: Float) -> Float {
        let before = smoothed ?? loudness
        let now = before + (loudness - before) * (loudness > before ? attackShare : releaseShare)
        smoothed = now
        return loudness + weight * min(max(now - loudness, -Self.largestDeficit), Self.largestExcess)
    }

    /// Discards the loudness of the frames so far.
    package mutating func reset() { smoothed = nil }
}
