// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioConversion
import AudioPrimitives
import TestSupport
import Testing

struct LosslessTests {
    @Test("Apple Lossless of every depth decodes to exact integers", arguments: [16, 20, 24, 32], [1, 2])
    func exactness(bitDepth: Int, channelCount: Int) throws {
        let seed = UInt64(bitDepth + channelCount)
        var random = SeededRandom(seed: seed)
        let limit = Int32(truncatingIfNeeded: (Int64(1) << Int64(bitDepth - 1)) - 1)
        let configuration = ALACConfiguration(sampleRate: 48_000, channelCount: channelCount, bitDepth: bitDepth, frameLength: 500)
        var options = AudioConverterOptions()
        options.dither = .triangular
        options.inputGapless = GaplessInfo(primingFrames: 0, validFrames: 1300, remainderFrames: 0)
        let output = AudioFormat(
            bitDepth == 16 ? .int16 : bitDepth == 32 ? .int32 : .int24, sampleRate: 48_000, channelCount: channelCount)
        let converter = try AudioConverter(from: .packets(.alac(configuration)), to: .pcm(output), options: options)
        var expected: [UInt8] = []
        for frameCount in [500, 500, 300] {
            let frames = (0..<frameCount).map { _ in (0..<channelCount).map { _ in Int32.random(in: -limit - 1...limit, using: &random) } }
            let scale = Double(Int64(1) << Int64(bitDepth - 1))
            expected += frames.flatMap { $0 }.flatMap { ReferenceSamples.bytes(Double($0) / scale, output.encoding) }
            let bytes = losslessPacket(frames, bitDepth: bitDepth)
            try converter.append(packet: bytes.span)
        }
        try converter.finish()
        var result: [UInt8] = []
        converter.read(.max, into: &result)
        #expect(result == expected && converter.damagedPacketCount == 0, "seed \(seed)")
    }

    @Test("A damaged 32-bit packet becomes silence of the standard length")
    func damage() throws {
        let configuration = ALACConfiguration(sampleRate: 48_000, channelCount: 2, bitDepth: 32, frameLength: 500)
        let output = AudioFormat(.int32, sampleRate: 48_000, channelCount: 2)
        let converter = try AudioConverter(from: .packets(.alac(configuration)), to: .pcm(output))
        let damaged = Array(losslessPacket([[1, 2]], bitDepth: 32).prefix(3))
        try converter.append(packet: damaged.span)
        try converter.appendLostPacket()
        try converter.finish()
        var result: [UInt8] = []
        #expect(converter.read(.max, into: &result) == 1000)
        #expect(converter.damagedPacketCount == 1 && result.allSatisfy { $0 == 0 })
    }
}
