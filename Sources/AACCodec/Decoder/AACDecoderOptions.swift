// SPDX-License-Identifier: Apache-2.0

/// The channel order and channel count of a decoder's output.
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
    public var downmix = Downmix.none

    /// Creates options for all channels in WAVE order.
    public init() {}
}
