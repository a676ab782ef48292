// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The configuration of unified speech and audio coding, the codec of xHE-AAC (`UsacConfig`, ISO/IEC 23003-3, 5.2).
package struct USACConfig: Hashable, Sendable {
    /// The ratio of the output rate to that of the core (`sbrRatioIndex`).
    package enum SBRRatio: Hashable, Sendable {
        /// No enhanced SBR.
        case none
        /// 2:1, a core of 1024 samples.
        case twoToOne
        /// 8:3, a core of 768 samples.
        case eightToThree
        /// 4:1, a core of 1024 samples.
        case fourToOne
    }

    /// The sample rate of the output in hertz.
    package let sampleRate: Int
    /// Whether the rate is sent in hertz instead of by its index.
    let isRateExplicit: Bool
    /// The code of core frame and SBR ratio, 0 to 4 (`coreSbrFrameLengthIndex`).
    package let frameLengthIndex: Int
    /// The code of the layout, 0 to 12; with 0 there are ``outputPositions`` (`channelConfigurationIndex`).
    package let channelConfigurationIndex: Int
    /// The codes of the speakers where the layout has no code (`bsOutputChannelPos`); empty otherwise.
    package let outputPositions: [UInt8]
    /// The elements of a frame, in order.
    package let elements: [USACElementConfig]
    /// The extensions of the configuration, in order.
    package let extensions: [USACConfigExtension]
    /// The loudness of the programme; nil if the configuration has none that can be read.
    package let loudness: LoudnessInfoSet?
    /// The coded form: whole bytes, the last one filled up with zeros.
    package let bytes: [UInt8]
    /// The length of the coded form in bits.
    package let bitCount: Int

    /// The largest number of channels that a configuration may have.
    package static let maximumChannelCount = 8
    /// The largest number of elements that a configuration may have.
    package static let maximumElementCount = 32

    /// Samples of a core frame, 1024 or 768.
    package var coreFrameLength: Int { frameLengthIndex == 0 || frameLengthIndex == 2 ? 768 : 1024 }

    /// Sample frames of the output of an access unit: 768, 1024, 2048 or 4096.
    package var frameLength: Int { [768, 1024, 2048, 2048, 4096][frameLengthIndex] }

    /// The ratio of the output rate to that of the core.
    package var sbrRatio: SBRRatio { [.none, .none, .eightToThree, .twoToOne, .fourToOne][frameLengthIndex] }

    /// The sample rate of the core in hertz, rounded down.
    package var coreSampleRate: Int {
        switch sbrRatio {
        case .none: sampleRate
        case .twoToOne: sampleRate / 2
        case .eightToThree: sampleRate * 3 / 8
        case .fourToOne: sampleRate / 4
        }
    }

    /// The number of channels of the output.
    package var channelCount: Int { elements.reduce(0) { $0 + $1.channelCount } }

    /// The streamIdentifier of the configuration, which tells streams apart that are otherwise configured alike; nil without one.
    package var streamIdentifier: Int? {
        guard let found = extensions.first(where: { $0.type == .streamIdentifier }), found.bytes.count >= 2 else { return nil }
        return Int(found.bytes[0]) << 8 | Int(found.bytes[1])
    }

    /// Whether there is dynamic range control (uniDRC), which is skipped.
    package var hasDynamicRangeControl: Bool { elements.contains { $0.kind == .extension && $0.extensionType == .dynamicRangeControl } }

    /// Whether access units may carry an audio pre-roll.
    package var hasAudioPreRoll: Bool { elements.contains { $0.kind == .extension && $0.extensionType == .audioPreRoll } }

    /// The speakers of the channels in the order of the elements; nil if they have no names here, as two independent channels.
    package var channelLayout: ChannelLayout? {
        let layout: ChannelLayout? =
            switch channelConfigurationIndex {
            case 0: ChannelLayout(known: outputPositions.map(Self.speaker))
            case 9: ChannelLayout([.left, .right, .backCenter])
            case 10: ChannelLayout([.left, .right, .sideLeft, .sideRight])
            default: ChannelConfiguration(rawValue: channelConfigurationIndex)?.layout
            }
        return layout?.channelCount == channelCount ? layout : nil
    }

    /// Returns the speaker of a code of `bsOutputChannelPos`; nil for those without a name here.
    private static func speaker(_ position: UInt8) -> Speaker? {
        let speakers: [Speaker] = [
            .left, .right, .center, .lowFrequency, .sideLeft, .sideRight, .leftOfCenter, .rightOfCenter, .backLeft, .backRight,
            .backCenter,
        ]
        return position < speakers.count ? speakers[Int(position)] : position == 17 ? .topLeft : position == 18 ? .topRight : nil
    }
}

