// SPDX-License-Identifier: Apache-2.0

/// The configuration of an Apple Lossless stream: `ALACSpecificConfig` and, where present, `ALACChannelLayoutInfo`.
///
/// These bytes are the magic cookie of Core Audio, the `kuki` chunk of CAF and, after four bytes of version and flags, the `alac` box of MP4.
public struct ALACConfiguration: Hashable, Sendable {
    /// The number of sample frames of a packet that has no count of its own (`frameLength`); 4096 by custom.
    public var frameLength: Int

    /// The number of bits of a sample: 16, 20, 24 or 32 (`bitDepth`).
    public var bitDepth: Int

    /// The weight of a residual in the running mean from which the code of the next one is chosen (`pb`); 40 by custom.
    package var historyMultiplier: Int

    /// The running mean before the first residual (`mb`); 10 by custom.
    package var initialHistory: Int

    /// The largest parameter of the Golomb codes (`kb`); 14 by custom.
    package var parameterLimit: Int

    /// The number of channels, 1 to 8 (`numChannels`).
    public var channelCount: Int

    /// The longest run of zeros (`maxRun`), which decoders don't need; 255 by custom.
    package var maximumRun: Int

    /// The size of the largest packet in bytes, 0 if it is unknown (`maxFrameBytes`).
    package var maximumPacketSize: Int

    /// The mean bit rate in bits a second, 0 if it is unknown (`avgBitRate`).
    package var averageBitRate: Int

    /// The sample rate in hertz (`sampleRate`).
    public var sampleRate: Int

    /// The number of the channel layout (`channelLayoutTag`), nil without `ALACChannelLayoutInfo`.
    package var channelLayoutTag: UInt32?

    /// The frame lengths that are supported; a longer one would let a few damaged bytes ask for much memory.
    package static let frameLengths = 1...65_536

    /// The sizes of a sample in bits that the format has.
    package static let bitDepths = [16, 20, 24, 32]

    /// The numbers of channels that the format has.
    package static let channelCounts = 1...8

    /// Creates the configuration of a stream with the usual parameters of its entropy coding.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate in hertz.
    ///   - channelCount: The number of channels, 1 to 8.
    ///   - bitDepth: The number of bits of a sample: 16, 20, 24 or 32.
    ///   - frameLength: The number of sample frames of a packet.
    public init(sampleRate: Int, channelCount: Int, bitDepth: Int = 16, frameLength: Int = 4096) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitDepth = bitDepth
        self.frameLength = frameLength
        (historyMultiplier, initialHistory, parameterLimit, maximumRun) = (40, 10, 14, 255)
        (maximumPacketSize, averageBitRate) = (0, 0)
        channelLayoutTag = Self.layoutTag(channelCount: channelCount)
    }

    /// The loudspeakers of the channels in the order of the stream.
    ///
    /// The format has one layout for each number of channels, so that it is known without a layout tag too; nil for more than 8.
    public var channelLayout: ChannelLayout? {
        Self.layouts.first { $0.speakers.count == channelCount }.map { ChannelLayout($0.speakers) }
    }

    /// Returns the layout number of so many channels; nil for one and two, whose layout needs no number.
    private static func layoutTag(channelCount: Int) -> UInt32? {
        channelCount > 2 ? layouts.first { $0.speakers.count == channelCount }?.tag : nil
    }

    /// The layouts of the format: number and loudspeakers, one for each number of channels.
    private static let layouts: [(tag: UInt32, speakers: [Speaker])] = [
        (100 << 16 | 1, [.center]),
        (101 << 16 | 2, [.left, .right]),
        (113 << 16 | 3, [.center, .left, .right]),
        (116 << 16 | 4, [.center, .left, .right, .backCenter]),
        (120 << 16 | 5, [.center, .left, .right, .sideLeft, .sideRight]),
        (124 << 16 | 6, [.center, .left, .right, .sideLeft, .sideRight, .lowFrequency]),
        (142 << 16 | 7, [.center, .left, .right, .sideLeft, .sideRight, .backCenter, .lowFrequency]),
        (127 << 16 | 8, [.center, .leftOfCenter, .rightOfCenter, .left, .right, .sideLeft, .sideRight, .lowFrequency]),
    ]
}
