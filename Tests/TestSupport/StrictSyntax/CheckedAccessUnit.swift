// SPDX-License-Identifier: Apache-2.0

/// The contents of an access unit.
public struct CheckedAccessUnit: Sendable {
    /// All bits up to and including END.
    public var bitCount = 0
    /// The channels in bitstream order.
    public var channels: [CheckedChannel] = []
    /// The number of M/S bands over all pairs, groups and bands.
    public var midSideBandCount = 0
    /// The bits in fill elements.
    public var fillBitCount = 0
}

/// The contents of a channel.
public struct CheckedChannel: Sendable {
    /// `window_sequence`.
    public var windowSequence = 0
    /// `window_shape`.
    public var windowShape = 0
    /// `max_sfb`.
    public var maxSFB = 0
    /// The number of windows in each group.
    public var groupLengths = [1]
    /// The codebook of each group and band below `maxSFB`.
    public var codebooks: [[Int]] = []
    /// The scale factor, noise energy or intensity position of each group and band.
    public var scaleFactors: [[Int]] = []
    /// The number of TNS filters with an order above 0.
    public var tnsFilterCount = 0
    /// The quantized values in bitstream order, without zero sections.
    public var quantized: [Int] = []

    /// The number of bands with noise substitution.
    public var noiseBandCount: Int { codebooks.joined().count { $0 == 13 } }
    /// The number of bands with intensity stereo.
    public var intensityBandCount: Int { codebooks.joined().count { $0 == 14 || $0 == 15 } }
}
