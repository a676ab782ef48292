// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The USAC (xHE-AAC) configuration (`UsacConfig`, ISO/IEC 23003-3, 5.2).
package struct USACConfig: Hashable, Sendable {
    /// The ratio of output to core sample rate (`sbrRatioIndex`).
    package enum SBRRatio: Hashable, Sendable {
        /// No enhanced SBR.
        case none
        /// 2:1, with a core frame length of 1024.
        case twoToOne
        /// 8:3, with a core frame length of 768.
        case eightToThree
        /// 4:1, with a core frame length of 1024.
        case fourToOne
    }

    /// The output sample rate, in hertz.
    package let sampleRate: Int
    /// Whether the rate is coded in hertz instead of as an index.
    let isRateExplicit: Bool
    /// The code for core frame length and SBR ratio, 0 to 4 (`coreSbrFrameLengthIndex`).
    package let frameLengthIndex: Int
    /// The layout code, 0 to 12, where 0 selects ``outputPositions`` (`channelConfigurationIndex`).
    package let channelConfigurationIndex: Int
    /// The speaker codes of an explicit layout (`bsOutputChannelPos`), otherwise empty.
    package let outputPositions: [UInt8]
    /// The elements of a frame, in order.
    package let elements: [USACElementConfig]
    /// The configuration extensions, in order.
    package let extensions: [USACConfigExtension]
    /// The loudness metadata, if present and readable.
    package let loudness: LoudnessInfoSet?
    /// The coded configuration, zero-padded to whole bytes.
    package let bytes: [UInt8]
    /// The size of the coded configuration, in bits.
    package let bitCount: Int

    package static let maximumChannelCount = 8
    package static let maximumElementCount = 32

    /// The core frame length in samples, 1024 or 768.
    package var coreFrameLength: Int { frameLengthIndex == 0 || frameLengthIndex == 2 ? 768 : 1024 }

    /// Output sample frames per access unit: 768, 1024, 2048 or 4096.
    package var frameLength: Int { [768, 1024, 2048, 2048, 4096][frameLengthIndex] }

    /// The ratio of output to core sample rate.
    package var sbrRatio: SBRRatio { [.none, .none, .eightToThree, .twoToOne, .fourToOne][frameLengthIndex] }

    /// The core sample rate in hertz, rounded down.
    package var coreSampleRate: Int {
        switch sbrRatio {
        case .none: sampleRate
        case .twoToOne: sampleRate / 2
        case .eightToThree: sampleRate * 3 / 8
        case .fourToOne: sampleRate / 4
        }
    }

    /// The output channel count.
    package var channelCount: Int { elements.reduce(0) { $0 + $1.channelCount } }

    /// The `streamIdentifier`, which distinguishes streams with otherwise equal configurations, if present.
    package var streamIdentifier: Int? {
        guard let found = extensions.first(where: { $0.type == .streamIdentifier }), found.bytes.count >= 2 else { return nil }
        return Int(found.bytes[0]) << 8 | Int(found.bytes[1])
    }

    /// Whether the stream has dynamic range control (uniDRC), which is skipped.
    package var hasDynamicRangeControl: Bool { elements.contains { $0.kind == .extension && $0.extensionType == .dynamicRangeControl } }

    /// Whether access units can carry an audio pre-roll.
    package var hasAudioPreRoll: Bool { elements.contains { $0.kind == .extension && $0.extensionType == .audioPreRoll } }

    /// Returns whether an access unit references no other one.
    package func isIndependent(_ accessUnit: [UInt8]) -> Bool { accessUnit.first.map { $0 & 0x80 != 0 } ?? false }

    /// Returns whether decoding can start at an access unit with complete output.
    ///
    /// With pre-rolls, it must be an immediate playout frame: independent, and with a pre-roll, whose flag is the second bit.
    package func isAccessPoint(_ accessUnit: [UInt8]) -> Bool {
        isIndependent(accessUnit) && (!hasPreRolls || accessUnit[0] & 0x40 != 0)
    }

    /// Whether access units can begin with a pre-roll.
    package var hasPreRolls: Bool { elements.first.map { $0.kind == .extension && $0.extensionType == .audioPreRoll } ?? false }

    /// The number of access units after an independent one until the output is complete.
    package var recoveryUnitCount: Int {
        sbrRatio == .none ? 1 : elements.contains { $0.sbr?.isHarmonic == true } ? 3 : 2
    }

    /// The speakers in element order, or `nil` if they have no names, for example two independent channels.
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

    /// Returns the speaker for a `bsOutputChannelPos` code, if it has a name.
    private static func speaker(_ position: UInt8) -> Speaker? {
        let speakers: [Speaker] = [
            .left, .right, .center, .lowFrequency, .sideLeft, .sideRight, .leftOfCenter, .rightOfCenter, .backLeft, .backRight,
            .backCenter,
        ]
        return position < speakers.count ? speakers[Int(position)] : position == 17 ? .topLeft : position == 18 ? .topRight : nil
    }
}

/// The configuration of a frame element (`UsacDecoderConfig`, ISO/IEC 23003-3, 5.2).
package struct USACElementConfig: Hashable, Sendable {
    /// The element types (`usacElementType`).
    package enum Kind: Int, Hashable, Sendable {
        /// One channel.
        case single = 0
        /// Two channels.
        case pair
        /// Low-frequency effects.
        case lowFrequency
        /// Data other than a channel.
        case `extension`
    }

    package var kind: Kind
    /// Whether frames can have noise filling.
    package var hasNoiseFilling = false
    /// The enhanced SBR configuration, if used.
    package var sbr: USACSBRConfig?
    /// The combination of core channels, SBR and MPEG Surround in a pair, 0 to 3.
    package var stereoConfigIndex = 0
    /// The MPEG Surround 2-1-2 configuration, if used.
    package var surround: MPEGSurround212Config?
    package var extensionType = USACExtensionType.fill
    package var extensionConfig: [UInt8] = []
    /// The size of payloads without an explicit length, in bytes.
    package var defaultLength = 0
    /// Whether payloads can be split across frames.
    package var isFragmented = false

    /// The output channel count.
    package var channelCount: Int { kind == .extension ? 0 : kind == .pair ? 2 : 1 }

    /// The core channel count, which is 1 for a pair with MPEG Surround and no residual.
    package var coreChannelCount: Int { kind == .pair && stereoConfigIndex == 1 ? 1 : channelCount }

    package var sbrChannelCount: Int {
        sbr == nil ? 0 : kind == .pair && (stereoConfigIndex == 0 || stereoConfigIndex == 3) ? 2 : 1
    }

    package init(kind: Kind) { self.kind = kind }
}

/// The type of an extension element (`usacExtElementType`).
package struct USACExtensionType: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Padding.
    package static let fill = USACExtensionType(rawValue: 0)
    /// Access units to decode before the one that carries them.
    package static let audioPreRoll = USACExtensionType(rawValue: 3)
    /// Dynamic range control (uniDRC).
    package static let dynamicRangeControl = USACExtensionType(rawValue: 4)
}

/// A configuration extension (`UsacConfigExtension`).
package struct USACConfigExtension: Hashable, Sendable {
    /// The extension types (`usacConfigExtType`).
    package struct ExtensionType: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Padding.
        package static let fill = ExtensionType(rawValue: 0)
        package static let loudnessInfo = ExtensionType(rawValue: 2)
        /// An identifier that distinguishes streams.
        package static let streamIdentifier = ExtensionType(rawValue: 7)
    }

    package var type: ExtensionType
    package var bytes: [UInt8]
    /// The position of ``bytes`` in the configuration, in bits.
    var firstBit: Int
}
