// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives

/// The decoder on Apple platforms.
typealias OpusLibraryDecoder = OpusSystemDecoder

/// An Opus decoder based on the system codec, with one system decoder per stream.
///
/// Tested only with a model of Core Audio; see Documentation/Internals/Apple.md.
final class OpusSystemDecoder {
    private let sampleRate: Int
    private let mapping: OpusChannelMapping
    private let channels: [UInt8]
    private var streams: [OpusSystemStream] = []
    private var gain: Float = 1

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - sampleRate: The output sample rate, one of those that Opus supports.
    ///   - mapping: The numbers of streams.
    ///   - channels: The decoded channel of each output channel.
    /// - Throws: `CodecError.systemCodec`.
    init(sampleRate: Int, mapping: OpusChannelMapping, channels: [UInt8]) throws(CodecError) {
        self.sampleRate = sampleRate
        self.mapping = mapping
        self.channels = channels
        for index in 0..<mapping.streamCount {
            streams.append(try OpusSystemStream(sampleRate: sampleRate, channelCount: index < mapping.coupledCount ? 2 : 1))
        }
    }

    /// Sets the output gain, in 1/256 dB.
    func setGain(_ gain: Int) throws(CodecError) {
        var factor = 1.0
        // Raises 1/256 dB to the power of the gain with binary exponentiation.
        var power = 1.000449834864859
        var digits = gain.magnitude
        while digits > 0 {
            if digits & 1 == 1 { factor *= power }
            power *= power
            digits >>= 1
        }
        self.gain = Float(gain < 0 ? 1 / factor : factor)
    }

    func reset() {
        for stream in streams { stream.reset() }
    }

    /// The reason why the latest output lacks history, or `nil` if it does not.
    var loss: CodecError? { streams.lazy.compactMap(\.loss).first }

    /// Decodes a packet.
    ///
    /// - Parameters:
    ///   - packet: The packet, of at least one byte.
    ///   - frameCount: The number of sample frames that fit in `samples`.
    ///   - isForLostPacket: Whether to decode the copy of the previous packet, which the system decoder does not support.
    ///   - samples: Receives the interleaved output.
    /// - Returns: The number of sample frames.
    /// - Throws: `CodecError.invalidOpusPacket`, `CodecError.systemCodec` if the system rejects a packet, or
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

    /// Conceals sample frames with empty frames, which request concealment from a decoder (RFC 6716 3.2.1).
    ///
    /// - Parameter samples: Receives the interleaved output.
    /// - Returns: The number of sample frames.
    /// - Throws: `CodecError.systemCodec`, or `CodecError.unsupportedDuration` if the duration is not a multiple of the latest frame
    ///   length.
    func conceal(frameCount: Int, into samples: inout [Float]) throws(CodecError) -> Int {
        for stream in streams { try stream.conceal(frameCount * OpusConfiguration.sampleRate / sampleRate) }
        return deliver(frameCount, into: &samples)
    }

    /// Copies the output of the streams to the channels and returns the number of sample frames.
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

private final class OpusSystemStream {
    private let sampleRate: Int
    private let channelCount: Int
    private var converter: SystemConverter
    private let input: SystemDecoderInput
    /// The frame length of the converter, in sample frames at 48 kHz.
    private var frameLength = OpusFrameDuration.milliseconds20.rawValue
    /// The table-of-contents byte of the latest packet, or `nil` at the start.
    private var contents: UInt8?
    /// The interleaved output of the latest packet.
    private(set) var samples: [Float]
    /// The reason why the latest output lacks history.
    private(set) var loss: CodecError?
    /// The output of one frame.
    private var frame: [Float]

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

    func reset() {
        converter.reset()
        contents = nil
    }

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

    /// Replaces the converter, which supports only one frame length, by a new one without history.
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

    /// Decodes a frame to its position in the output.
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
