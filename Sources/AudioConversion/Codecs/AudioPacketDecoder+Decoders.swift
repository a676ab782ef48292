// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import ALACCodec
public import AudioContainers
internal import AudioPrimitives
public import OpusCodec
public import USACCodec

extension AACDecoder: AudioPacketDecoder {
    /// The configuration of the stream.
    public var codecConfiguration: CodecConfiguration { .aac(configuration) }
}

extension USACDecoder: AudioPacketDecoder {
    /// The configuration of the stream.
    public var codecConfiguration: CodecConfiguration { .aac(audioSpecificConfig) }
}

extension OpusDecoder: AudioPacketDecoder {
    /// The configuration of the stream.
    public var codecConfiguration: CodecConfiguration { .opus(configuration) }
}

extension ALACDecoder: AudioPacketDecoder {
    /// The configuration of the stream.
    public var codecConfiguration: CodecConfiguration { .alac(configuration) }

    /// Whether single precision does not hold the samples of the stream.
    var needsIntegers: Bool { configuration.bitDepth > 24 }
}
