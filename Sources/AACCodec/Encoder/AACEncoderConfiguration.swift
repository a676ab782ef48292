// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// What an ``AACEncoder`` makes, and how hard it tries.
public struct AACEncoderConfiguration: Hashable, Sendable {
    /// What is held constant, and what follows from it.
    public enum RateControl: Hashable, Sendable {
        /// A decoder with the standard's input buffer never starves at this rate in bits a second.
        case constant(bitRate: Int)
        /// The mean over the stream comes to this rate in bits a second; a loud second may take more.
        case average(bitRate: Int)
        /// The same distance from audible noise throughout, 0 (small) to 100 (transparent).
        case variable(quality: Double)
    }

    /// How much time is spent looking for the best use of the bits.
    public enum Effort: Hashable, Sendable, CaseIterable {
        /// For live streams of many channels, and slow machines.
        case fast
        /// The default.
        case balanced
        /// Slow, for files that are encoded once and kept.
        case best
    }

    /// What happens to samples that are not a number, or infinite.
    public enum InvalidSamplePolicy: Hashable, Sendable {
        /// ``AACError/invalidSample(channel:frame:)`` is thrown.
        case throwError
        /// They count as silence.
        case silence
    }

    /// Sample rate of input and output in hertz: one of ``/MPEG4Audio/SamplingFrequencyIndex/standardRates``.
    public var sampleRate: Int

    /// Channels: 1 to 6, or 8.
    public var channelCount: Int

    /// Constant, average or variable bit rate.
    public var rateControl: RateControl

    /// Which profile is encoded.
    public var profile = AACProfile.lowComplexity

    /// Whether two channels are known to be nearly alike, which ``AACProfile/automatic`` goes by: one channel and a few words on stereo then
    /// do up to higher rates.
    public var isNearlyMono = false

    /// How the codec's configuration tells of SBR and parametric stereo, where there are any; in ADTS nothing does.
    ///
    /// Players of plain AAC play the core of a stream that is signalled in the compatible way, and nothing of others.
    public var signaling = AudioSpecificConfig.ExtensionSignaling.backwardCompatible

    /// Time spent against quality.
    public var effort: Effort

    /// The highest frequency coded, in hertz; nil chooses by rate, as has to be in HE-AAC.
    public var bandwidth: Int?

    /// The order of the input's channels; nil is the order of WAV files for the standard's speakers.
    public var inputLayout: ChannelLayout?

    /// What happens to samples that are not a number, or infinite.
    public var invalidSamples: InvalidSamplePolicy = .throwError

    /// Makes a configuration; without a rate control it is ``defaultRateControl(sampleRate:channelCount:)``.
    public init(
        sampleRate: Int, channelCount: Int, rateControl: RateControl? = nil, effort: Effort = .balanced, bandwidth: Int? = nil
    ) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.rateControl = rateControl ?? Self.defaultRateControl(sampleRate: sampleRate, channelCount: channelCount)
        self.effort = effort
        self.bandwidth = bandwidth
    }

    /// An average bit rate at which most material sounds like its source: 128 kb/s for stereo at 44.1 or 48 kHz.
    public static func defaultRateControl(sampleRate: Int, channelCount: Int) -> RateControl {
        let range = bitRates(sampleRate: sampleRate, channelCount: channelCount)
        let wanted = 64_000 * sampleRate / 48_000 * channelCount
        let rounded = max(8_000, (wanted + 4_000) / 8_000 * 8_000)
        return .average(bitRate: min(max(rounded, range.lowerBound), range.upperBound))
    }

    /// The bit rates that a sample rate and channel count allow, in bits a second.
    ///
    /// At most 6144 bits a frame for each channel but the low-frequency one, the size of a decoder's input buffer
    /// (ISO/IEC 14496-3:2009, subpart 4); at least what an empty frame and a little sound take.
    public static func bitRates(sampleRate: Int, channelCount: Int) -> ClosedRange<Int> {
        let lowest = max(1_000, 160 * sampleRate / 1024) * channelCount
        return lowest...max(lowest, RateController.bitsPerChannel * bufferedChannelCount(channelCount) * sampleRate / 1024)
    }

    /// The channels that a decoder's input buffer has room for: all but that of low frequencies.
    static func bufferedChannelCount(_ channelCount: Int) -> Int {
        channelCount - (ChannelConfiguration(channelCount: channelCount)?.elements.count { $0 == .lowFrequency } ?? 0)
    }

    /// The sample rates that can be encoded, in hertz.
    public static var sampleRates: [Int] { SamplingFrequencyIndex.standardRates }

    /// The channel counts that can be encoded.
    public static let channelCounts = [1, 2, 3, 4, 5, 6, 8]

    /// The bit rate asked for, if one was.
    var bitRate: Int? {
        switch rateControl {
        case .constant(let bitRate), .average(let bitRate): bitRate
        case .variable: nil
        }
    }
}

