// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import TestSupport
import Testing

@Suite(.enabled(if: StackDepth.isOptimized))
struct ConverterStackTests {
    @Test("A round trip through a codec fits the smallest thread stack", arguments: PacketCodecTests.configurations)
    func roundTrip(configuration: AudioEncoderConfiguration) throws {
        let input = AudioFormat(.int16, sampleRate: 44_100, channelCount: 2)
        let bytes = CodecConversionTests.tone(input, frameCount: 9000)
        let depth = try StackDepth.measure {
            let encoder = try AudioConverter(from: .pcm(input), to: .packets(configuration))
            let (packets, _) = try CodecConversionTests.encode(bytes, encoder)
            let stream = try #require(encoder.outputConfiguration)
            let decoder = try AudioConverter(from: .packets(stream), to: .pcm(input))
            for packet in packets { try decoder.append(packet: packet.payload.span) }
            try decoder.finish()
            var result: [UInt8] = []
            decoder.read(.max, into: &result)
            #expect(!result.isEmpty)
        }
        #expect(depth <= StackDepth.minimumThreadStack)
    }
}
