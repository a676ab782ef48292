// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioPrimitives
internal import MPEG4Audio

extension CodecConfiguration {
    /// Creates the configuration of a stream from its Core Audio magic cookie.
    ///
    /// - Parameters:
    ///   - magicCookie: An `ES_Descriptor` or `AudioSpecificConfig` for AAC, the specific configuration for Apple Lossless, and
    ///     the identification header for Opus. Empty for iLBC.
    ///   - formatID: The Core Audio format ID.
    ///   - bytesPerPacket: The packet size, which determines the iLBC mode, or 0 if it varies.
    /// - Throws: `CodecError.invalidMagicCookie` or `CodecError.unsupportedCodec`.
    public init(magicCookie: [UInt8], formatID: FourCharCode, bytesPerPacket: Int = 0) throws(CodecError) {
        let damage = CodecError.invalidMagicCookie(formatID, byteCount: magicCookie.count)
        switch formatID {
        case .mpeg4AAC, .mpeg4HighEfficiencyAAC, .mpeg4HighEfficiencyAACv2, .mpeg4LowDelayAAC, .mpeg4EnhancedLowDelayAAC, .mpegDUSAC:
            guard let configuration = try? AudioSpecificConfig(magicCookie: magicCookie) else { throw damage }
            self = .aac(configuration)
        case .opus:
            guard let configuration = try? OpusConfiguration(opusHead: magicCookie) else { throw damage }
            self = .opus(configuration)
        case .appleLossless:
            guard let configuration = try? ALACConfiguration(parsing: magicCookie) else { throw damage }
            self = .alac(configuration)
        case .iLBC:
            guard let mode = ILBCMode(bytesPerFrame: bytesPerPacket) else { throw damage }
            self = .ilbc(mode)
        default: throw .unsupportedCodec(formatID)
        }
    }
}

extension AudioConverter {
    /// The output's magic cookie, for Core Audio and for files: an `ES_Descriptor` for AAC, the identification header for Opus.
    ///
    /// Known before the first packet. `nil` for PCM and codecs without a cookie.
    public var outputMagicCookie: [UInt8]? {
        if case .opus(let configuration) = outputConfiguration { return configuration.opusHead }
        return outputConfiguration?.magicCookie
    }

    /// The bit rates that the encoder supports for its format, in bits per second, as ascending ranges.
    ///
    /// Empty for PCM.
    public var applicableBitRates: [ClosedRange<Int>] { encoder?.applicableBitRates ?? [] }

    /// Changes the encoder's bit rate, starting with the next packet.
    ///
    /// - Parameter bitRate: The bit rate, in bits per second.
    /// - Throws: `CodecError.unsupportedBitRate` if it is not one of ``applicableBitRates``, or the encoder has constant quality; the
    ///   encoder is unchanged.
    public func setBitRate(_ bitRate: Int) throws(CodecError) {
        guard let encoder else { throw .noBitRate }
        try encoder.setBitRate(bitRate)
    }
}
