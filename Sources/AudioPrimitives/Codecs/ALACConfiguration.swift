// SPDX-License-Identifier: Apache-2.0

/// The configuration of an Apple Lossless stream: `ALACSpecificConfig` and an optional `ALACChannelLayoutInfo`.
///
/// These bytes are the magic cookie of Core Audio and the `kuki` chunk of CAF. In the `alac` box of MP4 they follow four bytes of version
/// and flags.
public struct ALACConfiguration: Hashable, Sendable {
    /// The number of sample frames per packet without an explicit count, usually 4096 (`frameLength`).
    public var frameLength: Int

    /// The number of bits per sample: 16, 20, 24 or 32 (`bitDepth`).
    public var bitDepth: Int

    /// The weight of a residual in the running mean that selects the next code, usually 40 (`pb`).
    package var historyMultiplier: Int

    /// The initial running mean, usually 10 (`mb`).
    package var initialHistory: Int

    /// The maximum Golomb code parameter, usually 14 (`kb`).
    package var parameterLimit: Int

    /// The channel count, 1 to 8 (`numChannels`).
    public var channelCount: Int

    /// The maximum run of zeros, usually 255, which decoders do not need (`maxRun`).
    package var maximumRun: Int

    /// The size of the largest packet in bytes, or 0 if unknown (`maxFrameBytes`).
    package var maximumPacketSize: Int

    /// The mean bit rate in bits per second, or 0 if unknown (`avgBitRate`).
    package var averageBitRate: Int

    /// The sample rate, in hertz (`sampleRate`).
    public var sampleRate: Int

    /// The channel layout number, or `nil` without `ALACChannelLayoutInfo` (`channelLayoutTag`).
    package var channelLayoutTag: UInt32?

    /// The supported frame lengths, limited because a few damaged bytes could otherwise request much memory.
    package static let frameLengths = 1...65_536

    package static let bitDepths = [16, 20, 24, 32]

    package static let channelCounts = 1...8

    /// Creates a configuration with the usual entropy coding parameters.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The channel count, 1 to 8.
    ///   - bitDepth: The number of bits per sample: 16, 20, 24 or 32.
    ///   - frameLength: The number of sample frames per packet.
    public init(sampleRate: Int, channelCount: Int, bitDepth: Int = 16, frameLength: Int = 4096) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitDepth = bitDepth
        self.frameLength = frameLength
        (historyMultiplier, initialHistory, parameterLimit, maximumRun) = (40, 10, 14, 255)
        (maximumPacketSize, averageBitRate) = (0, 0)
        channelLayoutTag = Self.layoutTag(channelCount: channelCount)
    }

    /// The speakers in stream order, or `nil` for more than 8 channels.
    ///
    /// The format has one layout per channel count, so no layout tag is needed.
    public var channelLayout: ChannelLayout? {
        Self.layouts.first { $0.speakers.count == channelCount }.map { ChannelLayout($0.speakers) }
    }

    /// Returns the layout number for a channel count, or `nil` for one and two channels, which need none.
    private static func layoutTag(channelCount: Int) -> UInt32? {
        channelCount > 2 ? layouts.first { $0.speakers.count == channelCount }?.tag : nil
    }

    /// The layout number and speakers for each channel count.
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
