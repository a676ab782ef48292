// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The elements of a raw data block that carry channels (`id_syn_ele`).
package enum ChannelElement: Hashable, Sendable {
    /// One channel (SCE).
    case single
    /// Two channels (CPE).
    case pair
    /// Low-frequency effects (LFE).
    case lowFrequency

    /// The number of channels in the element.
    public var channelCount: Int { self == .pair ? 2 : 1 }
}

/// A numbered channel layout (`channelConfiguration`, ISO/IEC 14496-3:2009, Table 1.19, and amendment 4).
public struct ChannelConfiguration: Hashable, Sendable {
    /// 1 to 7, 11, 12 or 14.
    public let rawValue: Int

    /// The elements in raw data block order.
    package let elements: [ChannelElement]

    /// The speakers in element order, as in the standard.
    public let layout: ChannelLayout

    /// The speakers that decoders assign.
    ///
    /// Configuration 7 is decoded as 12. The standard defines four front channels for it, but encoders use it for common 7.1.
    package var decodedLayout: ChannelLayout { rawValue == 7 ? ChannelConfiguration(channelCount: 8)?.layout ?? layout : layout }

    /// The number of channels.
    public var channelCount: Int { layout.channelCount }

    /// All configurations, sorted by number.
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

    private init(_ rawValue: Int, _ elements: [ChannelElement], _ speakers: [Speaker]) {
        self.rawValue = rawValue
        self.elements = elements
        layout = ChannelLayout(speakers)
    }

    /// Creates the configuration with a number, or returns `nil` for 0 (layout in a PCE) and reserved numbers.
    public init?(rawValue: Int) {
        guard let match = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = match
    }

    /// Creates the common configuration for 1 to 6 or 8 channels, or returns `nil`.
    ///
    /// Eight channels select configuration 12.
    public init?(channelCount: Int) {
        guard channelCount != 7 else { return nil }
        guard let match = Self.all.first(where: { $0.rawValue != 7 && $0.channelCount == channelCount }) else { return nil }
        self = match
    }

    /// Core Audio's tag for the layout in element order (`kAudioChannelLayoutTag_AAC_…`).
    package var layoutTag: Int? {
        let number: [Int: Int] = [1: 100, 2: 101, 3: 114, 4: 116, 5: 120, 6: 124, 7: 127, 11: 142, 12: 183, 14: 184]
        return number[rawValue].map { $0 << 16 | channelCount }
    }
}
