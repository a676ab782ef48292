// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

extension USACConfig {
    /// Creates the configuration of an encoder: one channel element, between elements for audio pre-rolls and for padding.
    ///
    /// Access units have 1024 sample frames, or 2048 with enhanced SBR, whose ratio is 2:1.
    ///
    /// - Parameters:
    ///   - sampleRate: The output sample rate, in hertz. Decoders may refuse rates without an index.
    ///   - channelCount: 1 or 2.
    ///   - surround: The configuration of MPEG Surround 2-1-2 with a mono core, or `nil` for a core with all channels.
    ///   - loudness: The loudness metadata, which players on devices require, or `nil` for none.
    ///   - streamIdentifier: A number that distinguishes the streams of a set that players switch between, or `nil` for none.
    package init(
        sampleRate: Int, channelCount: Int, hasNoiseFilling: Bool, sbr: USACSBRConfig? = nil, surround: MPEGSurround212Config? = nil,
        loudness: LoudnessInfoSet? = nil,
        streamIdentifier: UInt16? = nil
    ) {
        precondition(channelCount == 1 || channelCount == 2, "mono or stereo")
        precondition(surround == nil || sbr != nil && channelCount == 2, "MPEG Surround needs a pair with SBR")
        var preRoll = USACElementConfig(kind: .extension)
        preRoll.extensionType = .audioPreRoll
        var channels = USACElementConfig(kind: channelCount == 1 ? .single : .pair)
        channels.hasNoiseFilling = hasNoiseFilling
        channels.sbr = sbr
        channels.surround = surround
        if surround != nil { channels.stereoConfigIndex = 1 }
        // The type of an extension element is padding if nothing else is set.
        let elements = [preRoll, channels, USACElementConfig(kind: .extension)]
        var extensions: [USACConfigExtension] = []
        if let loudness {
            var set = BitWriter()
            loudness.write(to: &set)
            extensions.append(USACConfigExtension(type: .loudnessInfo, bytes: set.bytes, firstBit: 0))
        }
        if let streamIdentifier {
            extensions.append(
                USACConfigExtension(
                    type: .streamIdentifier, bytes: [UInt8(streamIdentifier >> 8), UInt8(streamIdentifier & 0xFF)], firstBit: 0))
        }
        var writer = BitWriter()
        Self(sampleRate: sampleRate, channelCount: channelCount, elements, extensions).write(to: &writer)
        guard let written = try? Self(parsing: writer.bytes) else { preconditionFailure("the sample rate is valid") }
        self = written
    }

    /// Creates a configuration without its bytes and the positions of extensions.
    private init(sampleRate: Int, channelCount: Int, _ elements: [USACElementConfig], _ extensions: [USACConfigExtension]) {
        self.sampleRate = sampleRate
        isRateExplicit = !Self.rates.contains(sampleRate)
        frameLengthIndex = elements.contains { $0.sbr != nil } ? 3 : 1
        channelConfigurationIndex = channelCount
        outputPositions = []
        self.elements = elements
        self.extensions = extensions
        loudness = nil
        bytes = []
        bitCount = 0
    }
}

#if !hasFeature(Embedded) || LINNET_USAC
extension AudioSpecificConfig {
    package init(_ usac: USACConfig) {
        self.init(
            objectType: .usac, sampleRate: usac.sampleRate,
            channelConfiguration: ChannelConfiguration(rawValue: usac.channelConfigurationIndex), extensionConfig: .absent)
        specificConfig = .usac(usac)
    }
}
#endif
