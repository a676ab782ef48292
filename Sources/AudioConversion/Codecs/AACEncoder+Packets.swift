// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioContainers
internal import AudioPrimitives

extension AACEncoder: AudioPacketEncoder {
    /// The configuration that a decoder needs before the first unit.
    public var codecConfiguration: CodecConfiguration { .aac(audioSpecificConfig) }
    /// The sample rate of the input, in hertz.
    public var sampleRate: Int { configuration.sampleRate }
    /// The number of channels of the input.
    public var channelCount: Int { configuration.channelCount }
    /// The number of decoded sample frames before the first input sample.
    public var primingFrames: Int { delay }
    /// The size of a decoder's input buffer: 6144 bits a channel (ISO/IEC 14496-3:2009, 4.5.3).
    public var maximumPacketByteCount: Int { 768 * channelCount }

    /// The bit rates of the profile for the sample rate, the channels and the frame length.
    public var applicableBitRates: [ClosedRange<Int>] { [bitRates] }
}
