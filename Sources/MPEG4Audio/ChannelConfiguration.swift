// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The kinds of element that carry channels, in a raw data block (`id_syn_ele`).
package enum ChannelElement: Hashable, Sendable {
    /// One channel (SCE).
    case single
    /// Two channels (CPE).
    case pair
    /// Low-frequency effects (LFE).
    case lowFrequency

    /// Channels in the element.
    public var channelCount: Int { self == .pair ? 2 : 1 }
}

/// A channel layout with a number of its own (`channelConfiguration`, ISO/IEC 14496-3:2009, Table 1.19, and its amendment 4).
public struct ChannelConfiguration: Hashable, Sendable {
    /// 1 to 7, 11, 12 or 14.
    public let rawValue: Int

    /// Elements in the order of the raw data block.
    package let elements: [ChannelElement]

    /// Speakers in the order of the channels in the elements, by the standard.
    public let layout: ChannelLayout

    /// The speakers at which decoders place the channels.
    ///
    /// Configuration 7 has those of 12: the standard gives it four front channels, but encoders in use write ordinary 7.1 with it, and decoders
    /// read it so.
    package var decodedLayout: ChannelLayout { rawValue == 7 ? ChannelConfiguration(channelCount: 8)?.layout ?? layout : layout }

    /// The number of channels.
    public var channelCount: Int { layout.channelCount }

    /// All configurations, by ascending number.
    package static let all: [ChannelConfiguration] = [
        ChannelConfiguration(1, [.single], [.center]),
        ChannelConfiguration(2, [.pair], [.left, .right]),
        ChannelConfiguration(3, [.single, .pair], [.center, .left, .right]),
        ChannelConfiguration(4, [.single, .pair, .single], [.center, .left, .right, .backCenter]),
        ChannelConfiguration(5, [.single, .pair, .pair], [.center, .left, .right, .sideLeft, .sideRight]),
        ChannelConfiguration(
            6, [.single, .pair, .pair, .lowFrequency], [.center, .left, .right, .sideLeft, .sideRight, .lowFrequency]),
        ChannelConfiguration(
            7, [.single, .pair, .pair, .pair, .lowFrequency],
            [.center, .leftOfCenter, .rightOfCenter, .left, .right, .sideLeft, .sideRight, .lowFrequency]),
        ChannelConfiguration(
            11, [.single, .pair, .pair, .single, .lowFrequency],
            [.center, .left, .right, .sideLeft, .sideRight, .backCenter, .lowFrequency]),
        ChannelConfiguration(
            12, [.single, .pair, .pair, .pair, .lowFrequency],
            [.center, .left, .right, .sideLeft, .sideRight, .backLeft, .backRight, .lowFrequency]),
        ChannelConfiguration(
            14, [.single, .pair, .pair, .lowFrequency, .pair],
            [.center, .left, .right, .sideLeft, .sideRight, .lowFrequency, .topLeft, .topRight]),
    ]

    /// Creates an entry of the table.
    private init(_ rawValue: Int, _ elements: [ChannelElement], _ speakers: [Speaker]) {
        self.rawValue = rawValue
        self.elements = elements
        layout = ChannelLayout(speakers)
    }

    /// The configuration with a number; nil for 0 (layout in a PCE) and the reserved ones.
    public init?(rawValue: Int) {
        guard let match = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = match
    }

    /// The usual configuration with so many channels: 1 to 6, and 12 for 8 channels; nil for 7 and more than 8.
    public init?(channelCount: Int) {
        guard channelCount != 7 else { return nil }
        guard let match = Self.all.first(where: { $0.rawValue != 7 && $0.channelCount == channelCount }) else { return nil }
        self = match
    }

    /// Core Audio's tag for the layout in the order of the elements (`kAudioChannelLayoutTag_AAC_…`).
    package var layoutTag: Int? {
        let number: [Int: Int] = [1: 100, 2: 101, 3: 114, 4: 116, 5: 120, 6: 124, 7: 127, 11: 142, 12: 183, 14: 184]
        return number[rawValue].map { $0 << 16 | channelCount }
    }
}
