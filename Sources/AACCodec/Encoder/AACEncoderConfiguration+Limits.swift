// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import MPEG4Audio

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
    /// - Returns: An average bit rate within ``bitRates(sampleRate:channelCount:)``.
    public static func defaultRateControl(sampleRate: Int, channelCount: Int) -> RateControl {
        let range = bitRates(sampleRate: sampleRate, channelCount: channelCount)
        let wanted = sampleRate.scaled(by: 64_000, over: 48_000) * channelCount
        let rounded = max(8_000, (wanted + 4_000) / 8_000 * 8_000)
        return .average(bitRate: min(max(rounded, range.lowerBound), range.upperBound))
    }

    /// Returns the bit rates that AAC-LC supports with a sample rate and a channel count.
    ///
    /// The upper bound is 6144 bits a frame for each channel other than low-frequency ones, the size of a decoder's input buffer
    /// (ISO/IEC 14496-3:2009, 4.5.3), for frames of 1024; shorter frames support the same rates. The lower bound leaves a few bits for the
    /// signal beside the side information of an empty frame.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The number of channels.
    /// - Returns: A range of bit rates, in bits per second.
    public static func bitRates(sampleRate: Int, channelCount: Int) -> ClosedRange<Int> {
        let lowest = max(1_000, 160 * sampleRate / 1024) * channelCount
        let highest = sampleRate.scaled(by: RateController.bitsPerChannel * EncoderSetup.bufferedChannelCount(channelCount), over: 1024)
        return lowest...max(lowest, highest)
    }

    /// Returns the bit rates that a profile supports with a sample rate and a channel count.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the input, in hertz.
    ///   - channelCount: The number of channels of the input.
    ///   - profile: A profile other than ``AACProfile/automatic``.
    /// - Returns: A range of bit rates, in bits per second; see ``bitRates(sampleRate:channelCount:)``.
    public static func bitRates(sampleRate: Int, channelCount: Int, profile: AACProfile) -> ClosedRange<Int> {
        guard profile != .lowComplexity else { return bitRates(sampleRate: sampleRate, channelCount: channelCount) }
        let coreChannelCount = profile == .highEfficiencyV2 ? 1 : channelCount
        let core = bitRates(sampleRate: sampleRate / 2, channelCount: coreChannelCount)
        let lowest = core.lowerBound + lowestSBRBitRate * channelCount
        return lowest...max(lowest, core.upperBound)
    }

    /// Returns the profiles that support a sample rate and a channel count, without ``AACProfile/automatic``.
    ///
    /// SBR needs an output rate of 16 kHz or more and a core at half of it, which has to be in ``sampleRates``; parametric stereo
    /// needs two channels.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the input, in hertz.
    ///   - channelCount: The number of channels of the input.
    /// - Returns: One to three profiles; the first is AAC-LC.
    public static func profiles(sampleRate: Int, channelCount: Int) -> [AACProfile] {
        guard sampleRate >= lowestSBRSampleRate, sampleRates.contains(sampleRate / 2), sampleRate % 2 == 0 else {
            return [.lowComplexity]
        }
        return channelCount == 2 ? [.lowComplexity, .highEfficiency, .highEfficiencyV2] : [.lowComplexity, .highEfficiency]
    }

    /// The number of sample frames in an access unit, as ``AACEncoder/unitLength`` of an encoder with this configuration.
    public var unitLength: Int { EncoderSetup.unitLength(self, profile: EncoderSetup.chooseProfile(self)) }

    /// The number of decoded sample frames before the first input sample, as ``AACEncoder/delay`` of an encoder with this configuration.
    public var delay: Int { EncoderSetup.delay(self, profile: EncoderSetup.chooseProfile(self)) }

    /// The lowest output rate of SBR, in hertz.
    private static let lowestSBRSampleRate = 16_000

    /// The fewest bits per second and channel that SBR takes.
    private static let lowestSBRBitRate = 1_500
}
