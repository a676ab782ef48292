// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AACCodec
internal import AudioConversion
internal import AudioPrimitives
internal import CLinnetAudioTypes
internal import OpusCodec

extension AudioEncoderConfiguration {
    /// Creates the configuration for a format and encoder settings; `nil` if the format has no encoder.
    init?(_ format: AVAudioFormat, settings: SettingsDictionary) {
        let description = format.streamDescription.pointee
        guard format.hasUsableSampleRate else { return nil }
        switch description.mFormatID {
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2:
            self = .aac(AACEncoderConfiguration(format, settings: settings))
        case kAudioFormatOpus:
            self = .opus(OpusEncoderConfiguration(format, settings: settings))
        case kAudioFormatiLBC where description.mSampleRate == 8000 && description.mChannelsPerFrame == 1:
            self = .ilbc(format.ilbcMode)
        default: return nil
        }
    }
}

extension AACEncoderConfiguration {
    init(_ format: AVAudioFormat, settings: SettingsDictionary) {
        self.init(sampleRate: Int(format.sampleRate), channelCount: Int(format.channelCount))
        switch format.streamDescription.pointee.mFormatID {
        case kAudioFormatMPEG4AAC_HE: self.profile = .highEfficiency
        case kAudioFormatMPEG4AAC_HE_V2: self.profile = .highEfficiencyV2
        default: self.profile = .lowComplexity
        }
        inputLayout = ChannelLayout(format.channelLayout)
        self.settings.invalidSamples = .silence
        switch settings.integer(AVEncoderAudioQualityKey) ?? AVAudioQuality.medium.rawValue {
        case ..<AVAudioQuality.medium.rawValue: self.settings.effort = .fast
        case AVAudioQuality.max.rawValue...: self.settings.effort = .best
        default: self.settings.effort = .balanced
        }
        setRate(settings)
    }

    private mutating func setRate(_ settings: SettingsDictionary) {
        let bitRate = settings.bitRate(channelCount: channelCount)
        switch settings.text(AVEncoderBitRateStrategyKey) {
        case AVAudioBitRateStrategy_Variable:
            let quality = settings.integer(AVEncoderAudioQualityForVBRKey) ?? AVAudioQuality.high.rawValue
            self.rateControl = .variable(quality: Double(min(max(quality, 0), 127)) * 100 / 127)
        case AVAudioBitRateStrategy_Constant:
            self.rateControl = .constant(bitRate: bitRate ?? usualBitRate)
        default:
            self.rateControl = .average(bitRate: bitRate ?? usualBitRate)
        }
    }

    /// The default bit rate, in bits per second.
    private var usualBitRate: Int {
        let allowed = bitRates
        let full = Self.defaultRateControl(sampleRate: sampleRate, channelCount: channelCount)
        guard case .average(let bitRate) = full else { return allowed.lowerBound }
        let share =
            switch self.profile {
            case .highEfficiency: bitRate / 2
            case .highEfficiencyV2: bitRate / 4
            default: bitRate
            }
        return min(max(share, allowed.lowerBound), allowed.upperBound)
    }
}

extension OpusEncoderConfiguration {
    init(_ format: AVAudioFormat, settings: SettingsDictionary) {
        let channelCount = Int(format.channelCount)
        self.init(
            sampleRate: Int(format.sampleRate), channelCount: channelCount, bitRate: settings.bitRate(channelCount: channelCount))
        self.invalidSamples = .silence
        inputLayout = ChannelLayout(format.channelLayout)
        // The raw value of a duration is its length at 48 kHz.
        let frames = UInt64(format.streamDescription.pointee.mFramesPerPacket)
        if let duration = OpusFrameDuration(rawValue: Int(clamping: frames * 48_000 / UInt64(format.sampleRate))) {
            frameDuration = duration
        }
        if settings.text(AVEncoderBitRateStrategyKey) == AVAudioBitRateStrategy_Constant { bitRateMode = .constant }
    }
}

extension SettingsDictionary {
    /// Returns the total bit rate of all channels, in bits per second; `nil` if not set.
    ///
    /// An encoder refuses the largest integer, which replaces larger rates.
    fileprivate func bitRate(channelCount: Int) -> Int? {
        if let bitRate = integer(AVEncoderBitRateKey) { return bitRate }
        guard let perChannel = integer(AVEncoderBitRatePerChannelKey) else { return nil }
        let (bitRate, overflow) = perChannel.multipliedReportingOverflow(by: channelCount)
        return overflow ? .max : bitRate
    }
}
#endif
