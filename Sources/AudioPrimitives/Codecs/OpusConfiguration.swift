// SPDX-License-Identifier: Apache-2.0

/// The configuration of an Opus stream: the fields of the identification header (RFC 7845 5.1).
///
/// Ogg stores it as `OpusHead`; the other containers store the same fields in forms of their own.
public struct OpusConfiguration: Hashable, Sendable {
    /// The sample rate of decoded audio and of all times in containers, in hertz, whatever the rate of the input was.
    public static let sampleRate = 48_000

    /// The number of sample frames at 48 kHz that are decoded before the first one of the input, 0 to 65 535.
    public var preSkip: UInt16

    /// The sample rate of the encoder's input, in hertz, as information for people; 0 if it is unspecified.
    public var inputSampleRate: UInt32

    /// The gain that players apply to the decoded audio, in 1/256 dB.
    public var outputGain: Int16

    /// The way from the streams in a packet to the channels of the output.
    public var mapping: OpusChannelMapping

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - mapping: The way from the streams in a packet to the channels of the output.
    ///   - preSkip: The number of sample frames at 48 kHz before the first one of the input.
    ///   - inputSampleRate: The sample rate of the input in hertz; 0 if it is unspecified.
    ///   - outputGain: The gain of the output, in 1/256 dB.
    public init(mapping: OpusChannelMapping, preSkip: UInt16, inputSampleRate: UInt32 = 0, outputGain: Int16 = 0) {
        self.mapping = mapping
        self.preSkip = preSkip
        self.inputSampleRate = inputSampleRate
        self.outputGain = outputGain
    }

    /// The number of channels of the output, 1 to 8.
    public var channelCount: Int { mapping.channelCount }

    /// The speakers of the output, in the order of its channels.
    public var channelLayout: ChannelLayout { mapping.channelLayout }

    /// The gain of the output in decibels, -128 to 127.996.
    package var outputGainDecibels: Double { Double(outputGain) / 256 }
}
