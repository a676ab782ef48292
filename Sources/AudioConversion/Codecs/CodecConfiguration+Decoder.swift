// SPDX-License-Identifier: Apache-2.0

public import AACCodec
internal import ALACCodec
public import AudioContainers
public import AudioPrimitives
internal import MPEG4Audio
internal import OpusCodec
internal import USACCodec

extension CodecConfiguration {
    /// Creates a decoder for the stream.
    ///
    /// - Parameter aac: The AAC channel order and downmix.
    /// - Throws: `CodecError` if the codec does not support the stream.
    public func makeDecoder(aac: AACDecoderOptions = AACDecoderOptions()) throws(CodecError) -> any AudioPacketDecoder {
        switch self {
        case .aac(let configuration) where configuration.usac != nil: try USACDecoder(configuration)
        case .aac(let configuration): try AACDecoder(configuration, options: aac)
        case .ilbc(let mode): ILBCPacketDecoder(mode: mode)
        case .alac(let configuration): try ALACDecoder(configuration, usesWAVOrder: true)
        case .opus(let configuration): try OpusDecoder(configuration)
        }
    }
}
