// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
public import AudioConversion
public import AudioLoudness
public import AudioPrimitives
internal import OpusCodec
public import PCMFiles

/// The progress of a ``FileConverter``.
public struct ConversionProgress: Hashable, Sendable {
    /// Sample frames read so far.
    public internal(set) var framesRead = 0
    /// Sample frames to read, if the number is known.
    public let totalFrames: Int?
    /// The sample rate of the input in hertz.
    public let sampleRate: Int
    /// Bytes of the output so far; 0 for PCM until the end.
    public internal(set) var bytesWritten = 0

    /// Creates the state before the first read.
    init(_ plan: ConversionPlan, _ input: PCMFileProperties) {
        totalFrames = plan.isPart ? plan.frames.upperBound == .max ? nil : plan.frames.count : input.frameCount
        sampleRate = input.sampleRate
    }

    /// The duration of the frames read so far.
    public var duration: Duration { Duration(frameCount: framesRead, sampleRate: sampleRate) }

    /// The fraction that is done, 0 to 1; nil if the length is unknown.
    public var fraction: Double? { totalFrames.map { $0 > 0 ? min(1, Double(framesRead) / Double($0)) : 1 } }
}

/// The result of a ``FileConverter``.
public struct ConversionSummary: Hashable, Sendable {
    /// The format and length of the input.
    public let input: PCMFileProperties
    /// The output's path; `standard output` for a pipe.
    public let outputPath: String
    /// The file format of the output; for a pipe the container can differ from the one that was asked for.
    public let format: AudioFileFormat
    /// The codec of the output.
    public let codec: OutputCodec
    /// The encoding of the output's samples; nil for codecs.
    public let encoding: SampleEncoding?
    /// The profile of AAC that was encoded, never the automatic one; nil for other codecs.
    public internal(set) var profile: AACProfile?
    /// The configuration of the encoder; nil for PCM.
    public internal(set) var configuration: AudioEncoderConfiguration?
    /// The highest frequency coded in AAC, in hertz; nil for other codecs.
    public internal(set) var bandwidth: Int?
    /// The target bit rate in bit/s; nil for a variable one, and for PCM.
    package internal(set) var targetBitRate: Int?
    /// The sample rate of the output in hertz; of Opus always 48 000, whatever the rate of its encoder's input.
    public internal(set) var sampleRate: Int
    /// The number of channels of the output.
    public let channelCount: Int
    /// The sample frames read.
    public internal(set) var framesRead = 0
    /// The priming, valid and remainder frames of the output; PCM has valid ones only.
    public internal(set) var gapless = GaplessInfo(primingFrames: 0, validFrames: 0, remainderFrames: 0)
    /// The number of access units; 0 for PCM.
    public internal(set) var unitCount = 0
    /// The size of all access units in bytes, without headers.
    package internal(set) var payloadByteCount = 0
    /// The average bit rate of the access units, in bit/s.
    public internal(set) var averageBitRate = 0.0
    /// The bits of access units in the largest second.
    public internal(set) var peakBitRate = 0.0
    /// The samples that lay beyond full scale, or were not a number, and were clipped.
    public internal(set) var clippedSampleCount = 0
    /// The noise that was added.
    public internal(set) var dither = Dither.none
    /// Counts of damage of a coded input; nil for PCM.
    public internal(set) var decoding: DecodingStatistics?
    /// Problems of the input that did not prevent reading.
    public internal(set) var warnings: [PCMFileWarning] = []
    /// Remarks about things that were not asked for.
    public internal(set) var notes: [ConversionNote] = []
    /// The loudness of the signal that was written, if it was measured.
    public internal(set) var loudness: LoudnessSummary?
    /// The loudness of a coded output after decoding, if the loudness was changed; nil for a pipe, which can't be read again.
    public internal(set) var decodedLoudness: LoudnessSummary?
    /// The gain in decibels that the signal was given for its loudness, beside the limiter's; nil if none.
    public internal(set) var gain: Double?
    /// The size of the output in bytes.
    public internal(set) var byteCount = 0
    /// The time that the conversion took.
    public internal(set) var elapsed = Duration.zero

    /// Creates a summary of a plan with nothing converted.
    init(_ plan: ConversionPlan, _ input: PCMFileProperties, format: AudioFileFormat, outputPath: String) {
        self.input = input
        self.outputPath = outputPath
        self.format = format
        codec = plan.codec
        encoding = plan.codec == .pcm ? plan.target.encoding : nil
        sampleRate = plan.target.sampleRate
        channelCount = plan.target.channelCount
        notes = plan.notes
    }

    /// Records the properties of an encoder and of its access units.
    mutating func record(_ encoder: any AudioPacketEncoder, _ meter: BitRateMeter) {
        switch encoder {
        case let encoder as AACEncoder:
            configuration = .aac(encoder.configuration)
            (profile, bandwidth) = (encoder.profile, encoder.bandwidth)
        case let encoder as OpusEncoder: configuration = .opus(encoder.configuration)
        default: break
        }
        sampleRate = encoder.codecConfiguration.sampleRate
        targetBitRate = encoder.bitRate
        (unitCount, payloadByteCount) = (meter.unitCount, meter.byteCount)
        (averageBitRate, peakBitRate) = (meter.averageBitRate, meter.peakBitRate)
    }

    /// Records the loudness, and its difference from what was asked for.
    mutating func record(_ adjustment: LoudnessAdjustment?, target: LoudnessTarget?) {
        loudness = adjustment?.loudness
        gain = adjustment?.setting?.gain
        if let note = adjustment?.note(for: target) { notes.append(note) }
    }

    /// The sample frames of the output, without the priming and padding of a codec.
    public var frameCount: Int { gapless.validFrames }

    /// The duration of the output.
    public var duration: Duration { Duration(frameCount: frameCount, sampleRate: sampleRate) }

    /// The duration of the output divided by the time that the conversion took.
    public var speed: Double { elapsed > .zero ? duration / elapsed : 0 }
}

/// The former name of ``ConversionProgress``.
@available(*, deprecated, renamed: "ConversionProgress")
public typealias EncodingProgress = ConversionProgress
/// The former name of ``ConversionSummary``.
@available(*, deprecated, renamed: "ConversionSummary")
public typealias EncodingSummary = ConversionSummary
