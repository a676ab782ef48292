// SPDX-License-Identifier: Apache-2.0

/// Options of a decoder: the order and the number of the channels of its output.
public struct AACDecoderOptions: Hashable, Sendable {
    /// Orders of the channels of the output.
    public enum ChannelOrder: Hashable, Sendable {
        /// The order of WAV files: front left, front right, centre, low frequency, back, sides. The default.
        case wav
        /// The order of the elements in the stream: centre first.
        case bitstream
    }

    /// Numbers of channels of the output.
    public enum Downmix: Hashable, Sendable {
        /// All channels of the stream. The default.
        case none
        /// At most two channels.
        case stereo
        /// One channel.
        case mono
    }

    /// The order of the channels of the output.
    public var channelOrder = ChannelOrder.wav

    /// Whether channels are mixed down, and to how many, with the matrix of ISO/IEC 14496-3:2009, 4.5.1.2.2.
    public var downmix = Downmix.none

    /// Creates options for all channels in the order of WAV files.
    public init() {}
}
