// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio

/// The codec of a stream and its decoder configuration.
public enum CodecConfiguration: Hashable, Sendable {
    /// AAC, with its AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1).
    case aac(AudioSpecificConfig)
    /// Opus, with the fields of its identification header (RFC 7845, 5.1).
    case opus(OpusConfiguration)
    /// Apple Lossless, with the fields of its magic cookie.
    case alac(ALACConfiguration)
    /// iLBC, with its frame length (RFC 3951).
    case ilbc(ILBCMode)
}

extension CodecConfiguration {
    /// Creates an Apple Lossless configuration from its magic cookie.
    ///
    /// - Throws: ``ContainerError/codec(_:)``.
    package init(alacCookie: [UInt8]) throws(ContainerError) {
        do {
            self = .alac(try ALACConfiguration(parsing: alacCookie))
        } catch {
            throw .codec(error)
        }
    }

    /// The AudioSpecificConfig, or `nil` for codecs other than AAC.
    public var audioSpecificConfig: AudioSpecificConfig? {
        if case .aac(let config) = self { config } else { nil }
    }

    /// The codec's four-character code, as in Core Audio's `mFormatID`, for example `aac ` or `opus`.
    public var formatID: FourCharCode {
        switch self {
        case .aac(let config): config.formatID
        case .opus: .opus
        case .alac: .appleLossless
        case .ilbc: .iLBC
        }
    }

    /// The output sample rate, in hertz.
    public var sampleRate: Int {
        switch self {
        case .aac(let config): config.outputSampleRate
        case .opus: OpusConfiguration.sampleRate
        case .alac(let config): config.sampleRate
        case .ilbc: ILBCMode.sampleRate
        }
    }

    /// The unit of durations in streams without a timescale, in hertz: the core sample rate with SBR, otherwise ``sampleRate``.
    package var coreSampleRate: Int {
        if case .aac(let config) = self { config.sampleRate } else { sampleRate }
    }

    /// The output channel count, or `nil` if it is unknown before decoding.
    public var channelCount: Int? {
        switch self {
        case .aac(let config): config.hasStereoParameters ? 2 : config.channelCount
        case .opus(let config): config.channelCount
        case .alac(let config): config.channelCount
        case .ilbc: 1
        }
    }

    /// The core channel count, before parametric stereo, or `nil` if it is unknown before decoding.
    package var coreChannelCount: Int? {
        if case .aac(let config) = self { config.channelCount } else { channelCount }
    }

    /// The speakers in stream order, or `nil` if unknown.
    public var channelLayout: ChannelLayout? {
        switch self {
        case .aac(let config): config.channelLayout
        case .opus(let config): config.channelLayout
        case .alac(let config): config.channelLayout
        case .ilbc: ChannelLayout([.center])
        }
    }

    /// The common name of the codec or, for AAC, of the profile that the configuration signals.
    public var profileName: String {
        if case .aac(let config) = self { config.profileName } else { formatID.codecName }
    }

    /// Output sample frames per access unit, at ``sampleRate``, or `nil` if variable or unknown.
    public var framesPerUnit: Int? {
        switch self {
        case .aac(let config): config.frameLength.map { $0 * (config.isOutputRateDoubled ? 2 : 1) }
        case .opus, .alac: nil
        case .ilbc(let mode): mode.samplesPerFrame
        }
    }

    /// Returns the decoded sample frames of an access unit at ``sampleRate`` by its first bytes, or `nil` if it is invalid.
    package func frameCount(of payload: [UInt8]) -> Int? {
        switch self {
        case .opus: (try? OpusPacket(payload))?.duration
        case .alac(let config): config.frameCount(ofPacket: payload) ?? config.frameLength
        case .aac, .ilbc: framesPerUnit
        }
    }

    /// Whether decoding can start only at some access units, as in USAC.
    package var hasAccessPoints: Bool { audioSpecificConfig?.usac != nil }

    /// Returns whether decoding can start at an access unit with complete output.
    package func isAccessPoint(_ accessUnit: AccessUnit) -> Bool { isAccessPoint(accessUnit.payload) }

    /// Returns whether decoding can start at an access unit, by its first byte.
    package func isAccessPoint(_ payload: [UInt8]) -> Bool { audioSpecificConfig?.usac?.isAccessPoint(payload) ?? true }

    /// The number of sample frames at ``sampleRate`` from the start of an access point to complete output.
    package var framesAfterAccessPoint: Int { audioSpecificConfig?.usac?.hasPreRolls == true ? 0 : prerollFrames }

    /// The number of sample frames at ``sampleRate`` to decode before a seek target, for the same output as decoding from the start.
    package var prerollFrames: Int {
        switch self {
        case .aac(let config):
            // Streams with an unknown frame length are not decoded.
            guard let framesPerUnit else { return 0 }
            // Windows overlap. SBR headers and envelopes depend on previous frames.
            let hasSBR = config.enhancedLowDelay?.sbr != nil || config.extensionConfig.hasSBR ?? (config.sampleRate <= 24_000)
            // An AAC-ELD window spans four access units.
            return (hasSBR ? 16 : config.enhancedLowDelay != nil ? 3 : 1) * framesPerUnit
        // 80 ms (RFC 7845, 4.6).
        case .opus: return 3840
        case .alac: return 0
        // The decoder's long-term state spans less than two frames.
        case .ilbc(let mode): return 2 * mode.samplesPerFrame
        }
    }

    /// The number of access units that an SBR decoder needs before a cut.
    ///
    /// SBR headers occur at least once in 50 access units; the filters need a few more.
    private static let sbrPreroll = 64

    /// Returns the number of sample frames at ``sampleRate`` that a file needs before its first requested frame.
    ///
    /// - Parameter isStored: Whether the file signals them, so that players skip them.
    package func cutPrerollFrames(isStored: Bool) -> Int {
        guard case .aac(let config) = self, let framesPerUnit, config.extensionConfig.hasSBR ?? (config.sampleRate <= 24_000) else {
            return prerollFrames
        }
        return framesPerUnit * (isStored ? Self.sbrPreroll : 1)
    }

    /// Checks that the frame length is known or signalled in each access unit.
    ///
    /// - Throws: ``ContainerError/unsupportedObjectType(_:allowed:)`` for AAC object types without a `GASpecificConfig`.
    func checkFrameLength() throws(ContainerError) {
        guard case .aac(let config) = self, config.frameLength == nil else { return }
        throw .unknownFrameLength(of: config.objectType)
    }
}

extension ContainerError {
    /// Returns the error for an AAC object type whose configuration does not signal the frame length.
    package static func unknownFrameLength(of objectType: AudioObjectType) -> ContainerError {
        .unsupportedObjectType(objectType, allowed: [.aacMain, .aacLC, .aacLTP, .aacLD, .aacELD])
    }
}

extension AudioSpecificConfig {
    /// Whether the output rate is twice the core sample rate.
    fileprivate var isOutputRateDoubled: Bool {
        outputSampleRate > sampleRate && (extensionConfig.hasSBR == true || enhancedLowDelay?.sbr != nil)
    }

    fileprivate var formatID: FourCharCode {
        if objectType == .usac { return .mpegDUSAC }
        if objectType == .aacLD { return .mpeg4LowDelayAAC }
        if objectType == .aacELD { return .mpeg4EnhancedLowDelayAAC }
        if extensionConfig.hasParametricStereo == true { return .mpeg4HighEfficiencyAACv2 }
        return extensionConfig.hasSBR == true ? .mpeg4HighEfficiencyAAC : .mpeg4AAC
    }
}
