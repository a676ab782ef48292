// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Options of a decoder: the rate, the order of the channels and the gain of its output.
public struct OpusDecoderOptions: Hashable, Sendable {
    /// Orders of the channels of the output.
    public enum ChannelOrder: Hashable, Sendable {
        /// The order of WAV files: front left, front right, centre, low frequency, back, sides. The default.
        case wav
        /// The order of the stream, which is that of Vorbis.
        case bitstream
    }

    /// The sample rate of the output, in hertz: one of ``OpusEncoderConfiguration/sampleRates``.
    ///
    /// The default is 48 000.
    public var sampleRate = OpusConfiguration.sampleRate

    /// The order of the channels of the output.
    public var channelOrder = ChannelOrder.wav

    /// Whether the gain of the identification header is applied, as players do by default (RFC 7845 5.1).
    ///
    /// The default is `true`.
    package var appliesOutputGain = true

    /// Creates options for 48 kHz in the order of WAV files.
    public init() {}
}

/// Decodes Opus (RFC 6716), one packet after the other, to 32-bit floating point by means of libopus, or of Apple's systems.
///
/// The output of each packet includes the pre-skip at the start of the stream, which the caller drops. Packets from untrusted sources are
/// safe to decode: damage is concealed. A decoder is used by one thread at a time.
///
/// ```swift
/// let decoder = try OpusDecoder(configuration)
/// var buffer = PCMBuffer(sampleRate: 48_000, channelCount: decoder.channelCount, frameCapacity: decoder.framesPerPacket)
/// let outcome = decoder.decode(unit.payload.span, into: &buffer)
/// ```
public final class OpusDecoder {
    /// The configuration of the stream.
    public let configuration: OpusConfiguration

    /// The rate, the order of the channels and the gain of the output.
    package let options: OpusDecoderOptions

    /// The speakers of the output.
    public let channelLayout: ChannelLayout?

    /// The number of channels of the output.
    public let channelCount: Int

    /// The library's decoder.
    private let library: OpusLibraryDecoder

    /// The output of the library, frame by frame.
    private var interleaved: [Float]

    /// The number of sample frames at 48 kHz of the latest packet, which one with unreadable contents is assumed to have.
    private var latestDuration = 960

    /// Creates a decoder for a stream.
    ///
    /// - Parameters:
    ///   - configuration: The identification header of the stream.
    ///   - options: The rate, the order of the channels and the gain of the output.
    /// - Throws: `CodecError.libraryMissing`, `CodecError.unsupportedSampleRate`; `CodecError.systemCodec` on Apple's systems.
    public init(_ configuration: OpusConfiguration, options: OpusDecoderOptions = OpusDecoderOptions()) throws(CodecError) {
        guard OpusEncoderConfiguration.sampleRates.contains(options.sampleRate) else {
            throw .unsupportedSampleRate(options.sampleRate, allowed: OpusEncoderConfiguration.sampleRates)
        }
        self.configuration = configuration
        self.options = options
        let coded = configuration.channelLayout
        let delivered = options.channelOrder == .wav ? coded.inWAVOrder : coded
        channelLayout = delivered
        channelCount = delivered.channelCount
        // The library puts the channels in any order by itself.
        let order = delivered.permutation(from: coded) ?? Array(0..<coded.channelCount)
        library = try OpusLibraryDecoder(
            sampleRate: options.sampleRate, mapping: configuration.mapping, channels: order.map { configuration.mapping.channels[$0] })
        if options.appliesOutputGain { try library.setGain(Int(configuration.outputGain)) }
        interleaved = [Float](
            repeating: 0, count: OpusPacket.maximumDuration * options.sampleRate / OpusConfiguration.sampleRate * coded.channelCount)
    }

    /// The sample rate of the output, in hertz.
    public var sampleRate: Int { options.sampleRate }

    /// The largest number of sample frames that a packet decodes to: 120 ms.
    public var framesPerPacket: Int { frames(OpusPacket.maximumDuration) }

    /// The former name of ``framesPerPacket``.
    @available(*, deprecated, renamed: "framesPerPacket")
    public var maximumFrameCount: Int { framesPerPacket }

    /// The number of sample frames of the output to drop at the start of the stream.
    public var preSkip: Int { frames(Int(configuration.preSkip)) }

    /// Discards the history, as after a seek in the stream.
    public func reset() { library.reset() }

