// SPDX-License-Identifier: Apache-2.0

/// The way from the streams in an Opus packet to the channels of the output (RFC 7845 5.1.1).
///
/// The first streams of a packet, the coupled ones, decode to two channels, the others to one. Each channel of
/// the output takes one of these decoded channels. Only the families with defined speakers are supported: 0 with one or two channels and
/// 1 with up to eight.
public struct OpusChannelMapping: Hashable, Sendable {
    /// The family, which gives the channels their speakers: 0 or 1.
    package let family: Int

    /// The number of Opus streams in a packet, at least 1.
    package let streamCount: Int

    /// The number of streams that are decoded to two channels, at most ``streamCount``.
    package let coupledCount: Int

    /// The decoded channel that each channel of the output takes, or ``silence``.
    package let channels: [UInt8]

    /// The entry of ``channels`` for a channel without a signal.
    package static let silence: UInt8 = 255

    /// The largest number of channels of the supported families.
    package static let maximumChannelCount = 8

    /// Creates a mapping from the fields of a channel mapping table.
    ///
    /// - Parameters:
    ///   - family: The family, 0 or 1.
    ///   - streamCount: The number of streams in a packet.
    ///   - coupledCount: The number of streams with two channels.
    ///   - channels: The decoded channel of each channel of the output.
    /// - Throws: ``CodecError`` if the family is unsupported, has no such number of channels, or a field is out of range.
    package init(family: Int, streamCount: Int, coupledCount: Int, channels: [UInt8]) throws(CodecError) {
        try Self.check(channelCount: channels.count, family: family)
        guard streamCount >= 1, (0...streamCount).contains(coupledCount), streamCount + coupledCount <= 255 else {
            throw .invalidStreamCounts(streams: streamCount, coupled: coupledCount)
        }
        let decoded = streamCount + coupledCount
        for index in channels where index != Self.silence && Int(index) >= decoded {
            throw .invalidChannelIndex(Int(index), decodedChannels: decoded)
        }
        if family == 0 {
            guard streamCount == 1, coupledCount == channels.count - 1, channels == Array(0..<UInt8(channels.count)) else {
                throw .invalidStreamCounts(streams: streamCount, coupled: coupledCount)
            }
        }
        self.family = family
        self.streamCount = streamCount
        self.coupledCount = coupledCount
        self.channels = channels
    }

    /// Creates the mapping that encoders use for a number of channels: family 0 up to two, family 1 above, with pairs coupled.
    ///
    /// - Parameters:
    ///   - channelCount: The number of channels, 1 to 8.
    ///   - family: The family; nil for the smallest that has the number of channels.
    /// - Throws: ``CodecError/unsupportedChannelCount(_:allowed:)``, ``CodecError/unsupportedMappingFamily(_:)``.
    public init(channelCount: Int, family: Int? = nil) throws(CodecError) {
        let family = family ?? (channelCount <= 2 ? 0 : 1)
        try Self.check(channelCount: channelCount, family: family)
        let entry = Self.usual[channelCount - 1]
        self.family = family
        streamCount = entry.streams
        coupledCount = channelCount - entry.streams
        channels = entry.channels
    }

    /// The number of channels of the output.
    public var channelCount: Int { channels.count }

    /// The speakers of the output: mono, stereo, or the Vorbis order (RFC 7845 5.1.1.2).
    ///
    /// The rear speakers of five and six channels are the surround speakers that other codecs' layouts of 5.0 and 5.1 have here.
    public var channelLayout: ChannelLayout { ChannelLayout(Self.speakers[channelCount - 1]) }

    /// Checks that a family has so many channels.
    private static func check(channelCount: Int, family: Int) throws(CodecError) {
        guard family == 0 || family == 1 else { throw .unsupportedMappingFamily(family) }
        guard (1...(family == 0 ? 2 : maximumChannelCount)).contains(channelCount) else {
            throw .unsupportedChannelCount(channelCount, allowed: Array(1...(family == 0 ? 2 : 8)))
        }
    }

    /// The numbers of streams and the mappings that encoders use, for 1 to 8 channels: left and right of each pair in one stream.
    private static let usual: [(streams: Int, channels: [UInt8])] = [
        (1, [0]), (1, [0, 1]), (2, [0, 2, 1]), (2, [0, 1, 2, 3]), (3, [0, 4, 1, 2, 3]), (4, [0, 4, 1, 2, 3, 5]),
        (4, [0, 4, 1, 2, 3, 5, 6]), (5, [0, 6, 1, 2, 3, 4, 5, 7]),
    ]

    /// The speakers of 1 to 8 channels.
    private static let speakers: [[Speaker]] = [
        [.center],
        [.left, .right],
        [.left, .center, .right],
        [.left, .right, .backLeft, .backRight],
        [.left, .center, .right, .sideLeft, .sideRight],
        [.left, .center, .right, .sideLeft, .sideRight, .lowFrequency],
        [.left, .center, .right, .sideLeft, .sideRight, .backCenter, .lowFrequency],
        [.left, .center, .right, .sideLeft, .sideRight, .backLeft, .backRight, .lowFrequency],
    ]
}
