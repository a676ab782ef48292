// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing

@Suite struct SampleConversionTests {
    @Test("Integers are rounded to nearest, ties to even, and clipped", arguments: [16, 24, 32])
    func rounding(bitCount: Int) {
        let scale = Double(1 << (bitCount - 1))
        for value in [0, 0.4, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 100.25] where bitCount < 32 {
            let expected = Int32(value.rounded(.toNearestOrEven))
            #expect(SampleRounding.integer(Float(value / scale), bitCount: bitCount) == expected, "\(value)")
        }
        #expect(SampleRounding.integer(1, bitCount: bitCount) == Int32(scale - 1))
        #expect(SampleRounding.integer(-1, bitCount: bitCount) == Int32(-scale))
        #expect(SampleRounding.integer(.infinity, bitCount: bitCount) == Int32(scale - 1))
        #expect(SampleRounding.integer(-.infinity, bitCount: bitCount) == Int32(-scale))
        #expect(SampleRounding.integer(.nan, bitCount: bitCount) == 0)
    }

    @Test("Fast rounding to 16 bits matches the general rounding", arguments: [1, 2] as [UInt64])
    func fastRounding(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20_000 {
            let sample = Float.random(in: -1.1...1.1, using: &random)
            let fast = Int32(Int16(truncatingIfNeeded: SampleRounding.bits16(sample * 32768)))
            #expect(fast == SampleRounding.integer(sample, bitCount: 16), "seed \(seed), \(sample)")
        }
    }

    @Test("All formats round alike and survive interleaving, with any channel count", arguments: SampleFormat.allCases, [1, 2, 3, 6])
    func roundTrip(format: SampleFormat, channelCount: Int) {
        var random = SeededRandom(seed: UInt64(channelCount))
        var buffer = PCMBuffer(sampleRate: 8000, channelCount: channelCount, frameCapacity: 21, frameCount: 19)
        for index in buffer.samples.indices { buffer.samples[index] = .random(in: -1...1, using: &random) }
        var bytes = [UInt8](repeating: 0xEE, count: 3 + 19 * channelCount * format.byteCount + 2)
        format.encode(buffer, into: &bytes, at: 3)
        #expect(bytes.prefix(3).allSatisfy { $0 == 0xEE } && bytes.suffix(2).allSatisfy { $0 == 0xEE })
        let body = Array(bytes[3..<bytes.count - 2])
        var single = body
        buffer.forEachInterleaved { InterleavedSamples.store($1, at: $0, in: &single, format) }
        #expect(single == body)
        var back = PCMBuffer(sampleRate: 8000, channelCount: channelCount, frameCapacity: 20)
        SampleEncoding(format).decode(body.span.bytes, into: &back)
        #expect(back.frameCount == 19)
        let step: Float = format.isFloat ? 0 : 1 / Float(1 << min(24, 8 * format.byteCount - 1))
        for channel in 0..<channelCount {
            for (a, b) in zip(buffer.channel(channel), back.channel(channel)) { #expect(abs(a - b) <= step) }
        }
        back.forEachInterleaved { #expect(InterleavedSamples.sample(at: $0, in: body, format) == $1) }
    }

    @Test("Groups of samples round like single ones, out of range as well", arguments: [1, 2])
    func groupRounding(channelCount: Int) {
        let half: Float = 0.5 / 32_768
        let samples: [Float] = [
            .nan, -.nan, .infinity, -.infinity, 1, -1, 3e30, -3e30, 65_536, -65_536, half, -half, 3 * half, -3 * half, 1 - half, -1 - half,
            0, -0,
        ]
        var buffer = PCMBuffer(sampleRate: 8000, channelCount: channelCount, frameCapacity: 36, frameCount: 36)
        for index in buffer.samples.indices { buffer.samples[index] = samples[index * 5 % samples.count] }
        var bytes = [UInt8](repeating: 0, count: 72 * channelCount)
        SampleFormat.int16.encode(buffer, into: &bytes, at: 0)
        buffer.forEachInterleaved { index, sample in
            let expected = SampleRounding.integer(sample, bitCount: 16)
            #expect(Int32(Int16(truncatingIfNeeded: Int(bytes[2 * index]) | Int(bytes[2 * index + 1]) << 8)) == expected, "\(sample)")
        }
    }

    @Test("Every encoding decodes to the value of its integer", arguments: SampleEncoding.allCases, [1, 2, 3])
    func decoding(encoding: SampleEncoding, channelCount: Int) {
        var random = SeededRandom(seed: 5)
        let frameCount = 11
        let bytes = (0..<frameCount * channelCount * encoding.byteCount + 1).map { _ in UInt8.random(in: 0...0x7E, using: &random) }
        var buffer = PCMBuffer(sampleRate: 8000, channelCount: channelCount, frameCapacity: 64)
        encoding.decode(bytes.span.bytes, into: &buffer)
        // A byte after the last whole frame is ignored, unless it is a frame itself.
        #expect(buffer.frameCount == bytes.count / (encoding.byteCount * channelCount))
        buffer.forEachInterleaved { index, sample in
            var part = Array(bytes[index * encoding.byteCount..<(index + 1) * encoding.byteCount])
            if encoding.isBigEndian { part.reverse() }
            let bits = part.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let expected: Double =
                switch encoding {
                case .unsigned8: (Double(bits) - 128) / 128
                case .signed8: Double(bits) / 128
                case .int16, .int16BigEndian: Double(bits) / 32_768
                case .int24, .int24BigEndian: Double(bits) / 8_388_608
                case .int32, .int32BigEndian: Double(bits) / 2_147_483_648
                case .float32, .float32BigEndian: Double(Float(bitPattern: UInt32(bits)))
                case .float64, .float64BigEndian: Double(bitPattern: bits)
                }
            #expect(sample == Float(expected))
        }
    }

    @Test("Interleaved samples are separated into channels")
    func deinterleaving() {
        var buffer = PCMBuffer(sampleRate: 8000, channelCount: 2, frameCapacity: 4)
        buffer.deinterleave([1, 2, 3, 4, 5, 6], frameCount: 3)
        #expect(buffer.channel(0) == [1, 3, 5] && buffer.channel(1) == [2, 4, 6])
    }
}
