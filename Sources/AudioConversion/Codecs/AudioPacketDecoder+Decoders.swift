// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import ALACCodec
public import AudioContainers
internal import AudioPrimitives
public import OpusCodec
public import USACCodec

extension AACDecoder: AudioPacketDecoder {
    /// The stream's `AudioSpecificConfig`.
    public var codecConfiguration: CodecConfiguration { .aac(configuration) }
}

extension USACDecoder: AudioPacketDecoder {
    /// The stream's `AudioSpecificConfig`.
    public var codecConfiguration: CodecConfiguration { .aac(audioSpecificConfig) }
}

extension OpusDecoder: AudioPacketDecoder {
    /// The stream's identification header.
    public var codecConfiguration: CodecConfiguration { .opus(configuration) }
}

extension ALACDecoder: AudioPacketDecoder {
    /// The stream's `ALACSpecificConfig`.
    public var codecConfiguration: CodecConfiguration { .alac(configuration) }

    /// Whether single precision cannot represent the samples exactly.
    var needsIntegers: Bool { configuration.bitDepth > 24 }
}
