// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The configuration of low-delay MPEG Surround 2-1-2, which upmixes a mono AAC-ELD core to stereo (`SpatialSpecificConfig`, ISO/IEC
/// 23003-2).
package struct LowDelaySurroundConfig: Hashable, Sendable {
    /// The output sample rate, in hertz.
    package var sampleRate: Int
    /// The number of time slots per access unit, 1 to 32.
    package var slotCount: Int
    package var tools: MPEGSurround212Config

    /// The lowest sample rate with 64 filter bank bands instead of 32.
    private static let lowestWholeRate = 27_713

    /// The parameter band counts by `bsFreqRes`, where 0 is reserved.
    private static let bandCounts = [0, 23, 15, 12, 9, 7, 5, 4]

    /// The mono to stereo tree (`bsTreeConfig`), the only supported one.
    private static let pairTree = 7

    /// Parses a configuration.
    ///
    /// - Returns: `nil` for reserved values and for unsupported features: other trees, temporal shaping and arbitrary downmix.
    package init?(_ bytes: [UInt8]) {
        var reader = BitReader(bytes)
        let index = Int(reader.read(4))
        let rates = SamplingFrequencyIndex.standardRates
        guard index == 15 || index < rates.count else { return nil }
        sampleRate = index == 15 ? Int(reader.read(24)) : rates[index]
        slotCount = Int(reader.read(5)) + 1
        tools = MPEGSurround212Config()
        tools.bandCount = Self.bandCounts[Int(reader.read(3))]
        guard tools.bandCount > 0, reader.read(4) == Self.pairTree else { return nil }
        // The quantisation mode matters only to encoders.
        reader.skip(2)
        guard !reader.readFlag() else { return nil }
        tools.fixedGain = Int(reader.read(3))
        tools.temporalShaping = Int(reader.read(2))
        tools.decorrelation = Int(reader.read(2))
        tools.isHighRate = true
        guard tools.temporalShaping == 0, tools.decorrelation < 3, !reader.hasOverrun else { return nil }
    }

    /// The number of filter bank bands, 64 or 32.
    package var bankBandCount: Int { sampleRate < Self.lowestWholeRate ? 32 : 64 }
}

extension AudioSpecificConfig {
    /// Whether parametric stereo or low-delay MPEG Surround is signalled.
    package var hasStereoParameters: Bool { extensionConfig.hasParametricStereo == true || lowDelaySurround != nil }

    /// Whether an unsupported kind of low-delay MPEG Surround is signalled, so that only the core is decoded.
    package var leavesOutSurround: Bool { enhancedLowDelay?.surroundBytes != nil && lowDelaySurround == nil }

    /// The low-delay MPEG Surround configuration of AAC-ELD v2.
    ///
    /// `nil` for other streams, and for those decoded as mono because the configuration is unsupported or does not match the sample rate
    /// and frame length.
    package var lowDelaySurround: LowDelaySurroundConfig? {
        guard let enhancedLowDelay, channelConfiguration?.rawValue == 1, let bytes = enhancedLowDelay.surroundBytes,
            let surround = LowDelaySurroundConfig(bytes)
        else { return nil }
        let factor = enhancedLowDelay.sbr == nil ? 1 : 2
        guard enhancedLowDelay.sbr?.isDualRate != false, surround.sampleRate == factor * sampleRate,
            surround.slotCount * surround.bankBandCount == factor * enhancedLowDelay.frameLength,
            enhancedLowDelay.sbr == nil || surround.bankBandCount == 64
        else { return nil }
        return surround
    }
}
