// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

extension AACEncoderConfiguration {
    /// The sample rates that can be encoded, in hertz: those with a sampling frequency index of their own
    /// (ISO/IEC 14496-3:2009, Table 1.18).
    public static var sampleRates: [Int] { SamplingFrequencyIndex.standardRates }

    /// The channel counts that can be encoded: those with a channel configuration of their own (ISO/IEC 14496-3:2009, Table 1.19).
    public static let channelCounts = [1, 2, 3, 4, 5, 6, 8]

    /// Returns an average bit rate at which most material is hard to tell from its source.
    ///
    /// It is 64 kbit/s per channel at 48 kHz, in proportion to the sample rate and rounded to a multiple of 8 kbit/s: 128 kbit/s for
    /// stereo at 48 kHz, 120 kbit/s at 44.1 kHz.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The number of channels.
    /// - Returns: An average bit rate within ``bitRates(sampleRate:channelCount:frameLength:)``.
    public static func defaultRateControl(sampleRate: Int, channelCount: Int) -> RateControl {
        let range = bitRates(sampleRate: sampleRate, channelCount: channelCount)
        let wanted = sampleRate.scaled(by: 64_000, over: 48_000) * channelCount
        let rounded = max(8_000, (wanted + 4_000) / 8_000 * 8_000)
        return .average(bitRate: min(max(rounded, range.lowerBound), range.upperBound))
    }

    /// Returns the bit rates that AAC-LC supports with a sample rate and a channel count, with shorter frames those of AAC-LD and AAC-ELD.
    ///
    /// The upper bound is 6144 bits a frame for each channel other than low-frequency ones, the size of a decoder's input buffer
    /// (ISO/IEC 14496-3:2009, 4.5.3). The lower bound leaves a few bits for the signal beside the side information of an empty frame. Both
    /// are in proportion to the frames of a second, so that shorter frames move the range up. ``bitRates`` has the range of a configuration.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The number of channels.
    ///   - frameLength: The sample frames of the core in an access unit: one of ``AACEncoderSettings/frameLengths`` or of
    ///     512 and 480.
    /// - Returns: A range of bit rates, in bits per second.
    public static func bitRates(
        sampleRate: Int, channelCount: Int, frameLength: Int = AACEncoderSettings.defaultFrameLength
    ) -> ClosedRange<Int> {
        let frameBits = AACEncoderSettings.lowDelayFrameLengths.contains(frameLength) ? lowestLowDelayFrameBits : lowestFrameBits
        let lowest = max(1_000, frameBits * sampleRate / frameLength) * channelCount
        let bufferBits = RateController.bitsPerChannel * EncoderSetup.bufferedChannelCount(channelCount)
        return lowest...max(lowest, sampleRate.scaled(by: bufferBits, over: frameLength))
    }

    /// Returns the bit rates that a profile supports with a sample rate and a channel count.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the input, in hertz.
    ///   - channelCount: The number of channels of the input.
    ///   - profile: A profile other than ``/AudioPrimitives/AACProfile/automatic``.
    ///   - frameLength: The sample frames of the core in an access unit; the default stands for 512 in AAC-LD and AAC-ELD.
    /// - Returns: A range of bit rates, in bits per second; see ``bitRates(sampleRate:channelCount:frameLength:)``.
    public static func bitRates(
        sampleRate: Int, channelCount: Int, profile: AACProfile, frameLength: Int = AACEncoderSettings.defaultFrameLength
    ) -> ClosedRange<Int> {
        if profile.isLowDelay {
            let isDefault = frameLength == AACEncoderSettings.defaultFrameLength
            let length = isDefault ? AACEncoderSettings.lowDelayFrameLengths[0] : frameLength
            let core = bitRates(sampleRate: sampleRate, channelCount: channelCount, frameLength: length)
            guard profile == .enhancedLowDelay, sampleRate > EncoderSetup.highestSingleRate else { return core }
            // A core of half the rate takes fewer bits.
            let half = bitRates(sampleRate: sampleRate / 2, channelCount: channelCount, frameLength: length)
            return min(core.lowerBound, withLowDelaySBR(half, channelCount).lowerBound)...core.upperBound
        }
        guard profile.hasReplication else {
            return bitRates(sampleRate: sampleRate, channelCount: channelCount, frameLength: frameLength)
        }
        let coreChannelCount = profile == .highEfficiencyV2 ? 1 : channelCount
        let core = bitRates(sampleRate: sampleRate / 2, channelCount: coreChannelCount, frameLength: frameLength)
        let lowest = core.lowerBound + lowestSBRBitRate * channelCount
        return lowest...max(lowest, core.upperBound)
    }

