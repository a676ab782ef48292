// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

extension AACEncoderConfiguration {
    /// The supported sample rates, in hertz: those with a sampling frequency index (ISO/IEC 14496-3:2009, Table 1.18).
    public static var sampleRates: [Int] { SamplingFrequencyIndex.standardRates }

    /// The supported channel counts: those with a channel configuration (ISO/IEC 14496-3:2009, Table 1.19).
    ///
    /// Seven channels also work if ``inputLayout`` is 6.1.
    public static let channelCounts = [1, 2, 3, 4, 5, 6, 8]

    /// Returns an average bit rate at which most material is hard to distinguish from its source.
    ///
    /// The rate of a channel is 16 kbit/s and one bit per sample, or above 48 kHz 4/3 bits per sample. The sum is rounded to a multiple of
    /// 8 kbit/s: 128 kbit/s for stereo at 48 kHz, 120 kbit/s at 44.1 kHz, 32 kbit/s for mono at 16 kHz.
    ///
    /// Measured in RateControl.md#default-rates.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The number of channels.
    /// - Returns: An average bit rate within ``bitRates(sampleRate:channelCount:frameLength:)``.
    public static func defaultRateControl(sampleRate: Int, channelCount: Int) -> RateControl {
        let (sampleRate, channelCount) = limited(sampleRate, channelCount)
        let range = bitRates(sampleRate: sampleRate, channelCount: channelCount)
        let wanted = max(16_000 + sampleRate, sampleRate.scaled(by: 64_000, over: 48_000)) * channelCount
        let rounded = (wanted + 4_000) / 8_000 * 8_000
        return .average(bitRate: min(max(rounded, range.lowerBound), range.upperBound))
    }

    /// The rate control of files and live streams without a setting: 32 kbit/s per coded channel for HE-AAC and HE-AAC v2.
    ///
    /// `nil` means ``rateControl``.
    package var usualRateControl: RateControl? {
        guard profile.hasSBR, settings.rateGroup == nil else { return nil }
        let rates = Self.bitRates(
            sampleRate: sampleRate, channelCount: channelCount, profile: profile, frameLength: settings.frameLength)
        let wanted = 32_000 * (profile == .highEfficiencyV2 ? 1 : Self.limited(sampleRate, channelCount).channelCount)
        return .average(bitRate: min(max(wanted, rates.lowerBound), rates.upperBound))
    }

    /// Returns the supported bit rates of AAC-LC or, with a low delay frame length, of AAC-LD and AAC-ELD.
    ///
    /// The upper bound is 6144 bits per frame and channel, not counting low-frequency channels: the size of a decoder's input buffer
    /// (ISO/IEC 14496-3:2009, 4.5.3). The lower bound leaves a few bits for the signal besides the side information of an empty frame. Both
    /// bounds are proportional to the frame rate, so that shorter frames raise them. ``bitRates`` is the range of a configuration.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The number of channels.
    ///   - frameLength: The core's sample frames per access unit: one of ``AACEncoderSettings/frameLengths``, 512 or 480.
    /// - Returns: A range of bit rates, in bits per second.
    public static func bitRates(
        sampleRate: Int, channelCount: Int, frameLength: Int = AACEncoderSettings.defaultFrameLength
    ) -> ClosedRange<Int> {
        let (sampleRate, channelCount) = limited(sampleRate, channelCount)
        let frameLength = min(max(frameLength, frameLengths.lowerBound), frameLengths.upperBound)
        let frameBits = AACEncoderSettings.lowDelayFrameLengths.contains(frameLength) ? lowestLowDelayFrameBits : lowestFrameBits
        let lowest = max(1_000, frameBits * sampleRate / frameLength) * channelCount
        let bufferBits = RateController.bitsPerChannel * EncoderSetup.bufferedChannelCount(channelCount)
        return lowest...max(lowest, sampleRate.scaled(by: bufferBits, over: frameLength))
    }

    /// Returns the bit rates that a profile supports.
    ///
    /// - Parameters:
    ///   - sampleRate: The input sample rate, in hertz.
    ///   - channelCount: The input channel count.
    ///   - profile: A profile other than ``/AudioPrimitives/AACProfile/automatic``.
    ///   - frameLength: The core's sample frames per access unit. In AAC-LD and AAC-ELD, the default means 512.
    /// - Returns: A range of bit rates, in bits per second; see ``bitRates(sampleRate:channelCount:frameLength:)``.
    public static func bitRates(
        sampleRate: Int, channelCount: Int, profile: AACProfile, frameLength: Int = AACEncoderSettings.defaultFrameLength
    ) -> ClosedRange<Int> {
        let (sampleRate, channelCount) = limited(sampleRate, channelCount)
        if profile.isLowDelay {
            let isDefault = frameLength == AACEncoderSettings.defaultFrameLength
            let length = isDefault ? AACEncoderSettings.lowDelayFrameLengths[0] : frameLength
            let core = bitRates(sampleRate: sampleRate, channelCount: channelCount, frameLength: length)
            guard profile == .enhancedLowDelay, sampleRate > EncoderSetup.highestSingleRate else { return core }
            // A core at half the sample rate needs fewer bits.
            let half = bitRates(sampleRate: sampleRate / 2, channelCount: channelCount, frameLength: length)
            return min(core.lowerBound, withLowDelaySBR(half, channelCount).lowerBound)...core.upperBound
        }
        guard profile.hasSBR else {
            return bitRates(sampleRate: sampleRate, channelCount: channelCount, frameLength: frameLength)
        }
        let coreChannelCount = profile == .highEfficiencyV2 ? 1 : channelCount
        let core = bitRates(sampleRate: sampleRate / 2, channelCount: coreChannelCount, frameLength: frameLength)
        let lowest = core.lowerBound + lowestSBRBitRate * channelCount
        return lowest...max(lowest, core.upperBound)
    }

