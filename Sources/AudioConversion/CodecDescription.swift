// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The description of an encoder or a decoder: what it takes, what it makes, and who made it.
public struct CodecDescription: Hashable, Sendable {
    /// The direction of a codec.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// PCM to packets (`aenc` of Core Audio).
        case encoder
        /// Packets to PCM (`adec` of Core Audio).
        case decoder
    }

    /// The implementations that a program can choose among.
    public enum Maker: String, Hashable, Sendable, CaseIterable {
        /// This library.
        case linnet
        /// libopus, loaded at run time; not on Apple's systems, which have Opus of their own.
        case libopus
        /// Apple's system, in software (`appl` of Core Audio).
        case appleSoftware
        /// Apple's system, in hardware (`aphw` of Core Audio).
        case appleHardware

        /// Whether the work is done by hardware.
        public var isHardware: Bool { self == .appleHardware }
    }

    /// The sample rates that a codec supports, in hertz.
    public enum SampleRates: Hashable, Sendable {
        /// These rates, ascending.
        case list([Int])
        /// All rates of a range.
        case range(ClosedRange<Int>)

        /// Whether a rate is supported.
        public func contains(_ rate: Int) -> Bool {
            switch self {
            case .list(let rates): rates.contains(rate)
            case .range(let range): range.contains(rate)
            }
        }
    }

    /// Encoder or decoder.
    public var kind: Kind
    /// The code of the codec in Core Audio, such as `aac `.
    public var formatID: FourCharCode
    /// The usual name, such as `HE-AAC`.
    public var name: String
    /// The implementation.
    public var maker: Maker
    /// The sample rates of PCM.
    public var sampleRates: SampleRates
    /// The layouts of PCM, by ascending number of channels, in the order of channels that is expected or given by default.
    public var channelLayouts: [ChannelLayout]
    /// The range of constant quality of an encoder; nil if it has none, and for decoders.
    public var quality: ClosedRange<Double>?
    /// The lengths of packets in sample frames, ascending: at the rate of the PCM, for Opus at 48 kHz.
    public var framesPerPacket: [Int]
    /// The number of bytes that no packet of one channel exceeds; with more channels in proportion.
    package var maximumPacketByteCountPerChannel: Int
    /// The decoded frames before the first input frame, for each of ``framesPerPacket`` or one for all; for a decoder those of them that it adds.
    public var delay: [Int]
    /// Whether it can be used now: an implementation in a library that is not installed can't.
    public var isAvailable: Bool

    /// The numbers of channels.
    public var channelCounts: [Int] { channelLayouts.map(\.channelCount) }

    /// Whether PCM of a rate and a number of channels is supported.
    public func supports(sampleRate: Int, channelCount: Int) -> Bool {
        sampleRates.contains(sampleRate) && channelCounts.contains(channelCount)
    }
}
