// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The configuration of low delay MPEG Surround 2-1-2, which makes a mono core of AAC-ELD a pair (`SpatialSpecificConfig`, ISO/IEC 23003-2).
package struct LowDelaySurroundConfig: Hashable, Sendable {
    /// The sample rate of the output in hertz.
    package var sampleRate: Int
    /// The time slots of a unit, 1 to 32.
    package var slotCount: Int
    /// The tools.
    package var tools: MPEGSurround212Config

    /// The lowest sample rate at which the filter bank has 64 bands; below there are 32.
    private static let lowestWholeRate = 27_713

    /// The numbers of parameter bands by `bsFreqRes`; 0 is reserved.
    private static let bandCounts = [0, 23, 15, 12, 9, 7, 5, 4]

    /// The tree that makes two channels of one (`bsTreeConfig`), the only one in use.
    private static let pairTree = 7

    /// Reads a configuration.
    ///
    /// - Returns: `nil` for reserved values, for other trees, and for shaping in time and an arbitrary downmix, which are not supported.
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
        // The mode of quantisation matters to encoders only.
        reader.skip(2)
        guard !reader.readFlag() else { return nil }
        tools.fixedGain = Int(reader.read(3))
        tools.temporalShaping = Int(reader.read(2))
        tools.decorrelation = Int(reader.read(2))
        tools.isHighRate = true
        guard tools.temporalShaping == 0, tools.decorrelation < 3, !reader.hasOverrun else { return nil }
    }

    /// The bands of the filter bank, 64 or 32.
    package var bankBandCount: Int { sampleRate < Self.lowestWholeRate ? 32 : 64 }
}

extension AudioSpecificConfig {
    /// Whether a mono core is announced with the parameters of two channels: parametric stereo or low delay MPEG Surround.
    package var hasStereoParameters: Bool { extensionConfig.hasParametricStereo == true || lowDelaySurround != nil }

    /// Whether low delay MPEG Surround is announced in a kind that is not supported, so that the core is decoded without it.
    package var leavesOutSurround: Bool { enhancedLowDelay?.surroundBytes != nil && lowDelaySurround == nil }

    /// Low delay MPEG Surround of AAC-ELD v2; nil for other streams, and for those whose core is decoded as mono, since their kind is not supported
    /// or does not fit the rate and length of a unit.
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
