// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import CFDKAAC

/// The decoder parameters that change the output.
///
/// Other parameters accept the values that fdk-aac accepts but have no effect: the decoder has a single concealment method and no limiter,
/// and applies neither heavy compression nor uniDRC. Initially it applies no dynamic range control and keeps the level.
struct DecoderParameters: Equatable {
    /// Whether channels are in MPEG order instead of WAV order.
    private(set) var isBitstreamOrder = false
    /// The maximum channel count; 0 or less for all channels.
    private(set) var maximumChannelCount: Int32 = 0
    /// The minimum channel count; 0 or less for the stream's channels.
    private(set) var minimumChannelCount: Int32 = 0
    /// The weights of gains above and below 0 dB, 0 to 127.
    private var boost: Int32 = 0
    private var cut: Int32 = 0
    /// The output level below full scale in steps of 0.25 dB; negative to keep the level.
    private var referenceLevel: Int32 = -1

    /// Sets a parameter.
    ///
    /// Returns whether the parameter is known and the value valid.
    mutating func set(_ parameter: AACDEC_PARAM, _ value: Int32) -> Bool {
        guard Self.accepts(parameter, value) else { return false }
        switch parameter {
        case AAC_PCM_OUTPUT_CHANNEL_MAPPING: isBitstreamOrder = value == 0
        case AAC_PCM_MAX_OUTPUT_CHANNELS:
            maximumChannelCount = value
            if value > 0, minimumChannelCount > value { minimumChannelCount = value }
        case AAC_PCM_MIN_OUTPUT_CHANNELS:
            minimumChannelCount = value
            if value > 0, maximumChannelCount > 0, maximumChannelCount < value { maximumChannelCount = value }
        case AAC_DRC_BOOST_FACTOR: boost = value
        case AAC_DRC_ATTENUATION_FACTOR: cut = value
        case AAC_DRC_REFERENCE_LEVEL: referenceLevel = max(-1, value)
        default: break
        }
        return true
    }

    /// Whether a parameter is known and the value valid.
    private static func accepts(_ parameter: AACDEC_PARAM, _ value: Int32) -> Bool {
        switch parameter {
        case AAC_PCM_DUAL_CHANNEL_OUTPUT_MODE, AAC_METADATA_PROFILE: 0...3 ~= value
        case AAC_PCM_OUTPUT_CHANNEL_MAPPING, AAC_DRC_HEAVY_COMPRESSION, AAC_UNIDRC_ALBUM_MODE: 0...1 ~= value
        case AAC_PCM_LIMITER_ENABLE: -2...1 ~= value
        case AAC_PCM_LIMITER_ATTACK_TIME: 1...15 ~= value
        case AAC_PCM_LIMITER_RELEAS_TIME: value > 0
        case AAC_PCM_MIN_OUTPUT_CHANNELS, AAC_PCM_MAX_OUTPUT_CHANNELS: -1...2 ~= value || value == 6 || value == 8
        case AAC_METADATA_EXPIRY_TIME: value >= 0
        case AAC_CONCEAL_METHOD: 0...2 ~= value
        case AAC_DRC_BOOST_FACTOR, AAC_DRC_ATTENUATION_FACTOR, AAC_DRC_ENC_TARGET_LEVEL: 0...127 ~= value
        case AAC_DRC_REFERENCE_LEVEL: value < 0 || 40...127 ~= value
        case AAC_DRC_DEFAULT_PRESENTATION_MODE: -1...2 ~= value
        case AAC_UNIDRC_SET_EFFECT: -1...6 ~= value
        case AAC_QMF_LOWPOWER: -1...1 ~= value
        case AAC_TPDEC_CLEAR_BUFFER: true
        default: false
        }
    }

    var options: AACDecoderOptions {
        var options = AACDecoderOptions()
        options.dynamicRangeBoost = Double(boost) / 127
        options.dynamicRangeCut = Double(cut) / 127
        options.referenceLevel = referenceLevel < 0 ? nil : -Double(referenceLevel) / 4
        options.channelOrder = isBitstreamOrder ? .bitstream : .wav
        switch maximumChannelCount {
        case 1: options.downmix = .mono
        case 2: options.downmix = .stereo
        default: options.downmix = .none
        }
        return options
    }
}
