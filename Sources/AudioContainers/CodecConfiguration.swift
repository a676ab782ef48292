// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio

/// The configuration of a coded stream: the codec, and what its decoder needs before the first access unit.
public enum CodecConfiguration: Hashable, Sendable {
    /// AAC, with its AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1).
    case aac(AudioSpecificConfig)
    /// Opus, with the fields of its identification header (RFC 7845, 5.1).
    case opus(OpusConfiguration)
    /// Apple Lossless, with its magic cookie.
    case alac(ALACConfiguration)
    /// iLBC, with its frame length (RFC 3951).
    case ilbc(ILBCMode)
}

extension CodecConfiguration {
    /// Creates the configuration of Apple Lossless from its magic cookie.
    ///
    /// - Throws: ``ContainerError/codec(_:)``.
    package init(alacCookie: [UInt8]) throws(ContainerError) {
        do {
            self = .alac(try ALACConfiguration(parsing: alacCookie))
        } catch {
            throw .codec(error)
        }
    }

    /// The AudioSpecificConfig of AAC; nil for other codecs.
    public var audioSpecificConfig: AudioSpecificConfig? {
        if case .aac(let config) = self { config } else { nil }
    }

    /// The code of the codec as in Core Audio's `mFormatID`, such as `aac ` or `opus`.
    public var formatID: FourCharCode {
        switch self {
        case .aac(let config): config.formatID
        case .opus: .opus
        case .alac: .appleLossless
        case .ilbc: .iLBC
        }
    }

    /// The sample rate of the decoded stream in hertz.
    public var sampleRate: Int {
        switch self {
        case .aac(let config): config.outputSampleRate
        case .opus: OpusConfiguration.sampleRate
        case .alac(let config): config.sampleRate
        case .ilbc: ILBCMode.sampleRate
        }
    }

    /// The sample rate in hertz that streams without a timescale count durations of access units in: ``sampleRate``, with SBR that of the core.
    package var coreSampleRate: Int {
        if case .aac(let config) = self { config.sampleRate } else { sampleRate }
    }

    /// The number of channels of the decoded stream; nil if only decoding could reveal it.
    public var channelCount: Int? {
        switch self {
        case .aac(let config): config.hasStereoParameters ? 2 : config.channelCount
        case .opus(let config): config.channelCount
        case .alac(let config): config.channelCount
        case .ilbc: 1
        }
    }

    /// The number of channels that access units code: with parametric stereo those of the core; nil if only decoding could reveal it.
    package var coreChannelCount: Int? {
        if case .aac(let config) = self { config.channelCount } else { channelCount }
    }

    /// The speakers of the coded channels in the order of the stream; nil if they are unknown.
    public var channelLayout: ChannelLayout? {
        switch self {
        case .aac(let config): config.channelLayout
        case .opus(let config): config.channelLayout
        case .alac(let config): config.channelLayout
        case .ilbc: ChannelLayout([.center])
        }
    }

    /// The usual name of the codec, for AAC that of the profile, as far as the configuration signals it.
    public var profileName: String {
        if case .aac(let config) = self { config.profileName } else { formatID.codecName }
    }

    /// The number of sample frames at ``sampleRate`` that every access unit decodes to; nil if units differ or it is unknown.
    public var framesPerUnit: Int? {
        switch self {
        case .aac(let config): config.frameLength.map { $0 * (config.isOutputRateDoubled ? 2 : 1) }
        case .opus, .alac: nil
        case .ilbc(let mode): mode.samplesPerFrame
        }
    }

    /// The number of sample frames at ``sampleRate`` to decode before a wanted one, so that the output is that of decoding from the start.
    package var prerollFrames: Int {
        switch self {
        case .aac(let config):
            // What has units of unknown length is not decoded.
            guard let framesPerUnit else { return 0 }
            // Windows overlap; the header and the envelopes of SBR depend on earlier ones.
            let hasSBR = config.enhancedLowDelay?.sbr != nil || config.extensionConfig.hasSBR ?? (config.sampleRate <= 24_000)
            // The window of AAC-ELD covers four units.
            return (hasSBR ? 16 : config.enhancedLowDelay != nil ? 3 : 1) * framesPerUnit
        // 80 ms (RFC 7845, 4.6).
        case .opus: return 3840
        case .alac: return 0
        // The long-term state of the decoder reaches back less than two frames.
        case .ilbc(let mode): return 2 * mode.samplesPerFrame
        }
    }

    /// Checks that the length of units is known, or stands in each of them.
    ///
    /// - Throws: ``ContainerError/unsupportedObjectType(_:allowed:)`` for object types of AAC without a `GASpecificConfig`.
    func checkFrameLength() throws(ContainerError) {
        guard case .aac(let config) = self, config.frameLength == nil else { return }
        throw .unknownFrameLength(of: config.objectType)
    }
}

extension ContainerError {
    /// Returns the error of an object type of AAC whose configuration does not tell the length of units.
    package static func unknownFrameLength(of objectType: AudioObjectType) -> ContainerError {
        .unsupportedObjectType(objectType, allowed: [.aacMain, .aacLC, .aacLTP, .aacLD, .aacELD])
    }
}

extension AudioSpecificConfig {
    /// Whether the output rate is twice that of the core.
    fileprivate var isOutputRateDoubled: Bool {
        outputSampleRate > sampleRate && (extensionConfig.hasSBR == true || enhancedLowDelay?.sbr != nil)
    }

    /// The code of the kind of AAC.
    fileprivate var formatID: FourCharCode {
        if objectType == .usac { return .mpegDUSAC }
        if objectType == .aacLD { return .mpeg4LowDelayAAC }
        if objectType == .aacELD { return .mpeg4EnhancedLowDelayAAC }
        if extensionConfig.hasParametricStereo == true { return .mpeg4HighEfficiencyAACv2 }
        return extensionConfig.hasSBR == true ? .mpeg4HighEfficiencyAAC : .mpeg4AAC
    }
}
