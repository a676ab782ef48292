// SPDX-License-Identifier: Apache-2.0

/// The configuration of an Opus stream: the fields of the identification header (RFC 7845 5.1).
///
/// Ogg stores it as `OpusHead`. Other containers store the same fields in their own format.
public struct OpusConfiguration: Hashable, Sendable {
    /// The sample rate of decoded audio and of all container times, in hertz, whatever the input sample rate.
    public static let sampleRate = 48_000

    /// The number of decoded sample frames at 48 kHz before the input starts, 0 to 65 535.
    public var preSkip: UInt16

    /// The original input sample rate in hertz, for information only, or 0 if unspecified.
    public var inputSampleRate: UInt32

    /// The gain for players to apply, in 1/256 dB.
    public var outputGain: Int16

    /// The mapping from streams to output channels.
    public var mapping: OpusChannelMapping

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - mapping: The mapping from streams to output channels.
    ///   - preSkip: The number of decoded sample frames at 48 kHz before the input starts.
    ///   - inputSampleRate: The original input sample rate in hertz, or 0 if unspecified.
    ///   - outputGain: The output gain, in 1/256 dB.
    public init(mapping: OpusChannelMapping, preSkip: UInt16, inputSampleRate: UInt32 = 0, outputGain: Int16 = 0) {
        self.mapping = mapping
        self.preSkip = preSkip
        self.inputSampleRate = inputSampleRate
        self.outputGain = outputGain
    }

    /// The output channel count, 1 to 8.
    public var channelCount: Int { mapping.channelCount }

    /// The speakers in output order.
    public var channelLayout: ChannelLayout { mapping.channelLayout }

    /// The output gain in decibels, -128 to 127.996.
    package var outputGainDecibels: Double { Double(outputGain) / 256 }
}
