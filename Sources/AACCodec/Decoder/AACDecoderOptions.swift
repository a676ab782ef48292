// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What a caller wants of a decoder beyond the stream's own terms.
public struct AACDecoderOptions: Hashable, Sendable {
    /// The order of the channels that come out.
    public enum ChannelOrder: Hashable, Sendable {
        /// That of WAV files: front left, front right, centre, low frequency, back, sides. The default.
        case wav
        /// That of the elements in the stream: centre first.
        case bitstream
    }

    /// How many channels come out.
    public enum Downmix: Hashable, Sendable {
        /// All of the stream. The default.
        case none
        /// Two at most.
        case stereo
        /// One.
        case mono
    }

    /// The order of the channels.
    public var channelOrder = ChannelOrder.wav

    /// Whether channels are mixed down (ISO/IEC 14496-3:2009, 4.5.1.2.2), and to how many.
    public var downmix = Downmix.none

    /// Makes options that pass all channels on in the order of WAV files.
    public init() {}
}
