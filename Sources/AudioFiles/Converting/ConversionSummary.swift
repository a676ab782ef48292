// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import ALACCodec
internal import AudioContainers
public import AudioConversion
public import AudioLoudness
public import AudioPrimitives
internal import OpusCodec
public import PCMFiles

/// The progress of a ``FileConverter``.
public struct ConversionProgress: Hashable, Sendable {
    /// The number of sample frames read so far.
    ///
    /// 0 while samples are copied to a temporary file, and during the first pass for an average bit rate.
    public internal(set) var framesRead = 0
    /// The completed fraction of a copy of the samples, 0 to 1; 0 without a copy.
    var copiedFraction = 0.0
    /// The number of sample frames to read, or `nil` if unknown.
    public let totalFrames: Int?
    /// The input sample rate, in hertz.
    public let sampleRate: Int
    /// The output size so far, in bytes.
    ///
    /// 0 for PCM until the end.
    public internal(set) var bytesWritten = 0

    /// Creates the state before the first read.
    init(_ plan: ConversionPlan, _ input: PCMFileProperties) {
        totalFrames = plan.isPart ? plan.frames.upperBound == .max ? nil : plan.frames.count : input.frameCount
        sampleRate = input.sampleRate
    }

    /// The duration of the frames read so far.
    public var duration: Duration { Duration(frameCount: framesRead, sampleRate: sampleRate) }

    /// The completed fraction, 0 to 1, or `nil` if the length is unknown.
    public var fraction: Double? {
        totalFrames.map { total in
            let share = copiedFraction > 0 ? Self.copyShare : 0
            return share * copiedFraction + (1 - share) * (total > 0 ? min(1, Double(framesRead) / Double(total)) : 1)
        }
    }

    /// The share of a copy in the time of a conversion: 9 of 42 s for 45 minutes of MP3.
    private static let copyShare = 0.2
}

/// The result of a ``FileConverter``.
public struct ConversionSummary: Hashable, Sendable {
    /// The format and length of the input.
    public let input: PCMFileProperties
    /// The output's path; `standard output` for a pipe.
    public let outputPath: String
    /// The output's file format.
    ///
    /// For a pipe, the container can differ from the requested one.
    public let format: AudioFileFormat
    /// The output's codec.
    public let codec: OutputCodec
    /// The sample encoding of lossless output, or `nil` for lossy codecs.
    public let encoding: SampleEncoding?
    /// The AAC profile in use, never ``/AudioPrimitives/AACProfile/automatic``, or `nil` for other codecs.
    public internal(set) var profile: AACProfile?
    /// The encoder's configuration, or `nil` for PCM.
    public internal(set) var configuration: AudioEncoderConfiguration?
    /// The AAC bandwidth, in hertz, or `nil` for other codecs.
    public internal(set) var bandwidth: Int?
    /// The target bit rate, in bits per second, or `nil` for a variable bit rate and for PCM.
    package internal(set) var targetBitRate: Int?
    /// The output sample rate, in hertz.
    ///
    /// Always 48 000 for Opus, regardless of the encoder's input rate.
    public internal(set) var sampleRate: Int
    /// The output channel count.
    public let channelCount: Int
    /// The number of sample frames read.
    public internal(set) var framesRead = 0
    /// The priming, valid and remainder frames of the output.
    ///
    /// PCM has only valid ones.
    public internal(set) var gapless = GaplessInfo(primingFrames: 0, validFrames: 0, remainderFrames: 0)
    /// The number of access units, or 0 for PCM.
    public internal(set) var accessUnitCount = 0

    /// The former name of ``accessUnitCount``.
    @available(*, deprecated, renamed: "accessUnitCount")
    public var unitCount: Int { accessUnitCount }
    /// The total size of all access units, in bytes, without container overhead.
    package internal(set) var payloadByteCount = 0
    /// The average bit rate of the access units, in bits per second.
    public internal(set) var averageBitRate = 0.0
    /// The peak bit rate over any one-second window, in bits per second.
    public internal(set) var peakBitRate = 0.0
    /// The number of samples that were clipped because they exceeded full scale or were not a number.
    public internal(set) var clippedSampleCount = 0
    /// The highest magnitude of floating-point samples before encoding, beyond full scale if above 1; 0 for other input.
    package internal(set) var encodedPeak: Float = 0
    /// The applied dither.
    public internal(set) var dither = Dither.none
    /// Decoding statistics of an encoded input, or `nil` for PCM.
    public internal(set) var decoding: DecodingStatistics?
    /// Recoverable problems of the input.
    public internal(set) var warnings: [PCMFileWarning] = []
    /// Differences from the request.
    public internal(set) var notes: [ConversionNote] = []
    /// The loudness of the output signal before encoding, if it was measured.
    public internal(set) var loudness: LoudnessSummary?
    /// The loudness of an encoded output after decoding, if the loudness was changed, or `nil` for a pipe, which cannot be read back.
    public internal(set) var decodedLoudness: LoudnessSummary?
    /// The gain applied to reach the target loudness, in decibels, without the limiter's, or `nil` if none was applied.
    public internal(set) var gain: Double?
    /// The output size, in bytes.
    public internal(set) var byteCount = 0
    /// The conversion time.
    public internal(set) var elapsed = Duration.zero

    init(_ plan: ConversionPlan, _ input: PCMFileProperties, format: AudioFileFormat, outputPath: String) {
        self.input = input
        self.outputPath = outputPath
        self.format = format
        codec = plan.codec
        encoding = plan.codec == .pcm ? plan.target.encoding : plan.encoder?.encoding
        sampleRate = plan.target.sampleRate
        channelCount = plan.target.channelCount
        configuration = plan.encoder
        notes = plan.notes
    }

    mutating func record(_ encoder: any AudioPacketEncoder, _ meter: BitRateMeter) {
        switch encoder {
        case let encoder as AACEncoder:
            configuration = .aac(encoder.configuration)
            (profile, bandwidth) = (encoder.profile, encoder.bandwidth)
        case let encoder as OpusEncoder: configuration = .opus(encoder.configuration)
        case let encoder as ALACEncoder: configuration = .alac(encoder.configuration)
        default: break
        }
        sampleRate = encoder.codecConfiguration.sampleRate
        targetBitRate = encoder.bitRate
        (accessUnitCount, payloadByteCount) = (meter.accessUnitCount, meter.byteCount)
        (averageBitRate, peakBitRate) = (meter.averageBitRate, meter.peakBitRate)
    }

    mutating func record(_ converter: AudioConverter, _ plan: ConversionPlan) {
        clippedSampleCount = converter.clippedSampleCount
        dither = converter.addsDither ? plan.options.dither : .none
    }

    mutating func record(_ adjustment: LoudnessAdjustment?, gain setting: TruePeakLimiter.Setting?) {
        loudness = adjustment?.loudness
        gain = setting?.gain
        if let note = adjustment?.note { notes.append(note) }
    }

    /// The number of output sample frames, without priming and padding.
    public var frameCount: Int { gapless.validFrames }

    /// The output's duration.
    public var duration: Duration { Duration(frameCount: frameCount, sampleRate: sampleRate) }

    /// The output's duration divided by the conversion time.
    public var speed: Double { elapsed > .zero ? duration / elapsed : 0 }
}

/// The former name of ``ConversionProgress``.
@available(*, deprecated, renamed: "ConversionProgress")
public typealias EncodingProgress = ConversionProgress
/// The former name of ``ConversionSummary``.
@available(*, deprecated, renamed: "ConversionSummary")
public typealias EncodingSummary = ConversionSummary
