// SPDX-License-Identifier: Apache-2.0

public import AACCodec
internal import ALACCodec
public import AudioPrimitives
internal import MPEG4Audio
public import OpusCodec

/// The parameters of an encoder for any codec.
public enum AudioEncoderConfiguration: Hashable, Sendable {
    /// AAC-LC, HE-AAC or HE-AAC v2.
    case aac(AACEncoderConfiguration)
    /// Opus (RFC 6716).
    case opus(OpusEncoderConfiguration)
    /// iLBC (RFC 3951).
    case ilbc(ILBCMode)
    /// Apple Lossless with 16, 24 or 32 bits per sample.
    case alac(ALACConfiguration)

    /// Creates an encoder.
    ///
    /// - Throws: `CodecError` if a parameter is unsupported or out of range.
    public func makeEncoder() throws(CodecError) -> any AudioPacketEncoder {
        switch self {
        case .aac(let configuration): try AACEncoder(configuration)
        case .opus(let configuration): try OpusEncoder(configuration)
        case .ilbc(let mode): ILBCPacketEncoder(mode: mode)
        case .alac(let configuration): try ALACEncoder(configuration)
        }
    }

    /// The input sample rate, in hertz.
    public var sampleRate: Int {
        switch self {
        case .aac(let configuration): configuration.sampleRate
        case .opus(let configuration): configuration.sampleRate
        case .ilbc: ILBCMode.sampleRate
        case .alac(let configuration): configuration.sampleRate
        }
    }

    /// The input channel count.
    public var channelCount: Int {
        switch self {
        case .aac(let configuration): configuration.channelCount
        case .opus(let configuration): configuration.channelCount
        case .ilbc: 1
        case .alac(let configuration): configuration.channelCount
        }
    }

    /// The expected input channel layout, if known.
    public var channelLayout: ChannelLayout? {
        switch self {
        case .aac(let configuration):
            configuration.inputLayout ?? ChannelConfiguration(channelCount: configuration.channelCount)?.layout.inWAVOrder
        case .opus(let configuration):
            configuration.inputLayout ?? (try? OpusChannelMapping(channelCount: configuration.channelCount))?.channelLayout.inWAVOrder
        case .ilbc: ChannelLayout([.center])
        case .alac(let configuration): configuration.channelLayout?.inWAVOrder
        }
    }

    /// The Core Audio format ID.
    ///
    /// AAC with an automatic profile has the ID of AAC-LC.
    public var formatID: FourCharCode {
        switch self {
        case .aac(let configuration): configuration.profile.formatID
        case .opus: .opus
        case .ilbc: .iLBC
        case .alac: .appleLossless
        }
    }

    /// The encoding of a lossless codec's samples, or `nil` for a lossy one.
    package var encoding: SampleEncoding? {
        guard case .alac(let configuration) = self else { return nil }
        return configuration.bitDepth <= 16 ? .int16 : configuration.bitDepth <= 24 ? .int24 : .int32
    }
}
