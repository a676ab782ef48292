// SPDX-License-Identifier: Apache-2.0

internal import ALACCodec
public import AudioContainers
public import AudioPrimitives

/// Converts audio between any supported formats: PCM to PCM, PCM to a codec, a codec to PCM, one codec to another.
///
/// Sample encoding, byte order, interleaving, sample rate and channels change in one step. Push input with ``append(_:)-(RawSpan)`` and
/// related methods, and end it with ``finish()``. Get output with ``read(_:into:)-(_,[UInt8])`` and ``nextPacket()``. Alternatively, pull
/// output with ``fill(_:frameCount:from:)-([UInt8],_,_)`` and ``fill(_:packetCount:from:)``, which request input as needed.
///
/// ```swift
/// let converter = try AudioConverter(
///     from: .pcm(AudioFormat(.int16, sampleRate: 44_100, channelCount: 2)),
///     to: .packets(.aac(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2))))
/// try converter.append(samples.span.bytes)  // samples: [Int16]
/// try converter.finish()
/// while let packet = converter.nextPacket() { try writer.append(packet) }
/// ```
///
/// Lossless conversions are bit-exact, and lengths are exact to the sample. Use a converter from any thread, but from only one at a time.
/// No lock is held while it requests input.
public final class AudioConverter {
    /// The input format.
    public let input: Input
    /// The output format.
    public let output: Output
    /// The conversion options.
    public let options: AudioConverterOptions

    /// The encoder, or `nil` for PCM output.
    public let encoder: (any AudioPacketEncoder)?
    /// The decoder, or `nil` for PCM input.
    public let decoder: (any AudioPacketDecoder)?

    /// The number of damaged input packets that were concealed.
    public internal(set) var damagedPacketCount = 0
    /// The error of the first damaged packet.
    public internal(set) var firstDamage: CodecError?
    /// The priming, valid and padding frames of the output packets, or `nil` until the end and for PCM.
    public internal(set) var outputGapless: GaplessInfo?
    /// Whether ``finish()`` was called or a callback has ended the input.
    public internal(set) var isFinished = false

    /// The PCM format of the output, or of the encoder's input.
    let plan: PipelinePlan
    var pipeline: Pipeline
    var trimmer: DecodedTrimmer
    var decoded: PCMBuffer
    /// The output of a lossless decoder for samples that exceed single precision.
    var decodedIntegers = ALACSamples()
    var encoderInput: PCMBuffer
    /// The input of a lossless encoder.
    var encoderIntegers = ALACSamples()
    var packets = PacketQueue()
    var encodedFrames = 0

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - input: The input format.
    ///   - output: The output format.
    ///   - options: Quality, channels, dither and priming.
    /// - Throws: `CodecError` if a format, sample rate, channel mapping or codec parameter is not supported.
    public init(
        from input: Input, to output: Output, options: AudioConverterOptions = AudioConverterOptions()
    ) throws(CodecError) {
        self.input = input
        self.output = output
        self.options = options
        decoder = try Self.makeDecoder(input, options)
        encoder = try Self.makeEncoder(output)
        let source = try Self.inputFormat(input, decoder)
        var plan = try Self.plan(output, encoder, options)
        if case .pre(let frames) = options.primeMethod {
            let (scaled, overflow) = frames.multipliedReportingOverflow(by: plan.output.sampleRate)
            guard frames >= 0, !overflow else { throw .invalidLeadingFrames(frames) }
            plan.framesToSkip = scaled / source.sampleRate
        }
        self.plan = plan
        pipeline = try Pipeline(plan, input: source, encoding: input.encoding)
        trimmer = DecodedTrimmer(options.primeMethod == .none ? nil : options.inputGapless)
        decoded = PCMBuffer(
            sampleRate: source.sampleRate, channelCount: source.channels.count, frameCapacity: decoder?.framesPerPacket ?? 0)
        encoderInput = PCMBuffer(
            sampleRate: plan.output.sampleRate, channelCount: plan.output.channels.count,
            frameCapacity: encoder == nil ? 0 : Self.encoderBlockLength)
        if let lossless = encoder as? ALACEncoder { encoderIntegers = ALACSamples(lossless.configuration) }
    }

    /// The maximum number of frames to pass to an encoder at a time.
    static let encoderBlockLength = 4096

    /// Returns to the state before the first input.
    ///
    /// Keeps formats and options.
    public func reset() throws(CodecError) {
        decoder?.reset()
        encoder?.reset()
        pipeline = try Pipeline(plan, input: try Self.inputFormat(input, decoder), encoding: input.encoding)
        trimmer = DecodedTrimmer(options.primeMethod == .none ? nil : options.inputGapless)
        packets = PacketQueue()
        encodedFrames = 0
        damagedPacketCount = 0
        firstDamage = nil
        outputGapless = nil
        isFinished = false
    }

    // MARK: Properties of the output

    /// Whether dither is applied.
    ///
    /// False if no bits are lost, whatever the options.
    package var addsDither: Bool { pipeline.addsDither }

    /// The number of PCM samples read so far that were clipped because they exceeded full scale or were not a number, or 0 for floating
    /// point.
    public var clippedSampleCount: Int { pipeline.clippedSampleCount }

    /// The output sample rate, in hertz.
    public var outputSampleRate: Int { plan.output.sampleRate }

    /// The output channel count.
    public var outputChannelCount: Int { plan.output.channels.count }

    /// The configuration of the output packets, for a container and a decoder, or `nil` for PCM.
    public var outputConfiguration: CodecConfiguration? { encoder?.codecConfiguration }

    /// The number of decoded frames before the first input frame in the output packets, at the encoder's timescale, or 0 for PCM.
    public var outputPrimingFrames: Int { encoder?.primingFrames ?? 0 }

    /// The number of sample frames per output packet, at the encoder's timescale; 1 for PCM.
    public var framesPerOutputPacket: Int { encoder?.framesPerPacket ?? 1 }

    /// The maximum output packet size, in bytes, known before encoding.
    ///
    /// For PCM, the frame size.
    public var maximumOutputPacketByteCount: Int {
        guard case .pcm(let format) = output else { return encoder?.maximumPacketByteCount ?? 0 }
        return format.bytesPerFrame
    }
}

extension AudioConverter {
    /// The input format of a converter.
    public enum Input: Hashable, Sendable {
        /// Linear PCM.
        case pcm(AudioFormat)
        /// Packets of a codec.
        case packets(CodecConfiguration)
    }

    /// The output format of a converter.
    public enum Output: Hashable, Sendable {
        /// Linear PCM.
        case pcm(AudioFormat)
        /// Packets of an encoder with this configuration.
        case packets(AudioEncoderConfiguration)
    }
}
