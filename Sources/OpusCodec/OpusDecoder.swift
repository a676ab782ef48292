// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The output options of an ``OpusDecoder``.
public struct OpusDecoderOptions: Hashable, Sendable {
    /// The orders of output channels.
    public enum ChannelOrder: Hashable, Sendable {
        /// The order of WAV files: front left, front right, centre, low frequency, back, sides. The default.
        case wav
        /// The order of the stream, as in Vorbis.
        case bitstream
    }

    /// The output sample rate, in hertz: one of ``OpusEncoderConfiguration/sampleRates``, by default 48 000.
    public var sampleRate = OpusConfiguration.sampleRate

    /// The order of the output channels.
    public var channelOrder = ChannelOrder.wav

    /// Whether the output gain of the identification header is applied, as by default in players (RFC 7845 5.1).
    package var appliesOutputGain = true

    /// Creates options for 48 kHz output in WAV order.
    public init() {}
}

/// An Opus decoder (RFC 6716) with 32-bit floating-point output, based on libopus or the system codec on Apple platforms.
///
/// The output starts with the pre-skip, which the caller drops. Packets from untrusted sources are safe to decode: damage is concealed. Use
/// a decoder on one thread at a time.
///
/// ```swift
/// let decoder = try OpusDecoder(configuration)
/// var buffer = PCMBuffer(sampleRate: 48_000, channelCount: decoder.channelCount, frameCapacity: decoder.framesPerPacket)
/// let outcome = decoder.decode(unit.payload.span, into: &buffer)
/// ```
public final class OpusDecoder {
    /// The identification header of the stream.
    public let configuration: OpusConfiguration

    package let options: OpusDecoderOptions

    /// The speakers in output order.
    public let channelLayout: ChannelLayout?

    /// The output channel count.
    public let channelCount: Int

    private let library: OpusLibraryDecoder

    /// The interleaved output of the library.
    private var interleaved: [Float]

    /// The duration of the latest packet in sample frames at 48 kHz, which is assumed for an unreadable one.
    private var latestDuration = 960

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - configuration: The identification header of the stream.
    ///   - options: The output options.
    /// - Throws: `CodecError.libraryMissing`, `CodecError.unsupportedSampleRate`, or `CodecError.systemCodec` on Apple platforms.
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
        // The library itself can output channels in any order.
        let order = delivered.permutation(from: coded) ?? Array(0..<coded.channelCount)
        library = try OpusLibraryDecoder(
            sampleRate: options.sampleRate, mapping: configuration.mapping, channels: order.map { configuration.mapping.channels[$0] })
        if options.appliesOutputGain { try library.setGain(Int(configuration.outputGain)) }
        interleaved = [Float](
            repeating: 0, count: OpusPacket.maximumDuration * options.sampleRate / OpusConfiguration.sampleRate * coded.channelCount)
    }

    /// The output sample rate, in hertz.
    public var sampleRate: Int { options.sampleRate }

    /// The maximum number of sample frames per packet: 120 ms.
    public var framesPerPacket: Int { frames(OpusPacket.maximumDuration) }

    /// The former name of ``framesPerPacket``.
    @available(*, deprecated, renamed: "framesPerPacket")
    public var maximumFrameCount: Int { framesPerPacket }

    /// The number of output sample frames to drop at the start of the stream.
    public var preSkip: Int { frames(Int(configuration.preSkip)) }

    /// Discards the history, for example after a seek.
    public func reset() { library.reset() }

    /// Decodes a packet.
    ///
    /// A damaged or empty packet is concealed, and the damage is returned.
    ///
    /// - Parameters:
    ///   - packet: The packet.
    ///   - buffer: Receives the output. Nothing is allocated if its sample rate and channel count match and it has room for
    ///     ``framesPerPacket`` sample frames. A buffer that does not fit is replaced.
    /// - Returns: The damage, if any, and whether the buffer was replaced.
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

    /// Conceals a lost packet with the duration of the latest one.
    ///
    /// - Parameter buffer: Receives the output, as in ``decode(_:into:)``.
    /// - Returns: A result without damage.
    @discardableResult
    public func conceal(into buffer: inout PCMBuffer) -> DecodeResult {
        DecodeResult(byteCount: 0, hasNewFormat: concealFrames(frames(latestDuration), into: &buffer))
    }

    /// Conceals lost packets.
    ///
    /// - Parameters:
    ///   - duration: The number of sample frames at 48 kHz to conceal, a multiple of 120 up to 5760.
    ///   - buffer: Receives the output, as in ``decode(_:into:)``.
    /// - Returns: A result without damage.
    /// - Throws: `CodecError.unsupportedDuration`.
    public func conceal(duration: Int, into buffer: inout PCMBuffer) throws(CodecError) -> DecodeResult {
        let duration = try checked(duration)
        return DecodeResult(byteCount: 0, hasNewFormat: concealFrames(frames(duration), into: &buffer))
    }

    /// Recovers a lost packet from the forward error correction in the next one (RFC 6716 2.1.7), or conceals it.
    ///
    /// - Parameters:
    ///   - next: The packet after the lost one. It must still be decoded as usual afterwards.
    ///   - duration: The number of lost sample frames at 48 kHz, a multiple of 120 up to 5760, or `nil` for the duration of the latest
    ///     packet.
    ///   - buffer: Receives the output, as in ``decode(_:into:)``.
    /// - Returns: The damage of `next`, if any.
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

    /// Returns the duration of a packet from its first two bytes, in sample frames at 48 kHz.
    private static func duration(of packet: Span<UInt8>) throws(CodecError) -> Int {
        do throws(CodecError) {
            return try OpusPacket((0..<min(2, packet.count)).map { packet[$0] }).duration
        } catch {
            throw .invalidOpusPacket(byteCount: packet.count)
        }
    }

    /// Converts a number of sample frames from 48 kHz to the output rate.
    private func frames(_ duration: Int) -> Int { duration * options.sampleRate / OpusConfiguration.sampleRate }

    /// Validates a duration to conceal.
    private func checked(_ duration: Int) throws(CodecError) -> Int {
        guard duration > 0, duration % 120 == 0, duration <= OpusPacket.maximumDuration else { throw .unsupportedDuration(duration) }
        return duration
    }

    /// Conceals output sample frames and returns whether the buffer was replaced.
    private func concealFrames(_ count: Int, into buffer: inout PCMBuffer) -> Bool {
        if let decoded = try? library.conceal(frameCount: count, into: &interleaved), decoded == count {
            return deliver(count, into: &buffer)
        }
        for index in 0..<count * channelCount { interleaved[index] = 0 }
        return deliver(count, into: &buffer)
    }

    /// Writes the output to the buffer, which is replaced if it does not fit, and returns whether it was.
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
