// SPDX-License-Identifier: Apache-2.0

/// The contents of one access unit.
public struct CheckedAccessUnit: Sendable {
    /// All bits up to and including END.
    public var bitCount = 0
    /// The channels in the order of the bitstream.
    public var channels: [CheckedChannel] = []
    /// Bands coded as mid and side, over all pairs, groups and bands.
    public var midSideBandCount = 0
    /// Bits in fill elements.
    public var fillBitCount = 0
}

/// The contents of one channel.
public struct CheckedChannel: Sendable {
    /// `window_sequence`.
    public var windowSequence = 0
    /// `window_shape`.
    public var windowShape = 0
    /// `max_sfb`.
    public var maxSFB = 0
    /// Windows in each group.
    public var groupLengths = [1]
    /// The codebook of each group and band below `maxSFB`.
    public var codebooks: [[Int]] = []
    /// Scale factor, noise energy or intensity position of each group and band.
    public var scaleFactors: [[Int]] = []
    /// The number of TNS filters of an order above 0.
    public var tnsFilterCount = 0
    /// Quantised values in the order of the bitstream, zero sections left out.
    public var quantized: [Int] = []

    /// Bands with noise substitution.
    public var noiseBandCount: Int { codebooks.joined().count { $0 == 13 } }
    /// Bands with intensity stereo.
    public var intensityBandCount: Int { codebooks.joined().count { $0 == 14 || $0 == 15 } }
}
