// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

extension AACEncoderConfiguration {
    /// The profiles that a sample rate and a channel count allow, ``AACProfile/automatic`` left out.
    ///
    /// SBR needs a core at half the sample rate, which has to be a rate of AAC, and an output of 16 kHz or more; parametric
    /// stereo needs two channels.
    public static func profiles(sampleRate: Int, channelCount: Int) -> [AACProfile] {
        guard sampleRate >= lowestReplicatedRate, sampleRates.contains(sampleRate / 2), sampleRate % 2 == 0 else {
            return [.lowComplexity]
        }
        return channelCount == 2 ? [.lowComplexity, .highEfficiency, .highEfficiencyV2] : [.lowComplexity, .highEfficiency]
    }

    /// The bit rates that a profile allows, in bits a second; see ``bitRates(sampleRate:channelCount:)``.
    public static func bitRates(sampleRate: Int, channelCount: Int, profile: AACProfile) -> ClosedRange<Int> {
        guard profile != .lowComplexity else { return bitRates(sampleRate: sampleRate, channelCount: channelCount) }
        let coreChannelCount = profile == .highEfficiencyV2 ? 1 : channelCount
        let core = bitRates(sampleRate: sampleRate / 2, channelCount: coreChannelCount)
        let lowest = core.lowerBound + lowestReplicationRate * channelCount
        return lowest...max(lowest, core.upperBound)
    }

    /// The lowest output rate of SBR, in hertz.
    private static let lowestReplicatedRate = 16_000

    /// The fewest bits a second and channel that SBR takes.
    private static let lowestReplicationRate = 1_500

    /// Bits a second and channel, as if the sample rate were 48 kHz, below which SBR sounds better than plain AAC.
    private static let replicationLimit = 48_000

    /// The same of a single channel.
    private static let monoReplicationLimit = 55_000

    /// The profile asked for, or the best one for the rate.
    var chosenProfile: AACProfile {
        guard profile == .automatic else { return profile }
        guard bandwidth == nil else { return .lowComplexity }
        let allowed = Self.profiles(sampleRate: sampleRate, channelCount: channelCount)
        let rate = (bitRate ?? typicalBitRate) * 48_000 / max(sampleRate, 1)
        let parametricLimit = isNearlyMono ? Self.nearlyMonoLimit : Self.parametricLimit
        if allowed.contains(.highEfficiencyV2), rate < parametricLimit { return .highEfficiencyV2 }
        let perChannel = (bitRate ?? typicalBitRate) / max(channelCount, 1) * 48_000 / max(sampleRate, 1)
        let limit = channelCount == 1 ? Self.monoReplicationLimit : Self.replicationLimit
        return allowed.contains(.highEfficiency) && perChannel < limit ? .highEfficiency : .lowComplexity
    }

    /// What of SBR follows from the rate; nil in plain AAC.
    var replication: SBRTuning? {
        guard chosenProfile != .lowComplexity else { return nil }
        let stereoRate = chosenProfile == .highEfficiencyV2 ? Self.parametricRate * sampleRate / 48_000 : 0
        return SBRTuning(
            bitRate: (bitRate ?? typicalBitRate / 2) - stereoRate, sampleRate: sampleRate, channelCount: coreChannelCount,
            isHalved: effort == .fast && chosenProfile == .highEfficiency)
    }

    /// Bits a second, as if the sample rate were 48 kHz, below which parametric stereo sounds better than two channels
    /// (Documentation/ParametricStereo.md).
    private static let parametricLimit = 25_000

    /// The same where the channels are nearly alike.
    private static let nearlyMonoLimit = 50_000

    /// Bits a second at 48 kHz that parametric stereo takes from core and SBR.
    private static let parametricRate = 4_000

    /// Channels of the core: one for two in HE-AAC v2.
    var coreChannelCount: Int { chosenProfile == .highEfficiencyV2 ? 1 : channelCount }

    /// What of parametric stereo follows from the rate; nil without.
    ///
    /// - Parameter replication: That of this configuration.
    func stereo(with replication: SBRTuning?) -> StereoCodingSettings? {
        guard chosenProfile == .highEfficiencyV2, let replication else { return nil }
        var settings = StereoCodingSettings(
            bitRate: bitRate ?? typicalBitRate / 2, sampleRate: sampleRate, crossoverSubband: replication.tables.crossoverSubband)
        settings.isFast = effort == .fast
        return settings
    }

    /// How the codec's configuration tells of SBR and parametric stereo.
    var extensionConfig: AudioSpecificConfig.Extension {
        guard chosenProfile != .lowComplexity else { return AudioSpecificConfig.Extension() }
        // One channel might become two, if that were not ruled out; the channels of others can't.
        let hasStereo = coreChannelCount == 1 ? chosenProfile == .highEfficiencyV2 : nil
        return AudioSpecificConfig.Extension(
            signaling: signaling, sampleRate: sampleRate, hasParametricStereo: hasStereo)
    }

    /// What the core is encoded with: itself in plain AAC.
    ///
    /// Its rate control holds the rate of the whole stream, since it counts all bits; only its tuning is that of the bits left.
    /// `replication` is that of this configuration.
    func core(with replication: SBRTuning?) -> AACEncoderConfiguration {
        guard let replication else { return self }
        var core = self
        core.profile = .lowComplexity
        core.sampleRate = sampleRate / 2
        core.channelCount = coreChannelCount
        core.bandwidth = replication.crossover
        return core
    }
}
