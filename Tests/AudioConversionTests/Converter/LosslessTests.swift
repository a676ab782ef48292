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

    @Test("PCM of every depth becomes Apple Lossless without loss", arguments: [SampleEncoding.unsigned8, .int16, .int24, .int32])
    func encoding(encoding: SampleEncoding) throws {
        var random = SeededRandom(seed: 4)
        let bytes = (0..<encoding.byteCount * 2 * 1300).map { _ in UInt8.random(in: 0...255, using: &random) }
        let format = AudioFormat(encoding, sampleRate: 48_000, channelCount: 2)
        let configuration = ALACConfiguration(
            sampleRate: 48_000, channelCount: 2, bitDepth: max(16, 8 * encoding.byteCount), frameLength: 500)
        var options = AudioConverterOptions()
        options.dither = .triangular
        let there = try AudioConverter(from: .pcm(format), to: .packets(.alac(configuration)), options: options)
        let back = try AudioConverter(from: .packets(.alac(configuration)), to: .pcm(format))
        for first in stride(from: 0, to: bytes.count, by: 700 * format.bytesPerFrame) {
            let part = Array(bytes[first..<min(bytes.count, first + 700 * format.bytesPerFrame)])
            try part.withSpan { (span) throws(CodecError) in try there.append(span.bytes) }
        }
        try there.finish()
        while let packet = there.nextPacket() { try back.append(packet) }
        try back.finish()
        var result: [UInt8] = []
        back.read(.max, into: &result)
        #expect(result == bytes && there.clippedSampleCount == 0 && !there.addsDither)
        #expect(there.outputGapless == GaplessInfo(primingFrames: 0, validFrames: 1300, remainderFrames: 0))
    }

    @Test("Apple Lossless with fewer bits gets dither, and samples beyond full scale are counted")
    func reduction() throws {
        let configuration = AudioEncoderConfiguration.alac(ALACConfiguration(sampleRate: 48_000, channelCount: 1))
        var options = AudioConverterOptions()
        options.dither = .triangular
        let format = AudioFormat(.float32, sampleRate: 48_000, channelCount: 1)
        let converter = try AudioConverter(from: .pcm(format), to: .packets(configuration), options: options)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 3)
        buffer.frameCount = 3
        for (index, sample) in ([0, 1.5, .nan] as [Float]).enumerated() { buffer.samples[index] = sample }
        try converter.append(buffer)
        try converter.finish()
        #expect(converter.addsDither && converter.clippedSampleCount == 2)
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
