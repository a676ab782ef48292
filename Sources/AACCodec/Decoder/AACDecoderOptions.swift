// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The channel order, channel count and level of a decoder's output.
public struct AACDecoderOptions: Hashable, Sendable {
    /// The order of output channels.
    public enum ChannelOrder: Hashable, Sendable {
        /// WAVE order: front left, front right, centre, low frequency, back, sides. The default.
        case wav
        /// The element order of the stream, centre first.
        case bitstream
    }

    /// The number of output channels.
    public enum Downmix: Hashable, Sendable {
        /// All channels of the stream. The default.
        case none
        /// At most two channels.
        case stereo
        /// One channel.
        case mono
    }

    /// The order of output channels.
    public var channelOrder = ChannelOrder.wav

    /// The downmix, with the matrix of ISO/IEC 14496-3:2009, 4.5.1.2.2.
    ///
    /// Channels without known speakers are mixed as the usual layout for their number; two have the same gain in mono.
    public var downmix = Downmix.none

    /// The weight of gains above 0 dB that the stream signals for dynamic range control, 0 (the default) to 1.
    ///
    /// Control makes quiet passages louder and loud ones quieter (ISO/IEC 14496-3:2009, 4.5.2.7). It does not apply to AAC-LD, AAC-ELD,
    /// xHE-AAC and the long-term prediction object type. With SBR, a frame of short windows uses the gains of its last window.
    public var dynamicRangeBoost = 0.0

    /// The weight of gains below 0 dB, 0 (the default) to 1.
    public var dynamicRangeCut = 0.0

    /// The output level for the program reference level that the stream signals, in dB relative to full scale, at most 0.
    ///
    /// The stream's level corresponds to its loudness in LUFS. `nil`, the default, and streams without a level leave the output
    /// unchanged. A positive gain can exceed full scale.
    public var referenceLevel: Double?

    /// Creates options for all channels in WAVE order.
    public init() {}

    /// Returns the factor from a level or loudness in dB to ``referenceLevel``, limited to a headroom in dB; 1 without a reference level.
    package func factor(fromLevel level: Double, headroom: Double = .infinity) -> Float {
        guard let referenceLevel, referenceLevel.isFinite else { return 1 }
        return Float(PortableMath.power(10, min(min(max(referenceLevel, -100), 0) - level, headroom) / 20))
    }
}
