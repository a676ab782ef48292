// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
public import CLinnet
internal import DABPlus
internal import MPEG4Audio

extension AACEncoderConfiguration {
    /// Creates a configuration from settings; `nil` if they are null, too short or have an invalid value.
    init?(_ pointer: UnsafePointer<linnet_encoder_settings>?) {
        guard let settings = unsafe linnet_encoder_settings(copying: pointer), let encoderSettings = AACEncoderSettings(settings) else {
            return nil
        }
        self.init(
            sampleRate: Int(clamping: settings.sample_rate), channelCount: Int(clamping: settings.channels), settings: encoderSettings)
    }
}

extension AACEncoderSettings {
    /// Creates a configuration from settings; `nil` if they have an invalid value.
    fileprivate init?(_ settings: linnet_encoder_settings) {
        guard let profile = AACProfile(number: settings.profile), let rateControl = AACEncoderConfiguration.RateControl(settings),
            let effort = AACEncoderConfiguration.Effort(number: settings.effort), let sbr = LowDelaySBR(number: settings.low_delay_sbr),
            settings.signaling <= LINNET_SIGNALING_EXPLICIT, settings.stated_loudness <= 577
        else { return nil }
        self.init()
        self.profile = profile
        self.rateControl = rateControl
        self.effort = effort
        peakBitRate = settings.peak_bit_rate == 0 ? nil : Int(clamping: settings.peak_bit_rate)
        bandwidth = settings.bandwidth == 0 ? nil : Int(clamping: settings.bandwidth)
        switch Int(settings.signaling) {
        case LINNET_SIGNALING_IMPLICIT: signaling = .implicit
        case LINNET_SIGNALING_EXPLICIT: signaling = .hierarchical
        default: signaling = .backwardCompatible
        }
        invalidSamples = settings.silences_invalid == 0 ? .throwError : .silence
        lowDelay = settings.low_delay != 0
        lowDelaySBR = sbr
        frameLength = Int(clamping: settings.frame_length)
        usesNoiseSubstitution = settings.no_noise_substitution == 0
        statedLoudness = settings.stated_loudness == 0 ? nil : -Double(settings.stated_loudness) / 10
        if settings.access_point_interval > 0 { accessPointInterval = Double(settings.access_point_interval) / 1000 }
        if settings.dab_bit_rate > 0 {
            let subchannel = DABSubchannel(bitRate: Int(clamping: settings.dab_bit_rate), padByteCount: Int(clamping: settings.dab_pad))
            rateGroup = subchannel.rateGroup
        }
    }
}

extension linnet_encoder_settings {
    /// The size of the settings in version 0.2, in bytes.
    fileprivate static let firstSize = 48

    fileprivate init(sampleRate: UInt32, channels: UInt32) {
        self.init(
            size: UInt32(MemoryLayout<linnet_encoder_settings>.size), sample_rate: sampleRate, channels: channels,
            profile: UInt32(LINNET_PROFILE_LC), rate_control: UInt32(LINNET_RATE_AVERAGE), bit_rate: 0, quality: 50, peak_bit_rate: 0,
            effort: UInt32(LINNET_EFFORT_BALANCED), bandwidth: 0, signaling: UInt32(LINNET_SIGNALING_COMPATIBLE), silences_invalid: 0,
            low_delay: 0, frame_length: UInt32(AACEncoderSettings.defaultFrameLength), no_noise_substitution: 0, dab_bit_rate: 0,
            dab_pad: 0, low_delay_sbr: UInt32(LINNET_SBR_AUTOMATIC), stated_loudness: 0, access_point_interval: 0)
    }

    /// Copies a program's settings.
    ///
    /// Fields that its header version lacks have default values.
    fileprivate init?(copying pointer: UnsafePointer<linnet_encoder_settings>?) {
        guard let source = unsafe UnsafeRawPointer(pointer) else { return nil }
        // The size is the first field and the only one that every version is certain to have.
        let size = unsafe Int(source.load(as: UInt32.self))
        guard size >= Self.firstSize else { return nil }
        self.init(sampleRate: 0, channels: 0)
        unsafe withUnsafeMutableBytes(of: &self) { target in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: source, count: min(size, target.count)))
        }
    }

    /// Writes the settings to a program's memory, up to its size.
    ///
    /// - Returns: Whether the memory is large enough for the settings of version 0.2.
    fileprivate func write(to pointer: UnsafeMutablePointer<linnet_encoder_settings>?, size: Int) -> Bool {
        guard let target = UnsafeMutableRawPointer(pointer), size >= Self.firstSize else { return false }
        var settings = self
        settings.size = UInt32(min(size, MemoryLayout<linnet_encoder_settings>.size))
        let count = Int(settings.size)
        unsafe withUnsafeBytes(of: settings) { bytes in
            unsafe UnsafeMutableRawBufferPointer(start: target, count: count).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
        return true
    }
}

