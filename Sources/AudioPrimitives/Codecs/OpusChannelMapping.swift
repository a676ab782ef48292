// SPDX-License-Identifier: Apache-2.0

/// The mapping from streams in an Opus packet to output channels (RFC 7845 5.1.1).
///
/// The first streams of a packet are coupled and decode to two channels each; the others decode to one. Each output channel uses one of the
/// decoded channels. Only families with defined speakers are supported: 0 with one or two channels and 1 with up to eight.
public struct OpusChannelMapping: Hashable, Sendable {
    /// The family, which defines the speakers: 0 or 1.
    package let family: Int

    /// The number of streams per packet, at least 1.
    package let streamCount: Int

    /// The number of coupled streams, at most ``streamCount``.
    package let coupledCount: Int

    /// The decoded channel of each output channel, or ``silence``.
    package let channels: [UInt8]

    /// The entry of ``channels`` for a silent channel.
    package static let silence: UInt8 = 255

    /// The maximum channel count of the supported families.
    package static let maximumChannelCount = 8

    /// Creates a mapping from the fields of a channel mapping table.
    ///
    /// - Parameters:
    ///   - family: The family, 0 or 1.
    ///   - channels: The decoded channel of each output channel.
    /// - Throws: ``CodecError`` if the family or its channel count is unsupported, or a field is out of range.
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

    /// Creates the usual encoder mapping for a channel count.
    ///
    /// - Parameters:
    ///   - channelCount: The channel count, 1 to 8.
    ///   - family: The family, or `nil` for 0 with one or two channels and 1 with more.
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

    /// The output channel count.
    public var channelCount: Int { channels.count }

    /// The output speakers: mono, stereo, or the Vorbis order (RFC 7845 5.1.1.2).
    ///
    /// For five and six channels, the rear speakers are side speakers, as in the 5.0 and 5.1 layouts of the other codecs.
    public var channelLayout: ChannelLayout { ChannelLayout(Self.speakers[channelCount - 1]) }

    /// Validates that a family supports a channel count.
    private static func check(channelCount: Int, family: Int) throws(CodecError) {
        guard family == 0 || family == 1 else { throw .unsupportedMappingFamily(family) }
        guard (1...(family == 0 ? 2 : maximumChannelCount)).contains(channelCount) else {
            throw .unsupportedChannelCount(channelCount, allowed: Array(1...(family == 0 ? 2 : 8)))
        }
    }

    /// The usual stream counts and mappings for 1 to 8 channels, with left and right of each pair in one stream.
    private static let usual: [(streams: Int, channels: [UInt8])] = [
        (1, [0]), (1, [0, 1]), (2, [0, 2, 1]), (2, [0, 1, 2, 3]), (3, [0, 4, 1, 2, 3]), (4, [0, 4, 1, 2, 3, 5]),
        (4, [0, 4, 1, 2, 3, 5, 6]), (5, [0, 6, 1, 2, 3, 4, 5, 7]),
    ]

    /// The speakers for 1 to 8 channels.
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
