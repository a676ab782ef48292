// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioContainers
internal import AudioPrimitives

extension AACEncoder: AudioPacketEncoder {
    /// The configuration that a decoder needs before the first access unit.
    public var codecConfiguration: CodecConfiguration { .aac(audioSpecificConfig) }
    /// The input sample rate, in hertz.
    public var sampleRate: Int { configuration.sampleRate }
    /// The input channel count.
    public var channelCount: Int { configuration.channelCount }
    /// The number of decoded frames before the first input frame.
    public var primingFrames: Int { delay }
    /// The decoder input buffer size: 6144 bits per channel (ISO/IEC 14496-3:2009, 4.5.3).
    public var maximumPacketByteCount: Int { 768 * channelCount }

    /// The profile's bit rates for the sample rate, channel count and frame length, in bits per second.
    public var applicableBitRates: [ClosedRange<Int>] { [bitRates] }
}
