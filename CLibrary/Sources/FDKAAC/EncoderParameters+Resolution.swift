// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
internal import CFDKAAC
internal import MPEG4Audio

/// Rejected parameters or an encoder error, with the result code.
struct EncoderFailure: Error {
    let code: AACENC_ERROR
}

extension EncoderParameters {
    /// Returns the encoder configuration, with out-of-range values clamped.
    ///
    /// - Throws: ``EncoderFailure`` if parameters contradict each other, or the sample rate or channel mode is missing.
    func resolve() throws(EncoderFailure) -> AACEncoderConfiguration {
        guard let channels = Self.configuration(mode: channelMode) else { throw EncoderFailure(code: AACENC_INVALID_CONFIG) }
        let (rate, count) = (Int(sampleRate), channels.channelCount)
        guard AACEncoderConfiguration.sampleRates.contains(rate) else { throw EncoderFailure(code: AACENC_INVALID_CONFIG) }
        let profiles = AACEncoderConfiguration.profiles(sampleRate: rate, channelCount: count)
        guard
            [.lowComplexity, .lowDelay, .enhancedLowDelay, .extendedHighEfficiency].contains(profile) || profiles.contains(.highEfficiency)
        else {
            throw EncoderFailure(code: AACENC_INVALID_CONFIG)
        }
        guard profiles.contains(profile) else {
            throw EncoderFailure(code: profile.isLowDelay || isExtended ? AACENC_INVALID_CONFIG : AACENC_INIT_SBR_ERROR)
        }

        var result = format(channels)
        result.settings.rateControl = rateControl(channels)
        result.settings.effort = afterburner == 0 ? .fast : .balanced
        result.settings.usesNoiseSubstitution = !isMPEG2
        result.inputLayout = channelOrder == 0 ? channels.layout : channels.layout.inWAVOrder
        if bandwidth > 0, !profile.hasSBR, ![.singleRate, .dualRate].contains(lowDelaySBR) {
            result.settings.bandwidth = min(max(Int(bandwidth), 1_000), rate / 2)
        }
        result.settings.signaling =
            switch resolvedSignaling {
            case 0: .implicit
            case 1: .backwardCompatible
            default: .hierarchical
            }
        if peakBitRate > 0 {
            result.settings.peakBitRate = max(Int(peakBitRate) - transportBitRate(channels).highest, lowestPeakBitRate(result))
        }
        return result
    }

    /// The profile of the object type.
    var profile: AACProfile {
        switch objectType {
        case 5, 132: .highEfficiency
        case 29: .highEfficiencyV2
        case 23: .lowDelay
        case 39: .enhancedLowDelay
        case 42: .extendedHighEfficiency
        default: .lowComplexity
        }
    }

    /// Whether the stream is xHE-AAC.
    private var isExtended: Bool { profile == .extendedHighEfficiency }

    /// The SBR mode of AAC-ELD.
    private var lowDelaySBR: LowDelaySBR {
        guard profile == .enhancedLowDelay, sbrMode >= 0 else { return .automatic }
        return sbrMode == 0 ? .off : sbrRatio == 2 ? .dualRate : .singleRate
    }

    /// Whether the stream is MPEG-2 AAC.
    var isMPEG2: Bool { objectType >= 128 }

    /// The transport to use.
    ///
    /// The default is ADTS, or raw access units for streams that ADTS does not support: frames of 960, AAC-LD,
    /// AAC-ELD and xHE-AAC.
    var resolvedTransport: Transport.Format {
        let isADTS = granuleLength == AACEncoderSettings.defaultFrameLength && !profile.isLowDelay && !isExtended
        return Transport.Format(rawValue: transport) ?? (isADTS ? .adts : .raw)
    }

    /// The SBR signaling to use: implicit for transports without an AudioSpecificConfig, otherwise hierarchical by default.
    var resolvedSignaling: Int32 {
        switch resolvedTransport {
        case .adts, .adif: 0
        default: signaling < 0 ? 2 : signaling
        }
    }

    /// The number of access units between configurations in LATM and LOAS.
    var resolvedHeaderPeriod: Int { headerPeriod == 255 ? 10 : max(1, Int(headerPeriod)) }

    private func rateControl(_ channels: ChannelConfiguration) -> AACEncoderConfiguration.RateControl {
        guard bitRateMode == 0 else {
            let quality = VariableModes.quality(
                Int(bitRateMode), profile: profile, sampleRate: Int(sampleRate), channelCount: channels.channelCount)
            return .variable(quality: quality)
        }
        return .constant(bitRate: codedBitRate(channels))
    }

    /// Returns the bit rate to use.
    ///
    /// The default, in bits per sample and channel, is 1.5 for AAC-LC, AAC-LD and AAC-ELD, 0.625 for HE-AAC and AAC-ELD with SBR, and 0.25
    /// for HE-AAC v2.
    func resolvedBitRate(_ channels: ChannelConfiguration) -> Int {
        let (rate, count) = (Int(sampleRate), channels.channelCount)
        var wanted = Int(bitRate)
        if bitRate == -1 {
            let coded = count - channels.elements.count { $0 == .lowFrequency }
            switch profile {
            case .highEfficiency: wanted = rate * coded * 5 / 8
            case .enhancedLowDelay where [.singleRate, .dualRate].contains(lowDelaySBR): wanted = rate * coded * 5 / 8
            case .highEfficiencyV2: wanted = rate * coded / 4
            default: wanted = rate * coded * 3 / 2
            }
        }
        let range = format(channels).bitRates
        // The parameter is unsigned: a negative number is a large value.
        if wanted < 0 { wanted = range.upperBound }
        return min(max(wanted, range.lowerBound), range.upperBound)
    }

    /// Returns the bit rate of the access units, which excludes the transport.
    func codedBitRate(_ channels: ChannelConfiguration) -> Int {
        max(resolvedBitRate(channels) - transportBitRate(channels).mean, format(channels).bitRates.lowerBound)
    }

    /// Returns a configuration with the sample rate, channels and profile of these parameters, and otherwise defaults.
    private func format(_ channels: ChannelConfiguration) -> AACEncoderConfiguration {
        var settings = AACEncoderSettings()
        settings.profile = profile
        settings.frameLength = Int(granuleLength)
        settings.lowDelaySBR = lowDelaySBR
        return AACEncoderConfiguration(sampleRate: Int(sampleRate), channelCount: channels.channelCount, settings: settings)
    }

    /// Returns the transport's bit rate, in bits per second, on average and for the largest access unit.
    ///
    /// Bit rates of the interface include it.
    private func transportBitRate(_ channels: ChannelConfiguration) -> (mean: Int, highest: Int) {
        let bytes = Transport.overhead(self)
        var stream = format(channels)
        // It chooses SBR in xHE-AAC, and with it the length of an access unit.
        stream.settings.rateControl = .constant(bitRate: resolvedBitRate(channels))
        let unitLength = stream.framesPerPacket
        let highest = bytes.highest * 8 * Int(sampleRate)
        return (Int(bytes.mean * 8 * Double(sampleRate)) / unitLength, (highest + unitLength - 1) / unitLength)
    }

    private func lowestPeakBitRate(_ configuration: AACEncoderConfiguration) -> Int {
        if case .constant(let bitRate) = configuration.rateControl { return bitRate }
        return configuration.bitRates.lowerBound
    }
}
