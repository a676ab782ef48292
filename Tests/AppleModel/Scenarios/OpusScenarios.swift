// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AppleModel
import AudioContainers
import AudioConversion
import AudioFiles
import AudioPrimitives
import OpusCodec

/// The system's Opus encoder and decoder, modelled with libopus.
let opusScenarios: [Scenario] = opusEncoderScenarios + opusDecoderScenarios + opusFileScenarios

/// A signal and its Opus encoding.
struct OpusStream {
    let configuration: OpusEncoderConfiguration
    let encoder: OpusEncoder
    let signal: PCMBuffer
    var units: [AccessUnit] = []
    var gapless: GaplessInfo?
    /// The number of frames passed to the encoder.
    private var frameCount = 0

    /// Creates an encoder and a signal with a tone in each channel.
    init(
        sampleRate: Int = 48_000, channelCount: Int = 2, frameCount: Int = 20_000, bitRate: Int? = nil, pitch: Float = 317,
        _ body: (inout OpusEncoderConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = OpusEncoderConfiguration(
            sampleRate: sampleRate, channelCount: channelCount, bitRate: bitRate ?? 64_000 * channelCount)
        body(&configuration)
        self.configuration = configuration
        encoder = try OpusEncoder(configuration)
        signal = Self.tones(sampleRate: sampleRate, channelCount: channelCount, frameCount: frameCount, pitch: pitch)
    }

    /// Returns a chord with one tone per channel and a known phase at each frame.
    static func tones(sampleRate: Int, channelCount: Int, frameCount: Int, pitch: Float = 317) -> PCMBuffer {
        PCMBuffer(
            channels: (0..<channelCount).map { channel in
                (0..<frameCount).map { frame in
                    0.4 * sine(Float(frame) * pitch * Float(channel + 2) / Float(2 * sampleRate))
                }
            }, sampleRate: sampleRate)
    }

    /// Returns the sine of an angle in turns.
    private static func sine(_ turns: Float) -> Float {
        let phase = turns - turns.rounded(.down) - 0.5
        // A parabola with the zeros of a sine: a tone with weak harmonics.
        return -16 * phase * (0.5 - phase.magnitude)
    }

    /// Encodes the next frames of the signal.
    mutating func encode(_ length: Int) throws {
        let range = frameCount..<frameCount + length
        let part = PCMBuffer(channels: (0..<signal.channelCount).map { Array(signal.channel($0)[range]) }, sampleRate: signal.sampleRate)
        frameCount += length
        units += try encoder.encode(part)
    }

    /// Encodes the signal in parts of a given length and finishes the stream.
    mutating func encodeAll(by length: Int = 1111) throws {
        while frameCount < signal.frameCount { try encode(min(length, signal.frameCount - frameCount)) }
        try finish()
    }

    mutating func finish() throws {
        let tail = try encoder.finish()
        units += tail.accessUnits
        gapless = tail.gapless
    }

    /// Checks the packet times, the gapless numbers, and that the decoded signal matches the input without a shift.
    func check(_ report: inout Report, _ name: String) throws {
        let length = configuration.frameDuration.rawValue
        let ratio = 48_000 / configuration.sampleRate
        report.check(units.map(\.presentationTime.value) == units.indices.map { Int64($0 * length) }, "\(name): the times of the packets")
        report.check(units.allSatisfy { $0.duration == length }, "\(name): the durations of the packets")
        guard let gapless else { return report.check(false, "\(name): the stream has not ended") }
        report.check(
            gapless.validFrames == frameCount * ratio && gapless.totalFrames == units.count * length
                && gapless.primingFrames == encoder.delay, "\(name): \(gapless) with \(units.count) packets, \(frameCount) frames")
        let decoded = try Self.decode(units, encoder.opusConfiguration, sampleRate: configuration.sampleRate, &report)
        for channel in decoded.indices {
            let output = Array(decoded[channel].dropFirst(encoder.delay / ratio).prefix(frameCount))
            let level = Self.level(signal.channel(channel), output)
            report.check(output.count == frameCount && level > 15, "\(name): \(output.count) frames, \(level) dB in channel \(channel)")
        }
    }

    /// Decodes packets, which must be undamaged.
    static func decode(
        _ units: [AccessUnit], _ configuration: OpusConfiguration, sampleRate: Int = 48_000, _ report: inout Report
    ) throws -> [[Float]] {
        var options = OpusDecoderOptions()
        options.sampleRate = sampleRate
        let decoder = try OpusDecoder(configuration, options: options)
        var buffer = PCMBuffer(sampleRate: decoder.sampleRate, channelCount: decoder.channelCount, frameCapacity: decoder.framesPerPacket)
        var channels = [[Float]](repeating: [], count: decoder.channelCount)
        for unit in units {
            if let damage = decoder.damage(unit.payload, &buffer) { report.check(false, "\(damage)") }
            for channel in channels.indices { channels[channel] += buffer.channel(channel) }
        }
        return channels
    }

    /// Returns the ratio of a signal's power to its difference from another signal in decibels.
    static func level(_ signal: some Sequence<Float>, _ other: some Sequence<Float>) -> Int {
        var (power, error): (Float, Float) = (0, 1e-9)
        for (left, right) in zip(signal, other) {
            power += left * left
            error += (left - right) * (left - right)
        }
        // The binary exponent is accurate enough for a bound.
        return Int((Float((power / error).exponent) * 3.01).rounded())
    }

    /// Returns the error from creating an encoder, if any.
    static func creationError(
        sampleRate: Int = 48_000, channelCount: Int = 2, bitRate: Int? = nil, _ body: (inout OpusEncoderConfiguration) -> Void = { _ in }
    ) -> CodecError? {
        do {
            _ = try OpusStream(sampleRate: sampleRate, channelCount: channelCount, frameCount: 0, bitRate: bitRate, body)
            return nil
        } catch {
            return error as? CodecError
        }
    }
}

extension OpusDecoder {
    /// Decodes a packet and returns the damage it reports.
    func damage(_ packet: [UInt8], _ buffer: inout PCMBuffer) -> CodecError? {
        let result = decode(packet.span, into: &buffer)
        return result.damage
    }

    /// Recovers a lost packet from its successor.
    func recovered(_ next: [UInt8], _ buffer: inout PCMBuffer) throws -> DecodeResult { try recover(from: next.span, into: &buffer) }
}
#endif
