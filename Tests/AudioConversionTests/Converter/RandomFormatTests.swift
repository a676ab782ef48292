// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

struct RandomFormatTests {
    static func format(_ random: inout SeededRandom) -> AudioFormat {
        AudioFormat(
            random.element(of: SampleEncoding.allCases), sampleRate: random.element(of: RateConversionTests.rates),
            channelCount: Int.random(in: 1...8, using: &random), isInterleaved: Bool.random(using: &random))
    }

    @Test("Random pairs of formats and options yield the right length, for any input sizes", arguments: 0..<60)
    func lengths(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (input, output) = (Self.format(&random), Self.format(&random))
        var options = AudioConverterOptions()
        options.quality = random.element(of: SampleRateConverterQuality.allCases)
        options.dither = random.element(of: Dither.allCases)
        let frameCount = Int.random(in: 0...3000, using: &random)
        let converter = try AudioConverter(from: .pcm(input), to: .pcm(output), options: options)
        var total = 0
        var position = 0
        var bytes: [UInt8] = []
        while position < frameCount {
            let count = min(frameCount - position, Int.random(in: 1...900, using: &random))
            let run = ReferenceSamples.random(count * input.channelCount, input.encoding, &random)
            try converter.append(run.span.bytes)
            position += count
            total += converter.read(Int.random(in: 0...1000, using: &random), into: &bytes)
            #expect(bytes.count % output.bytesPerFrame == 0)
        }
        try converter.finish()
        while converter.read(Int.random(in: 1...1000, using: &random), into: &bytes) > 0 { total += bytes.count / output.bytesPerFrame }
        let expected = (2 * frameCount * output.sampleRate + input.sampleRate) / (2 * input.sampleRate)
        #expect(total == expected, "\(input) to \(output), \(frameCount) frames, seed \(seed)")
    }

    @Test("A lossless round trip through another format yields the same samples, in any arrangement", arguments: 0..<60)
    func roundTrips(seed: UInt64) throws {
        var random = SeededRandom(seed: 1000 + seed)
        var (first, second) = (Self.format(&random), Self.format(&random))
        second.sampleRate = first.sampleRate
        second.channelCount = first.channelCount
        let integerBits = first.encoding.isFloat ? 0 : first.encoding.byteCount * 8
        let holds =
            second.encoding.isFloat
            ? second.encoding.byteCount == 8 || integerBits <= 24 && integerBits > 0 || first.encoding.byteCount == 4 && integerBits == 0
            : integerBits > 0 && second.encoding.byteCount >= first.encoding.byteCount
        if !holds { second.encoding = .float64BigEndian }
        let bytes = ReferenceSamples.random(700 * first.channelCount, first.encoding, &random)
        var options = AudioConverterOptions()
        options.dither = random.element(of: Dither.allCases)
        let there = try AudioConverter(from: .pcm(first), to: .pcm(second), options: options)
        // Without dither, because floating point may have any bits.
        let back = try AudioConverter(from: .pcm(second), to: .pcm(first))
        try there.append(bytes.span.bytes)
        var middle: [UInt8] = []
        there.read(.max, into: &middle)
        try back.append(middle.span.bytes)
        var result: [UInt8] = []
        back.read(.max, into: &result)
        #expect(result == bytes, "\(first) to \(second), seed \(seed)")
    }
}
