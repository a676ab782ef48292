// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec
public import AudioContainers
public import AudioPrimitives
public import PCMFiles

/// How far an encoding has come.
public struct EncodingProgress: Hashable, Sendable {
    /// Sample frames read so far.
    public internal(set) var framesRead = 0
    /// Sample frames in the input, as far as that is known.
    public let totalFrames: Int?
    /// The input's sample rate in hertz.
    public let sampleRate: Int
    /// Bytes written so far.
    public internal(set) var bytesWritten = 0

    init(totalFrames: Int?, sampleRate: Int) {
        self.totalFrames = totalFrames
        self.sampleRate = sampleRate
    }

    /// Seconds of sound read so far.
    public var seconds: Double { Double(framesRead) / Double(sampleRate) }

    /// The part that is done, 0 to 1; nil for inputs without a known length.
    public var fraction: Double? {
        totalFrames.map { $0 > 0 ? min(1, Double(framesRead) / Double($0)) : 1 }
    }
}

/// What an encoding came to.
public struct EncodingSummary: Hashable, Sendable {
    /// What the input held.
    public let input: PCMFileProperties
    /// The output's path; `standard output` for a pipe.
    public let outputPath: String
    /// The container that was written.
    public let container: ContainerFormat
    /// What the encoder was asked for.
    public let configuration: AACEncoderConfiguration
    /// The profile that was encoded, never the automatic one.
    public let profile: AACProfile
    /// The highest frequency coded, in hertz.
    public let bandwidth: Int
    /// The bit rate that was aimed at, in bits a second; nil for a variable one.
    public let targetBitRate: Int?
    /// Access units written.
    public let unitCount: Int
    /// Bytes of the file.
    public let byteCount: Int
    /// Bytes of all access units, without headers.
    public let payloadByteCount: Int
    /// Bits a second of access units, on average.
    public let averageBitRate: Double
    /// Bits of access units in the largest second.
    public let peakBitRate: Double
    /// Which of the decoded sample frames are sound.
    public let gapless: GaplessInfo
    /// What was wrong with the input though it could be read.
    public let warnings: [PCMFileWarning]
    /// Seconds that the work took.
    public let elapsedSeconds: Double

    init(
        input: PCMFileProperties, output: OutputFile, encoder: AACEncoder, stream: EncodedOutput, gapless: GaplessInfo,
        warnings: [PCMFileWarning], elapsedSeconds: Double
    ) {
        self.input = input
        outputPath = output.path
        configuration = encoder.configuration
        profile = encoder.profile
        bandwidth = encoder.bandwidth
        targetBitRate = encoder.bitRate
        container = stream.container
        let meter = stream.meter
        unitCount = meter.unitCount
        byteCount = output.byteCount
        payloadByteCount = meter.byteCount
        averageBitRate = meter.averageBitRate
        peakBitRate = meter.peakBitRate
        self.gapless = gapless
        self.warnings = warnings
        self.elapsedSeconds = elapsedSeconds
    }

    /// Seconds of sound that were encoded.
    public var seconds: Double { Double(gapless.validFrames) / Double(configuration.sampleRate) }

    /// How many times faster than the sound takes to play.
    public var speed: Double { elapsedSeconds > 0 ? seconds / elapsedSeconds : 0 }
}