    /// Returns the profiles that support a sample rate and a channel count, without ``/AudioPrimitives/AACProfile/automatic``.
    ///
    /// SBR needs an output rate of 16 kHz or more and a core at half of it, which has to be in ``sampleRates``; parametric stereo
    /// needs two channels. AAC-LD and AAC-ELD are for 8 to 48 kHz, with one or two channels.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the input, in hertz.
    ///   - channelCount: The number of channels of the input.
    /// - Returns: One to five profiles; the first is AAC-LC.
    public static func profiles(sampleRate: Int, channelCount: Int) -> [AACProfile] {
        var profiles: [AACProfile] = [.lowComplexity]
        if sampleRate >= lowestSBRSampleRate, sampleRates.contains(sampleRate / 2), sampleRate % 2 == 0 {
            profiles += channelCount == 2 ? [.highEfficiency, .highEfficiencyV2] : [.highEfficiency]
        }
        // Small builds have no low delay.
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        if lowDelaySampleRates.contains(sampleRate), (1...2).contains(channelCount) { profiles += [.lowDelay, .enhancedLowDelay] }
        #endif
        return profiles
    }

    /// The sample rates of AAC-LD and AAC-ELD, in hertz.
    private static let lowDelaySampleRates = 8_000...48_000

    /// The bit rates that the encoder supports with this configuration's sample rate, channels, profile and frame length, in bits per second.
    ///
    /// With ``/AudioPrimitives/AACProfile/automatic`` they are those of the profile that is chosen for the bit rate of the configuration.
    public var bitRates: ClosedRange<Int> {
        let resolved = resolved
        return resolved.bitRates(profile: EncoderSetup.chooseProfile(resolved))
    }

    /// Returns the bit rates with the profile chosen for this configuration.
    func bitRates(profile: AACProfile) -> ClosedRange<Int> {
        let mode = EncoderSetup.lowDelaySBR(of: self, profile: profile)
        let frameLength = max(settings.frameLength, 1)
        guard profile.isLowDelay else {
            return Self.bitRates(sampleRate: sampleRate, channelCount: channelCount, profile: profile, frameLength: frameLength)
        }
        let coreRate = mode == .dualRate ? sampleRate / 2 : sampleRate
        let core = Self.bitRates(sampleRate: coreRate, channelCount: channelCount, profile: .lowDelay, frameLength: frameLength)
        return mode == .off ? core : Self.withLowDelaySBR(core, channelCount)
    }

    /// Returns the bit rates of a core with low delay SBR beside it.
    private static func withLowDelaySBR(_ core: ClosedRange<Int>, _ channelCount: Int) -> ClosedRange<Int> {
        let lowest = core.lowerBound + 2 * lowestSBRBitRate * channelCount
        return lowest...max(lowest, core.upperBound)
    }

    /// The number of sample frames in an access unit, as ``AACEncoder/framesPerPacket`` of an encoder with this configuration.
    public var framesPerPacket: Int {
        let resolved = resolved
        return EncoderSetup.unitLength(resolved, profile: EncoderSetup.chooseProfile(resolved))
    }

    /// The number of decoded sample frames before the first input sample, as ``AACEncoder/delay`` of an encoder with this configuration.
    public var delay: Int {
        let resolved = resolved
        return EncoderSetup.delay(resolved, profile: EncoderSetup.chooseProfile(resolved))
    }

    /// The bits of a frame and channel at the lowest bit rate.
    private static let lowestFrameBits = 160

    /// The same in AAC-LD and AAC-ELD, whose frames have half as many lines and less side information.
    private static let lowestLowDelayFrameBits = 80

    /// The lowest output rate of SBR, in hertz.
    static let lowestSBRSampleRate = 16_000

    /// The fewest bits per second and channel that SBR takes, in AAC-ELD twice as many.
    private static let lowestSBRBitRate = 1_500
}