extension AACEncoderConfiguration.RateControl {
    /// Creates the rate control of settings; `nil` for an invalid mode.
    fileprivate init?(_ settings: linnet_encoder_settings) {
        let fallback = AACEncoderConfiguration.defaultRateControl(
            sampleRate: Int(clamping: settings.sample_rate), channelCount: Int(clamping: settings.channels))
        var bitRate = Int(clamping: settings.bit_rate)
        if bitRate == 0, case .average(let value) = fallback { bitRate = value }
        switch Int(clamping: settings.rate_control) {
        case LINNET_RATE_AVERAGE: self = .average(bitRate: bitRate)
        case LINNET_RATE_CONSTANT: self = .constant(bitRate: bitRate)
        case LINNET_RATE_VARIABLE: self = .variable(quality: Double(settings.quality))
        default: return nil
        }
    }
}

extension AACEncoderConfiguration.Effort {
    /// Creates the effort for a constant of the header; `nil` if the constant is invalid.
    fileprivate init?(number: UInt32) {
        switch Int(clamping: number) {
        case LINNET_EFFORT_FAST: self = .fast
        case LINNET_EFFORT_BALANCED: self = .balanced
        case LINNET_EFFORT_BEST: self = .best
        default: return nil
        }
    }
}

extension LowDelaySBR {
    /// Creates the SBR mode for a constant of the header; `nil` if the constant is invalid.
    fileprivate init?(number: UInt32) {
        switch Int(clamping: number) {
        case LINNET_SBR_AUTOMATIC: self = .automatic
        case LINNET_SBR_OFF: self = .off
        case LINNET_SBR_SINGLE_RATE: self = .singleRate
        case LINNET_SBR_DUAL_RATE: self = .dualRate
        default: return nil
        }
    }
}

extension AACProfile {
    /// The profiles in the order of the header's constants.
    private static let numbered: [AACProfile] = [
        .lowComplexity, .highEfficiency, .highEfficiencyV2, .automatic, .lowDelay, .enhancedLowDelay,
        .extendedHighEfficiency,
    ]

    /// Creates the profile for a constant of the header; `nil` if the constant is invalid.
    fileprivate init?(number: UInt32) {
        guard number < UInt32(Self.numbered.count) else { return nil }
        self = Self.numbered[Int(number)]
    }

    /// The header's constant for the profile.
    var number: UInt32 { UInt32(Self.numbered.firstIndex(of: self) ?? 0) }
}

/// Fills in the default settings of version 0.2.
@c @implementation
public func linnet_encoder_settings_init(
    _ settings: UnsafeMutablePointer<linnet_encoder_settings>?, _ sampleRate: UInt32, _ channels: UInt32
) -> Int32 {
    let defaults = linnet_encoder_settings(sampleRate: sampleRate, channels: channels)
    return unsafe defaults.write(to: settings, size: linnet_encoder_settings.firstSize) ? LINNET_OK.code : LINNET_ERROR_ARGUMENT.code
}

/// Fills in the default settings.
@c @implementation
public func linnet_encoder_settings_init_sized(
    _ settings: UnsafeMutablePointer<linnet_encoder_settings>?, _ size: UInt32, _ sampleRate: UInt32, _ channels: UInt32
) -> Int32 {
    let defaults = linnet_encoder_settings(sampleRate: sampleRate, channels: channels)
    return unsafe defaults.write(to: settings, size: Int(size)) ? LINNET_OK.code : LINNET_ERROR_ARGUMENT.code
}

/// Returns the range of supported bit rates.
@c @implementation
public func linnet_encoder_bit_rates(
    _ settings: UnsafePointer<linnet_encoder_settings>?, _ lowest: UnsafeMutablePointer<UInt32>?,
    _ highest: UnsafeMutablePointer<UInt32>?
) -> Int32 {
    guard let configuration = unsafe AACEncoderConfiguration(settings), let lowest = unsafe lowest, let highest = unsafe highest else {
        return LINNET_ERROR_ARGUMENT.code
    }
    let (sampleRate, channelCount) = (configuration.sampleRate, configuration.channelCount)
    guard AACEncoderConfiguration.sampleRates.contains(sampleRate), AACEncoderConfiguration.channelCounts.contains(channelCount),
        AACEncoderConfiguration.profiles(sampleRate: sampleRate, channelCount: channelCount).contains(configuration.profile)
    else { return LINNET_ERROR_UNSUPPORTED.code }
    let standard = AACEncoderSettings.defaultFrameLength
    let lengths = configuration.profile.isLowDelay ? AACEncoderSettings.lowDelayFrameLengths + [standard] : AACEncoderSettings.frameLengths
    guard lengths.contains(configuration.settings.frameLength) else {
        return LINNET_ERROR_UNSUPPORTED.code
    }
    let range = configuration.bitRates
    unsafe lowest.pointee = UInt32(range.lowerBound)
    unsafe highest.pointee = UInt32(range.upperBound)
    return LINNET_OK.code
}
