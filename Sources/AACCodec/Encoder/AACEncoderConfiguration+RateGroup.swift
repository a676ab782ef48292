// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

extension AACEncoderConfiguration {
    /// This configuration with all derived values: the frame length, in AAC-ELD the use of SBR, and with a rate group the profile and bit
    /// rate.
    var resolved: AACEncoderConfiguration {
        var result = self
        guard let group = settings.rateGroup else {
            if profile.isLowDelay, settings.frameLength == AACEncoderSettings.defaultFrameLength {
                result.settings.frameLength = AACEncoderSettings.lowDelayFrameLengths[0]
            }
            if profile == .enhancedLowDelay { result.settings.lowDelaySBR = EncoderSetup.lowDelaySBR(of: result) }
            return result
        }
        result.settings.frameLength = group.frameLength
        result.settings.peakBitRate = nil
        result.settings.profile = EncoderSetup.chooseProfile(result)
        result.settings.rateControl = .constant(bitRate: max(1, result.groupUnits(group).byteCount * 8000 / group.milliseconds))
        return result
    }

    /// Returns the number of access units in a rate group and their total size.
    ///
    /// The profile must be resolved.
    func groupUnits(_ group: RateGroup) -> (count: Int, byteCount: Int) {
        let count = group.accessUnitCount(coreSampleRate: profile.hasSBR ? sampleRate / 2 : sampleRate)
        return (count, group.unitsByteCount(count))
    }

    /// Checks that the rate group supports this configuration.
    ///
    /// - Throws: `CodecError` for the first value that is unsupported.
    func checkRateGroup() throws(CodecError) {
        guard let group = settings.rateGroup else { return }
        guard group.sampleRates.contains(sampleRate) else { throw .unsupportedSampleRate(sampleRate, allowed: group.sampleRates) }
        guard settings.profile?.isLowDelay != true, settings.profile != .extendedHighEfficiency else { throw .rateGroupProfile(profile) }
        guard (1...group.objectTypes.count).contains(channelCount) else {
            throw .unsupportedChannelCount(channelCount, allowed: Array(1...group.objectTypes.count))
        }
        guard [AACEncoderSettings.defaultFrameLength, group.frameLength].contains(settings.frameLength) else {
            throw .unsupportedFrameLength(settings.frameLength, allowed: [group.frameLength])
        }
        var chosen = self
        chosen.settings.profile = EncoderSetup.chooseProfile(self)
        let units = chosen.groupUnits(group)
        let unitBits = Self.lowestUnitBits + (chosen.profile.hasSBR ? Self.lowestSBRBits : 0)
        let lowest = (unitBits * (chosen.profile == .highEfficiencyV2 ? 1 : channelCount) * units.count + 7) / 8
        guard units.byteCount >= lowest else { throw .rateGroupTooShort(byteCount: max(0, units.byteCount), minimum: lowest) }
    }

    /// The minimum size of an access unit per core channel, in bits.
    private static let lowestUnitBits = 160

    /// The minimum size of SBR data in an access unit per core channel, in bits.
    private static let lowestSBRBits = 60
}
