// SPDX-License-Identifier: Apache-2.0

public import AudioContainers
package import MPEG4Audio

/// The format of a recording, constant from its first frame to its last.
public struct RecordingFormat: Hashable, Sendable {
    /// The sample rate, in hertz.
    public var sampleRate: Int
    /// The channel count.
    public var channelCount: Int
    /// The codec, and the configuration that a decoder needs before the first access unit.
    public var configuration: CodecConfiguration
    /// The number of decoded sample frames per access unit, at the output sample rate.
    public var framesPerUnit: Int
    /// The number of sample frames that a decoder outputs before the first recorded one, at the output sample rate.
    public var primingFrames: Int
    /// The constant or average bit rate at the start, in bits per second; `nil` for a variable bit rate.
    public var bitRate: Int?

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The channel count.
    ///   - configuration: The codec and its configuration.
    ///   - framesPerUnit: The number of decoded sample frames per access unit, at the output sample rate.
    ///   - primingFrames: The number of sample frames that a decoder outputs before the first recorded one, at the output sample rate.
    ///   - bitRate: The constant or average bit rate in bits per second; `nil` for a variable bit rate.
    public init(
        sampleRate: Int, channelCount: Int, configuration: CodecConfiguration, framesPerUnit: Int, primingFrames: Int,
        bitRate: Int? = nil
    ) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.configuration = configuration
        self.framesPerUnit = framesPerUnit
        self.primingFrames = primingFrames
        self.bitRate = bitRate
    }

    /// The `AudioSpecificConfig`; `nil` for other codecs.
    package var audioSpecificConfig: AudioSpecificConfig? { configuration.audioSpecificConfig }
}
