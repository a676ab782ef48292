// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

/// The audio format of a DAB+ superframe, as signalled in its header (ETSI TS 102 563, 5.2).
package struct DABAudioFormat: Hashable, Sendable {
    /// The output sample rates, in hertz.
    package static let sampleRates = [32_000, 48_000]
    /// Core sample frames per access unit.
    package static let frameLength = 960

    /// Whether the output sample rate is 48 instead of 32 kHz (`dac_rate`).
    package var isFullRate: Bool
    /// Whether SBR is used, with the core at half the output sample rate (`sbr_flag`).
    package var hasSBR: Bool
    /// Whether the core is stereo (`aac_channel_mode`).
    package var isStereo: Bool
    /// Whether parametric stereo is used (`ps_flag`).
    package var hasParametricStereo: Bool
    /// The MPEG Surround configuration, 0 to 7, where 0 means none (`mpeg_surround_config`).
    package var surroundConfig = 0

    /// The size of the checksum after each access unit.
    package static let checksumByteCount = 2

    /// Creates a format without MPEG Surround.
    package init(isFullRate: Bool, hasSBR: Bool, isStereo: Bool, hasParametricStereo: Bool = false) {
        self.isFullRate = isFullRate
        self.hasSBR = hasSBR
        self.isStereo = isStereo
        self.hasParametricStereo = hasParametricStereo
    }

    /// Creates the format for an AAC configuration, or returns `nil` if DAB+ does not support it.
    ///
    /// DAB+ supports AAC-LC with a frame length of 960, one or two channels, and an output rate of 32 or 48 kHz.
    package init?(_ configuration: AudioSpecificConfig) {
        let sampleRate = configuration.outputSampleRate
        let hasSBR = configuration.extensionConfig.hasSBR == true
        guard configuration.objectType == .aacLC, configuration.frameLength == Self.frameLength, Self.sampleRates.contains(sampleRate),
            configuration.sampleRate == (hasSBR ? sampleRate / 2 : sampleRate),
            let channelCount = configuration.channelConfiguration?.channelCount, channelCount <= 2
        else { return nil }
        self.init(
            isFullRate: sampleRate == 48_000, hasSBR: hasSBR, isStereo: channelCount == 2,
            hasParametricStereo: configuration.extensionConfig.hasParametricStereo == true)
    }

    /// The output sample rate, in hertz.
    package var sampleRate: Int { isFullRate ? 48_000 : 32_000 }

    private var coreSampleRate: Int { hasSBR ? sampleRate / 2 : sampleRate }

    /// Access units per superframe of 120 ms, 2 to 6 (`num_aus`).
    package var accessUnitCount: Int { coreSampleRate / 8000 }

    /// The header size in bytes: Fire code, format, and 12 bits for the start of each access unit but the first.
    package var headerByteCount: Int { 3 + (12 * (accessUnitCount - 1) + 7) / 8 }

    package var audioSpecificConfig: AudioSpecificConfig {
        let hasStereo = isStereo ? nil : hasParametricStereo
        return AudioSpecificConfig(
            sampleRate: coreSampleRate, channelConfiguration: ChannelConfiguration(channelCount: isStereo ? 2 : 1),
            generalAudio: GASpecificConfig(usesShortFrame: true),
            extensionConfig: hasSBR ? .backwardCompatible(sampleRate: sampleRate, hasParametricStereo: hasStereo) : .implicit)
    }
}
