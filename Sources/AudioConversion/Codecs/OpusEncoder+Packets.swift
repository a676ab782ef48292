// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
internal import AudioPrimitives
public import OpusCodec

extension OpusEncoder: AudioPacketEncoder {
    /// The identification header of the stream.
    public var codecConfiguration: CodecConfiguration { .opus(opusConfiguration) }
    /// The sample rate of the input, in hertz.
    public var sampleRate: Int { configuration.sampleRate }
    /// The number of channels of the input.
    public var channelCount: Int { configuration.channelCount }
    /// Always 48 000, whatever the rate of the input is.
    public var timescale: Int { OpusConfiguration.sampleRate }
    /// The pre-skip, at 48 kHz.
    public var primingFrames: Int { delay }
    /// The target bit rate.
    public var bitRate: Int? { configuration.bitRate }
}
