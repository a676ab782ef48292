// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioConversion
import AudioPrimitives
import TestSupport
import Testing

struct DamagedStreamTests {
    @Test("Damaged cookies and packets never trap, and produce output", arguments: PacketCodecTests.configurations)
    func packets(configuration: AudioEncoderConfiguration) throws {
        let input = AudioFormat(.int16, sampleRate: configuration.sampleRate, channelCount: configuration.channelCount)
        let encoder = try AudioConverter(from: .pcm(input), to: .packets(configuration))
        let (packets, gapless) = try CodecConversionTests.encode(CodecConversionTests.tone(input, frameCount: 9000), encoder)
        let stream = try #require(encoder.outputConfiguration)
        for seed in UInt64(0)..<8 {
            var random = SeededRandom(seed: seed)
            let output = RandomFormatTests.format(&random)
            let converter = try AudioConverter(from: .packets(stream), to: .pcm(output))
            for packet in packets {
                if Int.random(in: 0..<10, using: &random) == 0 { try converter.appendLostPacket() }
                let damaged = mutated(packet.payload, &random)
                try converter.append(packet: damaged.span)
            }
            try converter.finish()
            var bytes: [UInt8] = []
            #expect(converter.read(.max, into: &bytes) > 0, "seed \(seed)")
        }
        #expect(gapless.validFrames >= 9000)
    }

    @Test("Random cookies create a decoder or throw", arguments: [FourCharCode.mpeg4AAC, .opus, .appleLossless, .iLBC])
    func cookies(formatID: FourCharCode) throws {
        for seed in UInt64(0)..<200 {
            var random = SeededRandom(seed: seed)
            let opus = try OpusConfiguration(mapping: OpusChannelMapping(channelCount: 2), preSkip: 312).opusHead
            let lossless = ALACConfiguration(sampleRate: 44_100, channelCount: 2).serialized()
            let original: [UInt8] = formatID == .opus ? opus : formatID == .appleLossless ? lossless : [0x12, 0x10]
            let cookie = mutated(original, &random)
            guard let configuration = try? CodecConfiguration(magicCookie: cookie, formatID: formatID, bytesPerPacket: 38) else { continue }
            let output = AudioFormat(.int16, sampleRate: 44_100, channelCount: 2)
            guard let converter = try? AudioConverter(from: .packets(configuration), to: .pcm(output)) else { continue }
            let packet = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
            do throws(CodecError) {
                try converter.append(packet: packet.span)
                try converter.finish()
            } catch {
                // The stream signals an unsupported sample rate.
                guard case .unsupportedSampleRates = error else { throw error }
            }
        }
    }

    /// Returns bytes with some changed or the last ones removed.
    private func mutated(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
        return bytes
    }
}
