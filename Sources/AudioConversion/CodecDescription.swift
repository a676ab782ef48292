// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The properties of an encoder or decoder: supported formats, delay and implementation.
public struct CodecDescription: Hashable, Sendable {
    /// The direction of a codec.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// PCM to packets (`aenc` of Core Audio).
        case encoder
        /// Packets to PCM (`adec` of Core Audio).
        case decoder
    }

    /// An implementation that a program can choose.
    public enum Maker: String, Hashable, Sendable, CaseIterable {
        /// Linnet itself.
        case linnet
        /// libopus, loaded at run time. Not on Apple platforms, which include Opus.
        case libopus
        /// Apple's system codec, in software (`appl` of Core Audio).
        case appleSoftware
        /// Apple's system codec, in hardware (`aphw` of Core Audio).
        case appleHardware

        /// Whether the codec is a hardware codec.
        public var isHardware: Bool { self == .appleHardware }
    }

    /// The supported sample rates, in hertz.
    public enum SampleRates: Hashable, Sendable {
        /// A list of rates in ascending order.
        case list([Int])
        /// All rates in a range.
        case range(ClosedRange<Int>)

        /// Whether a sample rate is supported.
        public func contains(_ rate: Int) -> Bool {
            switch self {
            case .list(let rates): rates.contains(rate)
            case .range(let range): range.contains(rate)
            }
        }
    }

    /// Encoder or decoder.
    public var kind: Kind
    /// The Core Audio format ID, such as `aac `.
    public var formatID: FourCharCode
    /// The common name, such as `HE-AAC`.
    public var name: String
    /// The implementation in use.
    public var maker: Maker
    /// The supported PCM sample rates.
    public var sampleRates: SampleRates
    /// The supported PCM layouts in ascending order of channel count, with the default channel order.
    public var channelLayouts: [ChannelLayout]
    /// The range of an encoder's constant quality, or `nil` if unsupported and for decoders.
    public var quality: ClosedRange<Double>?
    /// The supported packet lengths in sample frames, ascending: at the PCM sample rate, or at 48 kHz for Opus.
    public var framesPerPacket: [Int]
    /// The maximum packet size of one channel, in bytes.
    ///
    /// Multiply by the channel count for more.
    package var maximumPacketByteCountPerChannel: Int
    /// The priming in decoded frames, for each of ``framesPerPacket`` or one value for all; for a decoder, the part that it adds.
    public var delay: [Int]
    /// Whether the codec can be used.
    ///
    /// False if its library is not installed.
    public var isAvailable: Bool

    /// The supported channel counts, ascending.
    public var channelCounts: [Int] { channelLayouts.map(\.channelCount) }

    /// Whether PCM with a sample rate and channel count is supported.
    public func supports(sampleRate: Int, channelCount: Int) -> Bool {
        sampleRates.contains(sampleRate) && channelCounts.contains(channelCount)
    }
}
