// SPDX-License-Identifier: Apache-2.0

import AACCodec
import ALACCodec
import AudioConversion
import AudioPrimitives
import ILBCCodec
import OpusCodec
import Testing

struct PacketCodecTests {
    /// The configurations that each test runs with.
    static let configurations: [AudioEncoderConfiguration] = [
        .aac(AACEncoderConfiguration(sampleRate: 44_100, channelCount: 2)),
        .aac(
            {
                var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 48_000))
                configuration.profile = .highEfficiency
                return configuration
            }()),
        .opus(OpusEncoderConfiguration(channelCount: 2)), .ilbc(.milliseconds20), .ilbc(.milliseconds30),
        .alac(ALACConfiguration(sampleRate: 44_100, channelCount: 3, frameLength: 1000)),
    ]

    /// Returns a tone on all channels.
    static func tone(_ encoder: any AudioPacketEncoder, frameCount: Int) -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: encoder.sampleRate, channelCount: encoder.channelCount, frameCapacity: frameCount)
        for channel in 0..<encoder.channelCount {
            var phase: Float = 0
            for index in buffer.range(ofChannel: channel) {
                buffer.samples[index] = phase > 0.5 ? 0.5 - phase / 2 : phase / 2
                phase += 300 / Float(encoder.sampleRate)
                if phase >= 1 { phase -= 1 }
            }
        }
        return buffer
    }

    @Test("The decoded length is priming plus input plus remainder", arguments: configurations, [0, 1, 777, 5000])
    func lengths(configuration: AudioEncoderConfiguration, frameCount: Int) throws {
        let encoder = try configuration.makeEncoder()
        let decoder = try encoder.codecConfiguration.makeDecoder()
        var packets = try encoder.encode(Self.tone(encoder, frameCount: frameCount))
        let tail = try encoder.finish()
        packets += tail.accessUnits
        let gapless = tail.gapless
        #expect(gapless.validFrames == frameCount)
        #expect(gapless.primingFrames == (packets.isEmpty ? 0 : encoder.primingFrames))
        #expect(packets.allSatisfy { $0.payload.count <= encoder.maximumPacketByteCount })
        // Only the last packet of Apple Lossless can be shorter.
        let whole = encoder is ALACEncoder ? packets.dropLast() : packets[...]
        #expect(whole.allSatisfy { $0.duration == encoder.framesPerPacket })
        var total = 0
        var buffer = PCMBuffer(sampleRate: 8000, channelCount: 1, frameCapacity: 0)
        for packet in packets {
            let outcome = decoder.decode(packet.payload.span, into: &buffer)
            #expect(outcome.damage == nil && outcome.byteCount == packet.payload.count)
            #expect(buffer.sampleRate == encoder.sampleRate && buffer.channelCount == encoder.channelCount)
            total += buffer.frameCount
        }
        #expect(total == gapless.totalFrames)
    }

    @Test("A reset encoder repeats its packets", arguments: configurations)
    func reset(configuration: AudioEncoderConfiguration) throws {
        let encoder = try configuration.makeEncoder()
        var runs: [[AccessUnit]] = []
        for _ in 0..<2 {
            runs.append(try encoder.encode(Self.tone(encoder, frameCount: 4000)) + encoder.finish().accessUnits)
            encoder.reset()
        }
        #expect(runs[0] == runs[1] && !runs[0].isEmpty)
    }

    @Test("Damaged and lost packets are concealed with the length of a packet", arguments: configurations)
    func damage(configuration: AudioEncoderConfiguration) throws {
        let encoder = try configuration.makeEncoder()
        let decoder = try encoder.codecConfiguration.makeDecoder()
        let packets = try encoder.encode(Self.tone(encoder, frameCount: 4 * encoder.framesPerPacket)) + encoder.finish().accessUnits
        var buffer = PCMBuffer(sampleRate: 8000, channelCount: 1, frameCapacity: 0)
        let first = packets[0]
        _ = decoder.decode(first.payload.span, into: &buffer)
        let damaged = AccessUnit(payload: [0xFF], presentationTime: packets[1].presentationTime, duration: 0)
        let outcome = decoder.decode(damaged.payload.span, into: &buffer)
        #expect(outcome.damage != nil)
        #expect(buffer.frameCount == encoder.framesPerPacket)
        #expect(decoder.conceal(into: &buffer).damage == nil)
        #expect(buffer.frameCount == encoder.framesPerPacket)
    }

    @Test("The bit rate of iLBC is fixed")
    func fixedBitRate() throws {
        let encoder = ILBCPacketEncoder(mode: .milliseconds20)
        #expect(encoder.bitRate == 15_200)
        try encoder.setBitRate(15_200)
        #expect(throws: CodecError.self) { try encoder.setBitRate(16_000) }
    }
}
