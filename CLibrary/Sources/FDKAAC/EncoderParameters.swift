// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioPrimitives
internal import CFDKAAC
internal import MPEG4Audio

/// The parameters of an encoder, as set by its caller.
///
/// Values, defaults and errors match fdk-aac: setting a value that is never valid fails immediately. Contradictions between parameters fail
/// at initialization, which also clamps out-of-range numbers.
struct EncoderParameters: Equatable {
    /// The audio object type: 2, 5, 23, 29, 39 or 42; 129 and 132 are the first two without noise substitution.
    var objectType: UInt32 = 2
    /// Bits per second; -1 for the default.
    var bitRate: Int32 = -1
    /// 0 for a constant bit rate, 1 to 5 for constant quality.
    var bitRateMode: UInt32 = 0
    /// The sample rate, in hertz; 0 if not set.
    var sampleRate: UInt32 = 0
    /// The channel mode; 0 if not set.
    var channelMode: UInt32 = 0
    /// 0 for MPEG order, 1 and 2 for WAV order.
    var channelOrder: UInt32 = 0
    /// Whether to use the wider search.
    var afterburner: UInt32 = 0
    /// The bandwidth, in hertz; 0 selects it from the bit rate.
    var bandwidth: UInt32 = 0
    /// Bits per second; -1 for no limit.
    var peakBitRate: Int32 = -1
    /// The transport; -1 for ADTS, or raw access units where ADTS cannot contain them.
    var transport: Int32 = -1
    /// The number of access units between configurations in LATM and LOAS; 255 for the default.
    var headerPeriod: UInt32 = 255
    /// The SBR signaling; -1 for the transport's default.
    var signaling: Int32 = -1
    /// The `audioMuxVersion` of LATM; -1 for 0.
    var multiplexVersion: Int32 = -1
    /// Whether ADTS has checksums.
    var protection: UInt32 = 0
    /// SBR in AAC-ELD: 0 off, 1 on, -1 from the bit rate.
    var sbrMode: Int32 = -1
    /// The SBR ratio of AAC-ELD: 1 (or 0) for a core at the output rate, 2 for half of it.
    var sbrRatio: UInt32 = 0
    /// Parameters that have no effect but can be read back.
    private var inert = InertParameters()

    private struct InertParameters: Equatable {
        var ancillaryBitRate: UInt32 = 0
        var metadataMode: UInt32 = 0
    }

    /// The modules that the caller requested; 0 for all.
    private let modules: UInt32
    /// The maximum channel count that the caller requested.
    private let maximumChannelCount: Int

    /// Core sample frames per access unit: 1024, or 960 for DAB+ and DRM.
    ///
    /// For AAC-LD and AAC-ELD 512 (or 1024, which means the same) or 480.
    var granuleLength = UInt32(AACEncoderSettings.defaultFrameLength)

    /// The maximum channel count of any mode.
    static let channelLimit = 8

    /// Creates default parameters; `nil` for an unsupported channel count.
    ///
    /// - Parameters:
    ///   - modules: The modules to use; 0 for all.
    ///   - maximumChannelCounts: The maximum channel count, 0 for all. The second byte is the maximum with SBR, which limits memory in
    ///     fdk-aac and has no effect here.
    init?(modules: UInt32, maximumChannelCounts: UInt32) {
        let (count, countWithSBR) = (Int(maximumChannelCounts & 0xFF), Int(maximumChannelCounts >> 8 & 0xFF))
        guard max(count, countWithSBR) <= Self.channelLimit else { return nil }
        self.modules = modules
        maximumChannelCount = count == 0 ? Self.channelLimit : count
    }

    /// Sets a parameter.
    ///
    /// - Returns: `AACENC_OK`; `AACENC_INVALID_CONFIG` for a value that is never valid; `AACENC_UNSUPPORTED_PARAMETER` for an unknown
    ///   parameter.
    mutating func set(_ parameter: AACENC_PARAM, _ value: UInt32) -> AACENC_ERROR {
        let signed = Int32(bitPattern: value)
        switch parameter {
        case AACENC_AOT:
            let isValid = isSupported(objectType: value)
            return Self.store(value, in: &objectType, if: isValid)
        case AACENC_BITRATE: bitRate = signed
        case AACENC_BITRATEMODE: return Self.store(value, in: &bitRateMode, if: value <= 5)
        case AACENC_SAMPLERATE:
            return Self.store(value, in: &sampleRate, if: value == 0 || AACEncoderConfiguration.sampleRates.contains(Int(value)))
        case AACENC_GRANULE_LENGTH:
            let length = signed == -1 ? UInt32(AACEncoderSettings.defaultFrameLength) : value
            let lengths = AACEncoderSettings.frameLengths + AACEncoderSettings.lowDelayFrameLengths
            return Self.store(length, in: &granuleLength, if: lengths.contains(Int(clamping: length)))
        case AACENC_CHANNELMODE: return Self.store(value, in: &channelMode, if: value == 0 || allows(channelMode: value))
        case AACENC_CHANNELORDER: return Self.store(value, in: &channelOrder, if: value <= 2)
        case AACENC_SBR_RATIO: return Self.store(value, in: &sbrRatio, if: value <= 2 && (value != 1 || profile == .enhancedLowDelay))
        case AACENC_AFTERBURNER: return Self.store(value, in: &afterburner, if: value <= 1)
        case AACENC_BANDWIDTH: bandwidth = value
        case AACENC_PEAK_BITRATE: peakBitRate = signed
        case AACENC_SBR_MODE: sbrMode = signed
        case AACENC_ANCILLARY_BITRATE: return Self.store(value, in: &inert.ancillaryBitRate, if: true)
        case AACENC_METADATA_MODE: return Self.store(value, in: &inert.metadataMode, if: value <= 3)
        default: return setTransport(parameter, value)
        }
        return AACENC_OK
    }

