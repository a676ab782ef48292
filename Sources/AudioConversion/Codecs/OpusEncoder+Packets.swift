// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
internal import AudioPrimitives
public import OpusCodec

extension OpusEncoder: AudioPacketEncoder {
    /// The identification header of the stream.
    public var codecConfiguration: CodecConfiguration { .opus(opusConfiguration) }
    /// The input sample rate, in hertz.
    public var sampleRate: Int { configuration.sampleRate }
    /// The input channel count.
    public var channelCount: Int { configuration.channelCount }
    /// Always 48 000, regardless of the input sample rate.
    public var timescale: Int { OpusConfiguration.sampleRate }
    /// The pre-skip, at 48 kHz.
    public var primingFrames: Int { delay }
    /// The target bit rate, in bits per second.
    public var bitRate: Int? { configuration.bitRate }
}