    /// Decodes a packet.
    ///
    /// A damaged packet is concealed, and its damage returned; so is an empty one.
    ///
    /// - Parameters:
    ///   - packet: The bytes of the packet.
    ///   - buffer: The buffer for the output. One with the sample rate, the channel count and room for ``framesPerPacket`` sample frames
    ///     keeps its storage, so that nothing is allocated; any other is replaced if it does not fit.
    /// - Returns: The damage, and whether the buffer was replaced.
    public func decode(_ packet: Span<UInt8>, into buffer: inout PCMBuffer) -> DecodeResult {
        do throws(CodecError) {
            latestDuration = try Self.duration(of: packet)
            let count = try library.decode(packet, frameCount: framesPerPacket, into: &interleaved)
            return DecodeResult(damage: library.loss, byteCount: packet.count, hasNewFormat: deliver(count, into: &buffer))
        } catch {
            let replaced = concealFrames(frames(latestDuration), into: &buffer)
            return DecodeResult(damage: error, byteCount: packet.count, hasNewFormat: replaced)
        }
    }

    /// Conceals a packet that did not arrive, and was as long as the latest one.
    ///
    /// - Parameter buffer: The buffer for the output, as in ``decode(_:into:)``.
    /// - Returns: An outcome without damage.
    @discardableResult
    public func conceal(into buffer: inout PCMBuffer) -> DecodeResult {
        DecodeResult(byteCount: 0, hasNewFormat: concealFrames(frames(latestDuration), into: &buffer))
    }

    /// Conceals packets that did not arrive.
    ///
    /// - Parameters:
    ///   - duration: The number of sample frames at 48 kHz to conceal, a multiple of 120 up to 5760.
    ///   - buffer: The buffer for the output, as in ``decode(_:into:)``.
    /// - Returns: An outcome without damage.
    /// - Throws: `CodecError.unsupportedDuration`.
    public func conceal(duration: Int, into buffer: inout PCMBuffer) throws(CodecError) -> DecodeResult {
        let duration = try checked(duration)
        return DecodeResult(byteCount: 0, hasNewFormat: concealFrames(frames(duration), into: &buffer))
    }

    /// Decodes a packet that did not arrive from the copy of it that the next one may have (RFC 6716 2.1.7); conceals it if there is none.
    ///
    /// - Parameters:
    ///   - next: The packet after the one that was lost; it is decoded as usual afterwards.
    ///   - duration: The number of sample frames at 48 kHz that were lost, a multiple of 120 up to 5760; nil for that of the latest packet.
    ///   - buffer: The buffer for the output, as in ``decode(_:into:)``.
    /// - Returns: The damage of `next`, if there was any.
    /// - Throws: `CodecError.unsupportedDuration`.
    public func recover(
        from next: Span<UInt8>, duration: Int? = nil, into buffer: inout PCMBuffer
    ) throws(CodecError) -> DecodeResult {
        let count = frames(try checked(duration ?? latestDuration))
        do throws(CodecError) {
            _ = try Self.duration(of: next)
            let decoded = try library.decode(next, frameCount: count, isForLostPacket: true, into: &interleaved)
            return DecodeResult(byteCount: 0, hasNewFormat: deliver(decoded, into: &buffer))
        } catch {
            return DecodeResult(damage: error, byteCount: 0, hasNewFormat: concealFrames(count, into: &buffer))
        }
    }

    /// Returns the duration that a packet's first bytes tell, in sample frames at 48 kHz.
    private static func duration(of packet: Span<UInt8>) throws(CodecError) -> Int {
        do throws(CodecError) {
            return try OpusPacket((0..<min(2, packet.count)).map { packet[$0] }).duration
        } catch {
            throw .invalidOpusPacket(byteCount: packet.count)
        }
    }

    /// Returns a number of sample frames at 48 kHz at the rate of the output.
    private func frames(_ duration: Int) -> Int { duration * options.sampleRate / OpusConfiguration.sampleRate }

    /// Checks a duration to conceal.
    private func checked(_ duration: Int) throws(CodecError) -> Int {
        guard duration > 0, duration % 120 == 0, duration <= OpusPacket.maximumDuration else { throw .unsupportedDuration(duration) }
        return duration
    }

    /// Conceals sample frames of the output; returns whether the buffer was replaced.
    private func concealFrames(_ count: Int, into buffer: inout PCMBuffer) -> Bool {
        if let decoded = try? library.conceal(frameCount: count, into: &interleaved), decoded == count {
            return deliver(count, into: &buffer)
        }
        for index in 0..<count * channelCount { interleaved[index] = 0 }
        return deliver(count, into: &buffer)
    }

    /// Writes the output to the buffer, which is replaced if it does not fit; returns whether it was.
    private func deliver(_ count: Int, into buffer: inout PCMBuffer) -> Bool {
        let fits = buffer.sampleRate == sampleRate && buffer.channelCount == channelCount && buffer.frameCapacity >= count
        if !fits { buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: framesPerPacket) }
        buffer.deinterleave(interleaved, frameCount: count)
        return !fits
    }
}

/// The former name of ``/AudioPrimitives/DecodeResult``.
@available(*, deprecated, renamed: "DecodeResult")
public typealias DecodedOpusPacket = DecodeResult