    /// Returns a parameter as set; 0 for unknown parameters.
    func get(_ parameter: AACENC_PARAM) -> UInt32 {
        switch parameter {
        case AACENC_AOT: objectType
        case AACENC_BITRATE: UInt32(bitPattern: bitRate)
        case AACENC_BITRATEMODE: bitRateMode
        case AACENC_SAMPLERATE: sampleRate
        case AACENC_GRANULE_LENGTH: granuleLength
        case AACENC_CHANNELMODE: channelMode
        case AACENC_CHANNELORDER: channelOrder
        case AACENC_SBR_MODE: UInt32(bitPattern: sbrMode)
        case AACENC_SBR_RATIO: sbrRatio
        case AACENC_AFTERBURNER: afterburner
        case AACENC_BANDWIDTH: bandwidth
        case AACENC_PEAK_BITRATE: UInt32(bitPattern: peakBitRate)
        case AACENC_TRANSMUX: UInt32(bitPattern: transport)
        case AACENC_HEADER_PERIOD: headerPeriod
        case AACENC_SIGNALING_MODE: UInt32(bitPattern: signaling)
        case AACENC_TPSUBFRAMES: 1
        case AACENC_AUDIOMUXVER: UInt32(bitPattern: multiplexVersion)
        case AACENC_PROTECTION: protection
        case AACENC_ANCILLARY_BITRATE: inert.ancillaryBitRate
        case AACENC_METADATA_MODE: inert.metadataMode
        default: 0
        }
    }

    private static func store(_ value: UInt32, in property: inout UInt32, if isValid: Bool) -> AACENC_ERROR {
        guard isValid else { return AACENC_INVALID_CONFIG }
        property = value
        return AACENC_OK
    }

    private mutating func setTransport(_ parameter: AACENC_PARAM, _ value: UInt32) -> AACENC_ERROR {
        switch parameter {
        case AACENC_TRANSMUX:
            let signed = Int32(bitPattern: value)
            guard signed == -1 || Transport.supported.contains(signed) else { return AACENC_INVALID_CONFIG }
            transport = signed
        case AACENC_HEADER_PERIOD: return Self.store(value, in: &headerPeriod, if: value <= 255)
        case AACENC_SIGNALING_MODE:
            guard value <= 2 else { return AACENC_INVALID_CONFIG }
            signaling = Int32(value)
        case AACENC_TPSUBFRAMES: return value == 1 ? AACENC_OK : AACENC_INVALID_CONFIG
        case AACENC_AUDIOMUXVER:
            guard value <= 2 else { return AACENC_INVALID_CONFIG }
            multiplexVersion = Int32(value)
        case AACENC_PROTECTION: return Self.store(value, in: &protection, if: value <= 1)
        default: return AACENC_UNSUPPORTED_PARAMETER
        }
        return AACENC_OK
    }

    /// Returns the configuration of a channel mode; `nil` if it is unknown or unsupported.
    static func configuration(mode: UInt32) -> ChannelConfiguration? {
        // 7.1 with back channels and with five front channels, which fdk-aac writes without a channel configuration number.
        switch mode {
        case 33: ChannelConfiguration(rawValue: 12)
        case 34: ChannelConfiguration(rawValue: 7)
        default: ChannelConfiguration(rawValue: Int(clamping: mode))
        }
    }

    /// Whether the object type can be encoded with the requested modules.
    private func isSupported(objectType: UInt32) -> Bool {
        // AAC, SBR and parametric stereo. Each requires the previous ones.
        switch objectType {
        case 2, 23, 39, 42, 129: true
        case 5, 132: modules == 0 || modules & 3 == 3
        case 29: modules == 0 || modules & 7 == 7
        default: false
        }
    }

    /// Whether a channel mode is within the requested channel count.
    private func allows(channelMode: UInt32) -> Bool {
        Self.configuration(mode: channelMode).map { $0.channelCount <= maximumChannelCount } ?? false
    }
}