    /// Returns the profiles that support a sample rate and channel count, without ``/AudioPrimitives/AACProfile/automatic``.
    ///
    /// SBR needs an output sample rate of at least 16 kHz, half of which must be one of ``sampleRates``. Parametric stereo needs two
    /// channels. AAC-LD and AAC-ELD support 8 to 48 kHz and one or two channels, xHE-AAC from 16 kHz.
    ///
    /// - Parameters:
    ///   - sampleRate: The input sample rate, in hertz.
    ///   - channelCount: The input channel count.
    /// - Returns: One to six profiles, starting with AAC-LC.
    public static func profiles(sampleRate: Int, channelCount: Int) -> [AACProfile] {
        var profiles: [AACProfile] = [.lowComplexity]
        if supportsSBR(sampleRate) {
            profiles += channelCount == 2 ? [.highEfficiency, .highEfficiencyV2] : [.highEfficiency]
        }
        #if !hasFeature(Embedded) || LINNET_USAC
        if extendedSampleRates.contains(sampleRate), (1...2).contains(channelCount) { profiles.append(.extendedHighEfficiency) }
        #endif
        // Small builds omit low delay.
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        if lowDelaySampleRates.contains(sampleRate), (1...2).contains(channelCount) { profiles += [.lowDelay, .enhancedLowDelay] }
        #endif
        return profiles
    }

    /// Returns the ``sampleRates`` that a profile supports, highest first.
    package static func sampleRates(of profile: AACProfile, channelCount: Int) -> [Int] {
        sampleRates.filter { profile == .automatic || profiles(sampleRate: $0, channelCount: channelCount).contains(profile) }
    }

    /// Returns whether regular SBR supports a sample rate, in hertz.
    static func supportsSBR(_ sampleRate: Int) -> Bool {
        sampleRate >= lowestSBRSampleRate && sampleRate % 2 == 0 && sampleRates.contains(sampleRate / 2)
    }

    /// The range of sample rates of xHE-AAC, in hertz.
    private static let extendedSampleRates = 16_000...48_000

    /// The range of sample rates of AAC-LD and AAC-ELD, in hertz.
    private static let lowDelaySampleRates = 8_000...48_000

    /// The bit rates that this configuration's sample rate, channel count, profile and frame length support, in bits per second.
    ///
    /// With ``/AudioPrimitives/AACProfile/automatic``, they are the bit rates of the profile chosen for the configured bit rate.
    public var bitRates: ClosedRange<Int> {
        let resolved = limited.resolved
        return resolved.bitRates(profile: EncoderSetup.chooseProfile(resolved))
    }

    /// Returns the supported bit rates for the given profile, chosen for this configuration.
    func bitRates(profile: AACProfile) -> ClosedRange<Int> {
        let mode = EncoderSetup.lowDelaySBR(of: self, profile: profile)
        let (sampleRate, channelCount) = Self.limited(sampleRate, channelCount)
        guard profile.isLowDelay else {
            return Self.bitRates(sampleRate: sampleRate, channelCount: channelCount, profile: profile, frameLength: settings.frameLength)
        }
        let coreRate = mode == .dualRate ? sampleRate / 2 : sampleRate
        let core = Self.bitRates(
            sampleRate: coreRate, channelCount: channelCount, profile: .lowDelay, frameLength: settings.frameLength)
        return mode == .off ? core : Self.withLowDelaySBR(core, channelCount)
    }

    /// Returns the bit rates of a core with additional low delay SBR.
    private static func withLowDelaySBR(_ core: ClosedRange<Int>, _ channelCount: Int) -> ClosedRange<Int> {
        let lowest = core.lowerBound + 2 * lowestSBRBitRate * channelCount
        return lowest...max(lowest, core.upperBound)
    }

    /// The number of sample frames per access unit; see ``AACEncoder/framesPerPacket``.
    public var framesPerPacket: Int {
        let resolved = limited.resolved
        return EncoderSetup.framesPerAccessUnit(resolved, profile: EncoderSetup.chooseProfile(resolved))
    }

    /// The number of decoded sample frames before the first input sample; see ``AACEncoder/delay``.
    public var delay: Int {
        let resolved = limited.resolved
        return EncoderSetup.delay(resolved, profile: EncoderSetup.chooseProfile(resolved))
    }

    /// This configuration with values whose products fit in 32 bits, because only an encoder checks them.
    private var limited: AACEncoderConfiguration {
        var result = self
        (result.sampleRate, result.channelCount) = Self.limited(sampleRate, channelCount)
        result.settings.frameLength = min(max(settings.frameLength, Self.frameLengths.lowerBound), Self.frameLengths.upperBound)
        return result
    }

    private static func limited(_ sampleRate: Int, _ channelCount: Int) -> (sampleRate: Int, channelCount: Int) {
        (min(max(sampleRate, 0), 384_000), min(max(channelCount, 0), 64))
    }

    /// The range of supported frame lengths.
    private static let frameLengths = 480...1024

    /// Bits per frame and channel at the lowest bit rate.
    private static let lowestFrameBits = 160

    /// Bits per frame and channel at the lowest bit rate of AAC-LD and AAC-ELD: half as many lines, and less side information.
    private static let lowestLowDelayFrameBits = 80

    /// The lowest output sample rate of SBR, in hertz.
    static let lowestSBRSampleRate = 16_000

    /// The minimum SBR bit rate per channel, in bits per second; twice that in AAC-ELD.
    private static let lowestSBRBitRate = 1_500
}
