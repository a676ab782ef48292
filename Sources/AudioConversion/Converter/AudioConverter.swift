// SPDX-License-Identifier: Apache-2.0

internal import ALACCodec
public import AudioContainers
public import AudioPrimitives

/// Converts audio from any supported format to any other: PCM to PCM, PCM to a codec, a codec to PCM, a codec to another.
///
/// Sample encoding, byte order, interleaving, sample rate and channels change in one step. Input is pushed with ``append(_:)-(RawSpan)`` and
/// its kin and ended with ``finish()``; output is taken with ``read(_:into:)-(_,[UInt8])`` and ``nextPacket()``. Or output is pulled with
/// ``fill(_:frameCount:from:)-([UInt8],_,_)`` and ``fill(_:packetCount:from:)``, which call for input when they need it.
///
/// ```swift
/// let converter = try AudioConverter(
///     from: .pcm(AudioFormat(.int16, sampleRate: 44_100, channelCount: 2)),
///     to: .packets(.aac(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2))))
/// try converter.append(bytes)
/// try converter.finish()
/// while let packet = converter.nextPacket() { try writer.append(packet) }
/// ```
///
/// Where nothing is lost, conversion is exact to the bit; lengths are exact to the sample. A converter may be used from any thread, but only
/// from one at a time; it holds no lock while it calls for input.
public final class AudioConverter {
    /// The format of the input.
    public let input: Input
    /// The format of the output.
    public let output: Output
    /// The options.
    public let options: AudioConverterOptions

    /// The encoder, where the output is of a codec.
    public let encoder: (any AudioPacketEncoder)?
    /// The decoder, where the input is of a codec.
    public let decoder: (any AudioPacketDecoder)?

    /// The number of packets of the input that were damaged, and concealed.
    public internal(set) var damagedPacketCount = 0
    /// The damage of the first of them.
    public internal(set) var firstDamage: CodecError?
    /// The priming, valid and padding frames of the packets of the output; nil until the end, and for PCM.
    public internal(set) var outputGapless: GaplessInfo?
    /// Whether ``finish()`` has been called, or a callback has said that the input ends.
    public internal(set) var isFinished = false

    /// The format of the output before an encoder, or of the output itself.
    let plan: PipelinePlan
    var pipeline: Pipeline
    var trimmer: DecodedTrimmer
    /// The buffer that a decoder fills.
    var decoded: PCMBuffer
    /// The integers that a lossless decoder fills where single precision does not hold them.
    var decodedIntegers = ALACSamples()
    /// The buffer that an encoder takes.
    var encoderInput: PCMBuffer
    /// The packets of the output that wait.
    var packets = PacketQueue()
    /// The frames that the encoder has taken.
    var encodedFrames = 0

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - input: The format of the input.
    ///   - output: The format of the output.
    ///   - options: Quality, channels, dither and priming.
    /// - Throws: `CodecError` if a format, a rate, a mapping of channels or a codec's parameter is not supported.
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
            guard frames >= 0 else { throw .invalidLeadingFrames(frames) }
            plan.framesToSkip = frames * plan.output.sampleRate / source.sampleRate
        }
        self.plan = plan
        pipeline = try Pipeline(plan, input: source, encoding: input.encoding)
        trimmer = DecodedTrimmer(options.primeMethod == .none ? nil : options.inputGapless)
        decoded = PCMBuffer(
            sampleRate: source.sampleRate, channelCount: source.channels.count, frameCapacity: decoder?.framesPerPacket ?? 0)
        encoderInput = PCMBuffer(
            sampleRate: plan.output.sampleRate, channelCount: plan.output.channels.count,
            frameCapacity: encoder == nil ? 0 : Self.encoderBlockLength)
    }

    /// The most frames that are passed to an encoder at a time.
    static let encoderBlockLength = 4096

    /// Returns to the state before the first input; the formats and options stay.
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

    /// Whether noise is added to the output: not where no bits are lost, whatever the options ask for.
    package var addsDither: Bool { pipeline.addsDither }

    /// The samples of PCM read so far that lay beyond full scale, or were not a number, and were clipped; 0 for floating point.
    public var clippedSampleCount: Int { pipeline.clippedSampleCount }

    /// The sample rate of the output, in hertz.
    public var outputSampleRate: Int { plan.output.sampleRate }

    /// The number of channels of the output.
    public var outputChannelCount: Int { plan.output.channels.count }

    /// The configuration of the output's packets, for a container and a decoder; nil for PCM.
    public var outputConfiguration: CodecConfiguration? { encoder?.codecConfiguration }

    /// The number of decoded frames before the first input frame that the output's packets will have, at the encoder's timescale; 0 for PCM.
    public var outputPrimingFrames: Int { encoder?.primingFrames ?? 0 }

    /// The number of sample frames of a packet of the output, at the encoder's timescale: 1 for PCM.
    public var framesPerOutputPacket: Int { encoder?.framesPerPacket ?? 1 }

    /// The number of bytes that no packet of the output exceeds, known before the first one: for PCM those of a frame.
    public var maximumOutputPacketByteCount: Int {
        guard case .pcm(let format) = output else { return encoder?.maximumPacketByteCount ?? 0 }
        return format.bytesPerFrame
    }

    /// The description of the input with the fields of Core Audio.
    package var inputDescription: StreamDescription {
        switch input {
        case .pcm(let format): format.streamDescription
        case .packets(let configuration):
            configuration.streamDescription(
                sampleRate: decoder?.sampleRate ?? 0, channelCount: decoder?.channelCount ?? 0,
                framesPerPacket: decoder?.framesPerPacket ?? 0)
        }
    }

    /// The description of the output with the fields of Core Audio, complete before the first input.
    package var outputDescription: StreamDescription {
        switch output {
        case .pcm(let format): format.streamDescription
        case .packets:
            encoder?.codecConfiguration.streamDescription(
                sampleRate: encoder?.timescale ?? outputSampleRate, channelCount: outputChannelCount, framesPerPacket: framesPerOutputPacket
            )
                ?? StreamDescription(sampleRate: 0, formatID: .linearPCM, channelsPerFrame: 0)
        }
    }
}

extension AudioConverter {
    /// The format that a converter is given.
    public enum Input: Hashable, Sendable {
        /// Linear PCM.
        case pcm(AudioFormat)
        /// Packets of a codec.
        case packets(CodecConfiguration)
    }

    /// The format that a converter makes.
    public enum Output: Hashable, Sendable {
        /// Linear PCM.
        case pcm(AudioFormat)
        /// Packets of an encoder.
        case packets(AudioEncoderConfiguration)
    }
}
