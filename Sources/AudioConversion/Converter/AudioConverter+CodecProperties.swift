// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
public import AudioPrimitives
internal import MPEG4Audio

extension CodecConfiguration {
    /// Creates the configuration of a stream from its magic cookie, as Core Audio hands it out.
    ///
    /// - Parameters:
    ///   - magicCookie: For AAC an `ES_Descriptor` or an AudioSpecificConfig, for Apple Lossless its specific configuration, for Opus the
    ///     identification header; iLBC has none.
    ///   - formatID: The code of the codec in Core Audio.
    ///   - bytesPerPacket: The size of packets, which tells the mode of iLBC; 0 if it varies.
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
    /// The magic cookie of the output, for Core Audio and for files: an `ES_Descriptor` for AAC, the identification header for Opus.
    ///
    /// It is known before the first packet; nil for PCM and codecs without one.
    public var outputMagicCookie: [UInt8]? {
        if case .opus(let configuration) = outputConfiguration { return configuration.opusHead }
        return outputConfiguration?.magicCookie
    }

    /// The bit rates that the encoder accepts for its format, in bits per second, as ascending ranges; empty for PCM.
    public var applicableBitRates: [ClosedRange<Int>] { encoder?.applicableBitRates ?? [] }

    /// Changes the encoder's bit rate from the next packet on.
    ///
    /// - Parameter bitRate: The bit rate, in bits per second.
    /// - Throws: `CodecError.unsupportedBitRate` if it is not one of ``applicableBitRates``, or the encoder
    ///   keeps the quality constant; nothing has changed then.
    public func setBitRate(_ bitRate: Int) throws(CodecError) {
        guard let encoder else { throw .noBitRate }
        try encoder.setBitRate(bitRate)
    }
}
