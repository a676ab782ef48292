// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import OpusCodec
import TestSupport
import Testing

@Suite struct OpusDecoderTests {
    /// Returns speech-like packets with forward error correction.
    private func speech() throws -> (signal: [Float], accessUnits: [AccessUnit], configuration: OpusConfiguration) {
        var configuration = OpusEncoderConfiguration(sampleRate: 16_000, channelCount: 1, bitRate: 32_000)
        configuration.application = .voice
        configuration.signal = .voice
        configuration.usesForwardErrorCorrection = true
        configuration.expectedPacketLoss = 25
        let buffer = OpusSignals.syllables(sampleRate: 16_000, channelCount: 1, frameCount: 32_000, seed: 5)
        let (accessUnits, _, stream) = try OpusSignals.encode(buffer, configuration)
        return (buffer.channel(0), accessUnits, stream)
    }

    /// Decodes access units, some of which are lost and replaced by `lose`.
    private func decode(
        _ accessUnits: [AccessUnit], _ stream: OpusConfiguration, losing lost: Set<Int>,
        _ lose: (OpusDecoder, Int, inout PCMBuffer) throws -> Void
    ) throws -> [Float] {
        let decoder = try OpusDecoder(stream)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: decoder.framesPerPacket)
        var output: [Float] = []
        for (index, accessUnit) in accessUnits.enumerated() {
            if lost.contains(index) {
                try lose(decoder, index, &buffer)
            } else {
                #expect(decoder.decode(accessUnit.payload.span, into: &buffer).damage == nil)
            }
            output += buffer.channel(0)
        }
        return output
    }

    @Test("Lost packets are concealed, and recovered better with forward error correction")
    func losses() throws {
        let (_, accessUnits, stream) = try speech()
        let whole = try decode(accessUnits, stream, losing: []) { _, _, _ in }
        let lost = Set(stride(from: 10, to: accessUnits.count - 1, by: 7))
        let concealed = try decode(accessUnits, stream, losing: lost) { decoder, _, buffer in
            let damage = decoder.conceal(into: &buffer).damage
            #expect(damage == nil)
        }
        let recovered = try decode(accessUnits, stream, losing: lost) { decoder, index, buffer in
            let next = accessUnits[index + 1].payload
            let damage = try decoder.recover(from: next.span, into: &buffer).damage
            #expect(damage == nil)
        }
        let silent = try decode(accessUnits, stream, losing: lost) { _, _, buffer in
            for index in buffer.samples.indices { buffer.samples[index] = 0 }
        }
        #expect(concealed.count == whole.count && recovered.count == whole.count)
        let ratios = [silent, concealed, recovered].map { OpusSignals.ratio(whole, $0) }
        #expect(ratios[1] > ratios[0] && ratios[2] > ratios[1] + 2, "silence, concealment, copies: \(ratios) dB")
    }

    @Test("Durations to conceal are multiples of 2.5 ms up to 120 ms")
    func spans() throws {
        let (_, accessUnits, stream) = try speech()
        let decoder = try OpusDecoder(stream)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: decoder.framesPerPacket)
        let packet = accessUnits[0].payload
        for duration in [0, -120, 100, 5880] {
            #expect(throws: CodecError.unsupportedDuration(duration)) { try decoder.conceal(duration: duration, into: &buffer) }
            #expect(throws: CodecError.unsupportedDuration(duration)) {
                try decoder.recover(from: packet.span, duration: duration, into: &buffer)
            }
        }
        for duration in stride(from: 120, through: 5760, by: 120) {
            _ = try decoder.conceal(duration: duration, into: &buffer)
            #expect(buffer.frameCount == duration)
        }
    }

    @Test("Output gain of the header is applied unless disabled")
    func gain() throws {
        let signal = OpusSignals.tones(sampleRate: 48_000, channelCount: 2, frameCount: 9600, amplitude: 0.1)
        let (accessUnits, _, original) = try OpusSignals.encode(signal, OpusEncoderConfiguration(channelCount: 2))
        var stream = original
        let plain = try OpusSignals.decode(accessUnits, stream)
        stream.outputGain = 6 * 256
        let louder = try OpusSignals.decode(accessUnits, stream)
        let factor: Float = 1.9952623
        for channel in 0..<2 {
            #expect(zip(plain[channel], louder[channel]).allSatisfy { abs($0 * factor - $1) < 1e-4 })
        }
        var options = OpusDecoderOptions()
        options.appliesOutputGain = false
        #expect(try OpusSignals.decode(accessUnits, stream, options: options) == plain)
    }

    @Test("Reset decoder repeats its output", arguments: OpusEncoderConfiguration.sampleRates)
    func reset(rate: Int) throws {
        let (_, accessUnits, stream) = try speech()
        var options = OpusDecoderOptions()
        options.sampleRate = rate
        let decoder = try OpusDecoder(stream, options: options)
        var buffer = PCMBuffer(sampleRate: rate, channelCount: 1, frameCapacity: decoder.framesPerPacket)
        var outputs: [[Float]] = [[], []]
        for index in 0..<2 {
            for accessUnit in accessUnits.prefix(20) {
                #expect(!decoder.decode(accessUnit.payload.span, into: &buffer).hasNewFormat)
                #expect(buffer.frameCount == rate / 50)
                outputs[index] += buffer.channel(0)
            }
            decoder.reset()
        }
        #expect(outputs[0] == outputs[1])
        #expect(throws: CodecError.unsupportedSampleRate(44_100, allowed: OpusEncoderConfiguration.sampleRates)) {
            options.sampleRate = 44_100
            _ = try OpusDecoder(stream, options: options)
        }
    }

    @Test("Damaged packets are reported and concealed", arguments: (0..<20).selectedCases)
    func damage(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let channelCount = Int.random(in: 1...8, using: &random)
        let signal = OpusSignals.tones(sampleRate: 48_000, channelCount: channelCount, frameCount: 9600)
        let (accessUnits, _, stream) = try OpusSignals.encode(signal, OpusEncoderConfiguration(channelCount: channelCount))
        let decoder = try OpusDecoder(stream)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: channelCount, frameCapacity: decoder.framesPerPacket)
        var damaged = 0
        for round in 0..<200 {
            var bytes = accessUnits[round % accessUnits.count].payload
            switch round % 4 {
            case 0: bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ in .random(in: 0 ... .max, using: &random) }
            case 1: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
            case 2: bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default: break
            }
            let outcome = decoder.decode(bytes.span, into: &buffer)
            if outcome.damage != nil { damaged += 1 }
            #expect(buffer.frameCount > 0 && buffer.frameCount <= decoder.framesPerPacket)
            #expect(buffer.hasOnlyNumbers)
        }
        #expect(damaged > 10)
    }
}
