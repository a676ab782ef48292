// SPDX-License-Identifier: Apache-2.0

/// The state of rate control before the first frame of a segment (``StreamSegments``).
///
/// Besides its input, an encoder needs no other state there.
///
/// From here, another encoder with the same configuration writes identical access units in every rate control mode.
package struct EncoderCheckpoint: Hashable, Sendable {
    /// The index of the next frame.
    package let accessUnitIndex: Int
    /// log2 of the noise scale that yields the nominal bit rate in the long run.
    package let log2NoiseScale: Float
    /// The bits saved (positive) or borrowed (negative) so far, relative to the nominal bit rate.
    package let bitSurplus: Double
    /// The number of frames accounted for so far in average bit rate mode.
    package let accountedFrames: Int
    /// log2 of the ratio of bits to estimated entropy in recent frames.
    package let log2BitsPerEntropy: Float

    package init(accessUnitIndex: Int, log2NoiseScale: Float, bitSurplus: Double, accountedFrames: Int, log2BitsPerEntropy: Float) {
        self.accessUnitIndex = accessUnitIndex
        self.log2NoiseScale = log2NoiseScale
        self.bitSurplus = bitSurplus
        self.accountedFrames = accountedFrames
        self.log2BitsPerEntropy = log2BitsPerEntropy
    }
}
