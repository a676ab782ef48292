// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives

/// The decoder on Apple's systems.
typealias OpusLibraryDecoder = OpusSystemDecoder

/// Decoders of the system, one for each stream of a packet.
///
/// Runs on a model of Core Audio only; see Documentation/Internals/Apple.md.
final class OpusSystemDecoder {
    private let sampleRate: Int
    private let mapping: OpusChannelMapping
    private let channels: [UInt8]
    private var streams: [OpusSystemStream] = []
    private var gain: Float = 1

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the output, one of those that Opus has.
    ///   - mapping: The numbers of streams.
    ///   - channels: The decoded channel of each channel of the output.
    /// - Throws: `CodecError.systemCodec`.
    init(sampleRate: Int, mapping: OpusChannelMapping, channels: [UInt8]) throws(CodecError) {
        self.sampleRate = sampleRate
        self.mapping = mapping
        self.channels = channels
        for index in 0..<mapping.streamCount {
            streams.append(try OpusSystemStream(sampleRate: sampleRate, channelCount: index < mapping.coupledCount ? 2 : 1))
        }
    }

    /// Sets the gain of the output, in 1/256 dB.
    func setGain(_ gain: Int) throws(CodecError) {
        var factor = 1.0
        // 1/256 dB to the power of the gain, by its binary digits.
        var power = 1.000449834864859
        var digits = gain.magnitude
        while digits > 0 {
            if digits & 1 == 1 { factor *= power }
            power *= power
            digits >>= 1
        }
        self.gain = Float(gain < 0 ? 1 / factor : factor)
    }

    /// Discards all history.
    func reset() {
        for stream in streams { stream.reset() }
    }

    /// Why the output of the latest packet lacks history; `nil` if it does not.
    var loss: CodecError? { streams.lazy.compactMap(\.loss).first }

    /// Decodes a packet.
    ///
    /// - Parameters:
    ///   - packet: The packet, of at least one byte.
    ///   - frameCount: The number of sample frames for which `samples` has room.
    ///   - isForLostPacket: Whether the output is that of the packet before, which the system's decoder does not have.
    ///   - samples: The buffer for the output, frame by frame.
    /// - Returns: The number of sample frames.
    /// - Throws: `CodecError.invalidOpusPacket`; `CodecError.systemCodec` if the system refuses a packet;
    ///   `CodecError.unsupportedSystemSetting` for a lost packet.
    func decode(
        _ packet: Span<UInt8>, frameCount: Int, isForLostPacket: Bool = false, into samples: inout [Float]
    ) throws(CodecError) -> Int {
        guard !isForLostPacket else {
            throw .unsupportedSystemSetting("decoding of a lost packet", value: "from the next one", allowed: "by concealment")
        }
        let packets = try OpusStreamPacket.split(packet, streamCount: streams.count)
        for (stream, packet) in zip(streams, packets) { try stream.decode(packet) }
        return deliver(packets[0].duration * sampleRate / OpusConfiguration.sampleRate, into: &samples)
    }

    /// Conceals sample frames by frames without bytes, which ask a decoder for that (RFC 6716 3.2.1).
    ///
    /// - Parameters:
    ///   - frameCount: The number of sample frames.
    ///   - samples: The buffer for the output, frame by frame.
    /// - Returns: The number of sample frames.
    /// - Throws: `CodecError.unsupportedDuration` if they are no frames of the latest packet, `CodecError.systemCodec`.
    func conceal(frameCount: Int, into samples: inout [Float]) throws(CodecError) -> Int {
        for stream in streams { try stream.conceal(frameCount * OpusConfiguration.sampleRate / sampleRate) }
        return deliver(frameCount, into: &samples)
    }

    /// Puts the output of the streams into the channels; returns the number of sample frames.
    private func deliver(_ frameCount: Int, into samples: inout [Float]) -> Int {
        for (channel, decoded) in channels.enumerated() {
            guard decoded != OpusChannelMapping.silence else {
                for frame in 0..<frameCount { samples[frame * channels.count + channel] = 0 }
                continue
            }
            let isCoupled = Int(decoded) < 2 * mapping.coupledCount
            let stream = streams[isCoupled ? Int(decoded) / 2 : Int(decoded) - mapping.coupledCount]
            let (first, step) = isCoupled ? (Int(decoded) % 2, 2) : (0, 1)
            for frame in 0..<frameCount { samples[frame * channels.count + channel] = stream.samples[first + frame * step] * gain }
        }
        return frameCount
    }
}

/// A decoder of the system for one stream.
private final class OpusSystemStream {
    private let sampleRate: Int
    private let channelCount: Int
    private var converter: SystemConverter
    private let input: SystemDecoderInput
    /// The number of sample frames at 48 kHz in the frames that the converter takes.
    private var frameLength = OpusFrameDuration.milliseconds20.rawValue
    /// The table of contents of the latest packet; `nil` at the start.
    private var contents: UInt8?
    /// The output of the latest packet, interleaved.
    private(set) var samples: [Float]
    /// Why the output of the latest packet lacks history.
    private(set) var loss: CodecError?
    /// The output of one frame.
    private var frame: [Float]

    /// Creates a decoder of a stream with one or two channels.
    init(sampleRate: Int, channelCount: Int) throws(CodecError) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        input = SystemDecoderInput(channelCount: channelCount)
        converter = try SystemConverter(
            decoding: .opus, sampleRate: sampleRate, channelCount: channelCount,
            framesPerPacket: frameLength * sampleRate / OpusConfiguration.sampleRate)
        samples = [Float](
            repeating: 0, count: OpusPacket.maximumDuration * sampleRate / OpusConfiguration.sampleRate * channelCount)
        frame = samples
    }

    /// Discards all history.
    func reset() {
        converter.reset()
        contents = nil
    }

    /// Decodes the frames of a packet.
    func decode(_ packet: OpusStreamPacket) throws(CodecError) {
        loss = nil
        if packet.frameLength != frameLength { try changeFrameLength(packet.frameLength) }
        contents = packet.contents
        for (index, bytes) in packet.packets.enumerated() { try decode(bytes, at: index) }
    }

    /// Conceals a number of sample frames at 48 kHz.
    func conceal(_ duration: Int) throws(CodecError) {
        guard let contents, duration % frameLength == 0 else { throw .unsupportedDuration(duration) }
        for index in 0..<duration / frameLength { try decode([contents], at: index) }
    }

    /// Replaces the converter, whose frames all have the same length, by one without history.
    private func changeFrameLength(_ length: Int) throws(CodecError) {
        converter = try SystemConverter(
            decoding: .opus, sampleRate: sampleRate, channelCount: channelCount,
            framesPerPacket: length * sampleRate / OpusConfiguration.sampleRate)
        if contents != nil {
            loss = .unsupportedSystemSetting(
                "a change of the frame length", value: "to \(length)", allowed: "\(frameLength) as before; the history is lost")
        }
        frameLength = length
    }

    /// Decodes a frame to its place in the output.
    private func decode(_ packet: [UInt8], at index: Int) throws(CodecError) {
        let frameCount = frameLength * sampleRate / OpusConfiguration.sampleRate
        input.set(packet)
        let count = try converter.decode(input, frameCount: frameCount, into: &frame)
        guard count == frameCount else { throw .invalidOpusPacket(byteCount: packet.count) }
        let length = frameCount * channelCount
        for sample in 0..<length { samples[index * length + sample] = frame[sample] }
    }
}
#endif