/// The configuration of one element of a frame (`UsacDecoderConfig`, ISO/IEC 23003-3, 5.2).
package struct USACElementConfig: Hashable, Sendable {
    /// The kinds of elements (`usacElementType`).
    package enum Kind: Int, Hashable, Sendable {
        /// One channel.
        case single = 0
        /// Two channels.
        case pair
        /// Low-frequency effects.
        case lowFrequency
        /// Data that is not a channel.
        case `extension`
    }

    /// The kind.
    package var kind: Kind
    /// Whether frames may have noise filling.
    package var hasNoiseFilling = false
    /// The configuration of enhanced SBR; nil without SBR and in elements that have none.
    package var sbr: USACSBRConfig?
    /// The combination of core channels, SBR and MPEG Surround of a pair, 0 to 3.
    package var stereoConfigIndex = 0
    /// The configuration of MPEG Surround 2-1-2; nil without it.
    package var surround: MPEGSurround212Config?
    /// The type of an extension.
    package var extensionType = USACExtensionType.fill
    /// The configuration of an extension.
    package var extensionConfig: [UInt8] = []
    /// The length of payloads that state none, in bytes.
    package var defaultLength = 0
    /// Whether payloads may be divided among frames.
    package var isFragmented = false

    /// Channels of the output.
    package var channelCount: Int { kind == .extension ? 0 : kind == .pair ? 2 : 1 }

    /// Channels of the core coder: one of a pair with MPEG Surround and without residual.
    package var coreChannelCount: Int { kind == .pair && stereoConfigIndex == 1 ? 1 : channelCount }

    /// Channels of the SBR data.
    package var sbrChannelCount: Int {
        sbr == nil ? 0 : kind == .pair && (stereoConfigIndex == 0 || stereoConfigIndex == 3) ? 2 : 1
    }

    /// Creates the configuration of an element without tools.
    package init(kind: Kind) { self.kind = kind }
}

/// The type of an extension element (`usacExtElementType`).
package struct USACExtensionType: RawRepresentable, Hashable, Sendable {
    /// The code.
    package let rawValue: Int

    /// Creates a type of its code.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Filling.
    package static let fill = USACExtensionType(rawValue: 0)
    /// Access units to decode before the one that carries them.
    package static let audioPreRoll = USACExtensionType(rawValue: 3)
    /// Dynamic range control (uniDRC).
    package static let dynamicRangeControl = USACExtensionType(rawValue: 4)
}

/// An extension of a configuration (`UsacConfigExtension`).
package struct USACConfigExtension: Hashable, Sendable {
    /// The types of extensions (`usacConfigExtType`).
    package struct ExtensionType: RawRepresentable, Hashable, Sendable {
        /// The code.
        package let rawValue: Int

        /// Creates a type of its code.
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Filling.
        package static let fill = ExtensionType(rawValue: 0)
        /// The loudness of the programme.
        package static let loudnessInfo = ExtensionType(rawValue: 2)
        /// A number that tells streams apart.
        package static let streamIdentifier = ExtensionType(rawValue: 7)
    }

    /// The type.
    package var type: ExtensionType
    /// The content.
    package var bytes: [UInt8]
}
