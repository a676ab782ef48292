// SPDX-License-Identifier: Apache-2.0

/// The state of the rate control before the first frame of a segment (``StreamSegments``): all that an encoder remembers there beside its input.
///
/// Another encoder of the same configuration makes the same access units from there on, in every mode of the rate control.
package struct EncoderCheckpoint: Hashable, Sendable {
    /// The index of the frame.
    package let unit: Int
    /// The base-2 logarithm of the noise scale that gives the nominal bit rate in the long run.
    package let log2NoiseScale: Float
    /// The bits saved (positive) or borrowed (negative) against the nominal bit rate so far.
    package let surplus: Double
    /// The frames of the account of an average bit rate so far.
    package let accountedFrames: Int
    /// The base-2 logarithm of the ratio of bits to estimated entropy in the latest frames.
    package let log2BitsPerEntropy: Float

    /// Makes a checkpoint of stored values.
    package init(unit: Int, log2NoiseScale: Float, surplus: Double, accountedFrames: Int, log2BitsPerEntropy: Float) {
        self.unit = unit
        self.log2NoiseScale = log2NoiseScale
        self.surplus = surplus
        self.accountedFrames = accountedFrames
        self.log2BitsPerEntropy = log2BitsPerEntropy
    }
}