extension AACEncoderConfiguration {
    /// Throws unless everything asked for can be.
    func validate() throws(AACError) {
        guard Self.sampleRates.contains(sampleRate) else {
            throw .unsupportedSampleRate(sampleRate, allowed: Self.sampleRates)
        }
        guard Self.channelCounts.contains(channelCount) else {
            throw .unsupportedChannelCount(channelCount, allowed: Self.channelCounts)
        }
        let profile = chosenProfile
        try validate(profile)
        let bitRates = Self.bitRates(sampleRate: sampleRate, channelCount: channelCount, profile: profile)
        if let bitRate, !bitRates.contains(bitRate) { throw .unsupportedBitRate(bitRate, allowed: bitRates) }
        if case .variable(let quality) = rateControl, !(0...100).contains(quality) { throw .unsupportedQuality(quality) }
        let bandwidths = 1_000...sampleRate / 2
        if let bandwidth, !bandwidths.contains(bandwidth) { throw .unsupportedBandwidth(bandwidth, allowed: bandwidths) }
    }

    private func validate(_ profile: AACProfile) throws(AACError) {
        let profiles = Self.profiles(sampleRate: sampleRate, channelCount: channelCount)
        if !profiles.contains(profile) {
            if profiles.contains(.highEfficiency) {
                throw .unsupportedProfile(profile, channelCount: channelCount, allowed: profiles)
            }
            let rates = Self.sampleRates.filter { Self.profiles(sampleRate: $0, channelCount: 1).contains(.highEfficiency) }
            throw .unsupportedProfileRate(profile, sampleRate: sampleRate, allowed: rates.sorted())
        }
        if bandwidth != nil, profile != .lowComplexity { throw .fixedBandwidth(profile) }
    }

    /// The rate asked for, or the one that a variable quality comes to with typical music.
    var tuning: RateTuning {
        RateTuning(bitRate: bitRate ?? typicalBitRate, sampleRate: sampleRate, channelCount: channelCount)
    }

    /// log2 of the quality of the first frame, for a core like that.
    func startLevel(core: AACEncoderConfiguration) -> Float {
        let level = core.tuning.startLevel
        guard bitRate != nil else { return level }
        switch chosenProfile {
        case .highEfficiency: return level * Self.replicatedShare
        case .highEfficiencyV2: return level * Self.parametricShare
        default: return level
        }
    }

    /// The low band takes more bits a line than the whole of AAC-LC: what is left of the level, by the quality at which five clips came to
    /// 24, 32, 48 and 64 kb/s (-0.96, -1.81, -2.66, -3.34 in HE-AAC, where AAC-LC has -1.46, -2.28, -3.45, -4.43).
    private static let replicatedShare: Float = 0.78
    private static let parametricShare: Float = 0.68

    /// What a variable quality comes to with typical music: 64 kb/s at 20, 128 at 50, 256 at 92 for stereo at 44.1 kHz.
    var typicalBitRate: Int {
        guard case .variable(let quality) = rateControl else { return 0 }
        let stereo = 42_000 * PortableMath.power(2, quality / 45 * 1.28 + 0.05)
        return Int(stereo * Double(sampleRate * channelCount) / (2 * 44_100))
    }

    /// Makes the rate control, which with `heldLevel` leaves the quality there.
    func makeRateController(startLevel: Float, heldLevel: Float?, entropyNoise: EntropyNoise) -> RateController {
        let channelCount = Self.bufferedChannelCount(channelCount)
        if let heldLevel { return RateController(holding: heldLevel, channelCount: channelCount, entropyNoise: entropyNoise) }
        var rate = RateController(
            mode: rateControl, bitRate: bitRate, sampleRate: sampleRate,
            channelCount: channelCount, startLevel: startLevel)
        rate.entropyNoise = entropyNoise
        return rate
    }

    /// For each channel of the stream, the channel of the input.
    func inputChannels(for layout: ChannelLayout) throws(AACError) -> [Int] {
        let order = inputLayout ?? layout.inWAVOrder
        guard let channels = layout.permutation(from: order) else {
            throw .channelCountMismatch(expected: channelCount, found: order.channelCount)
        }
        return channels
    }
}
