// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio

extension AACEncoderConfiguration {
    /// This configuration with all that its profile and its sub-channel determine: frame length, in AAC-ELD the use of SBR, and in a sub-channel profile and bit rate; without a
    /// sub-channel itself.
    var resolvingSubchannel: AACEncoderConfiguration {
        var result = self
        guard let subchannel = settings.subchannel else {
            if profile.isLowDelay, settings.frameLength == AACEncoderSettings.defaultFrameLength {
                result.settings.frameLength = AACEncoderSettings.lowDelayFrameLengths[0]
            }
            if profile == .enhancedLowDelay { result.settings.lowDelaySBR = EncoderSetup.lowDelaySBR(of: result) }
            return result
        }
        result.settings.frameLength = 960
        result.settings.peakBitRate = nil
        result.settings.profile = EncoderSetup.chooseProfile(result)
        // The bytes of 120 ms.
        let byteCount = subchannel.unitsByteCount(result.superframeFormat)
        result.settings.rateControl = .constant(bitRate: max(1, byteCount * 200 / 3))
        return result
    }

    /// The format of superframes of this configuration, whose profile has been chosen.
    var superframeFormat: DABAudioFormat {
        let profile = settings.profile ?? .lowComplexity
        return DABAudioFormat(
            isFullRate: sampleRate != 32_000, hasSBR: profile.hasReplication,
            isStereo: channelCount == 2 && profile != .highEfficiencyV2,
            hasParametricStereo: profile == .highEfficiencyV2)
    }

    /// Checks that a sub-channel can hold the audio.
    ///
    /// - Throws: ``AACError`` for the first value that is unsupported.
    func checkSubchannel() throws(AACError) {
        guard let subchannel = settings.subchannel else { return }
        guard DABAudioFormat.sampleRates.contains(sampleRate) else {
            throw .unsupportedSampleRate(sampleRate, allowed: DABAudioFormat.sampleRates)
        }
        guard settings.profile?.isLowDelay != true else { throw .subchannelProfile(profile) }
        guard (1...2).contains(channelCount) else { throw .unsupportedChannelCount(channelCount, allowed: [1, 2]) }
        guard [AACEncoderSettings.defaultFrameLength, 960].contains(settings.frameLength) else {
            throw .unsupportedFrameLength(settings.frameLength, allowed: [960])
        }
        guard subchannel.isValid else { throw .unsupportedSubchannel(subchannel) }
        var chosen = self
        chosen.settings.profile = EncoderSetup.chooseProfile(self)
        let format = chosen.superframeFormat
        let bits = 8 * subchannel.unitsByteCount(format)
        let lowest = (Self.lowestUnitBits + (format.hasSBR ? Self.lowestReplicationBits : 0)) * (format.isStereo ? 2 : 1)
        guard bits >= lowest * format.unitCount else { throw .unsupportedSubchannel(subchannel) }
    }

    /// The fewest bits of a unit for each channel of the core.
    private static let lowestUnitBits = 160

    /// The fewest bits of SBR in a unit for each channel of the core.
    private static let lowestReplicationBits = 60
}
