// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioContainers
public import AudioConversion
public import AudioLoudness
public import AudioPrimitives
internal import OpusCodec
public import PCMFiles

/// The progress of a ``FileEncoder``.
public struct EncodingProgress: Hashable, Sendable {
    /// Sample frames read so far.
    public internal(set) var framesRead = 0
    /// Sample frames to read, if the number is known.
    public let totalFrames: Int?
    /// The sample rate of the input in hertz.
    public let sampleRate: Int
    /// Bytes written so far.
    public internal(set) var bytesWritten = 0

    /// Creates the state before the first read.
    ///
    /// - Parameters:
    ///   - input: The format and length of the input, a pipe's too.
    ///   - part: The sample frames to read; nil for the whole input.
    init(_ input: PCMFileProperties, part: Range<Int>?) {
        totalFrames = part.map { $0.upperBound == .max ? nil : $0.count } ?? input.frameCount
        sampleRate = input.sampleRate
    }

    /// The duration of the frames read so far.
    public var duration: Duration { Duration(frameCount: framesRead, sampleRate: sampleRate) }

    /// The fraction that is done, 0 to 1; nil if the length is unknown.
    public var fraction: Double? {
        totalFrames.map { $0 > 0 ? min(1, Double(framesRead) / Double($0)) : 1 }
    }
}

/// The result of a ``FileEncoder``.
public struct EncodingSummary: Hashable, Sendable {
    /// The format and length of the input.
    public let input: PCMFileProperties
    /// The output's path; `standard output` for a pipe.
    public let outputPath: String
    /// The container that was written.
    public let container: ContainerFormat
    /// The configuration of the encoder.
    public let configuration: AudioEncoderConfiguration
    /// The profile of AAC that was encoded, never the automatic one; nil for other codecs.
    public let profile: AACProfile?
    /// The highest frequency coded in AAC, in hertz; nil for other codecs.
    public let bandwidth: Int?
    /// The target bit rate in bit/s; nil for a variable one.
    public let targetBitRate: Int?
    /// The sample rate of the decoded stream, in hertz.
    public let sampleRate: Int
    /// The number of access units.
    public let unitCount: Int
    /// The size of the output in bytes.
    public let byteCount: Int
    /// The size of all access units in bytes, without headers.
    public let payloadByteCount: Int
    /// The average bit rate of the access units, in bit/s.
    public let averageBitRate: Double
    /// The bits of access units in the largest second.
    public let peakBitRate: Double
    /// The priming, valid and remainder frames of the decoded stream.
    public let gapless: GaplessInfo
    /// Problems of the input that did not prevent reading.
    public let warnings: [PCMFileWarning]
    /// Differences between what was requested and what was encoded.
    public internal(set) var notes: [EncodingNote] = []
    /// The loudness of the signal that was encoded, if it was measured.
    public internal(set) var loudness: LoudnessSummary?
    /// The loudness of the output, decoded, if the signal was given another one; nil of a pipe, which can't be read again.
    public internal(set) var decodedLoudness: LoudnessSummary?
    /// The gain in decibels that the signal was given for its loudness, beside the limiter's; nil if none.
    public internal(set) var gain: Double?
    /// The time that encoding took.
    public let elapsed: Duration

    /// The encoder of a file.
    enum Encoder {
        /// AAC.
        case aac(AACEncoder)
        /// Opus.
        case opus(OpusEncoderConfiguration)
    }

    /// Creates the summary of a finished encoder.
    init(
        input: PCMFileProperties, output: OutputFile, encoder: Encoder, stream: EncodedOutput, end: EncodedSegment.End,
        elapsed: Duration
    ) {
        self.input = input
        outputPath = output.path
        switch encoder {
        case .aac(let encoder):
            configuration = .aac(encoder.configuration)
            profile = encoder.profile
            bandwidth = encoder.bandwidth
            targetBitRate = encoder.bitRate
            sampleRate = encoder.configuration.sampleRate
        case .opus(let encoder):
            configuration = .opus(encoder)
            (profile, bandwidth) = (nil, nil)
            targetBitRate = encoder.bitRate
            sampleRate = OpusConfiguration.sampleRate
        }
        container = stream.container
        let meter = stream.meter
        unitCount = meter.unitCount
        byteCount = output.byteCount
        payloadByteCount = meter.byteCount
        averageBitRate = meter.averageBitRate
        peakBitRate = meter.peakBitRate
        gapless = end.gapless
        warnings = end.warnings
        self.elapsed = elapsed
    }

    /// The duration of the encoded signal.
    public var duration: Duration { Duration(frameCount: gapless.validFrames, sampleRate: sampleRate) }

    /// The duration of the signal divided by the time that encoding took.
    public var speed: Double { elapsed > .zero ? duration / elapsed : 0 }
}
