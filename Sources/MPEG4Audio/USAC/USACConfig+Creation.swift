// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

extension USACConfig {
    /// Creates the configuration of an encoder: one channel element without SBR, between elements for audio pre-rolls and for padding.
    ///
    /// Access units have 1024 sample frames.
    ///
    /// - Parameters:
    ///   - sampleRate: In hertz. Decoders may refuse rates without an index.
    ///   - channelCount: 1 or 2.
    package init(sampleRate: Int, channelCount: Int, hasNoiseFilling: Bool) {
        precondition(channelCount == 1 || channelCount == 2, "mono or stereo")
        var preRoll = USACElementConfig(kind: .extension)
        preRoll.extensionType = .audioPreRoll
        var channels = USACElementConfig(kind: channelCount == 1 ? .single : .pair)
        channels.hasNoiseFilling = hasNoiseFilling
        // The type of an extension element is padding if nothing else is set.
        let elements = [preRoll, channels, USACElementConfig(kind: .extension)]
        var writer = BitWriter()
        Self(sampleRate: sampleRate, channelCount: channelCount, elements, bytes: [], bitCount: 0).write(to: &writer)
        self.init(sampleRate: sampleRate, channelCount: channelCount, elements, bytes: writer.bytes, bitCount: writer.bitCount)
    }

    private init(sampleRate: Int, channelCount: Int, _ elements: [USACElementConfig], bytes: [UInt8], bitCount: Int) {
        self.sampleRate = sampleRate
        isRateExplicit = !Self.rates.contains(sampleRate)
        frameLengthIndex = 1
        channelConfigurationIndex = channelCount
        outputPositions = []
        self.elements = elements
        extensions = []
        loudness = nil
        self.bytes = bytes
        self.bitCount = bitCount
    }
}

#if !hasFeature(Embedded) || LINNET_USAC
extension AudioSpecificConfig {
    /// Creates the configuration of a USAC stream.
    package init(_ usac: USACConfig) {
        self.init(
            objectType: .usac, sampleRate: usac.sampleRate,
            channelConfiguration: ChannelConfiguration(rawValue: usac.channelConfigurationIndex), extensionConfig: .absent)
        specificConfig = .usac(usac)
    }
}
#endif
