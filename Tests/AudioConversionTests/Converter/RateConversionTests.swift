// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import PCMFiles
import TestSupport
import Testing

struct RateConversionTests {
    static let rates = [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000]

    @Test("The output length is the input length, rounded to nearest, for every pair of rates", arguments: rates)
    func lengths(inputRate: Int) throws {
        for (index, outputRate) in Self.rates.enumerated() {
            let seed = UInt64(inputRate + index)
            var random = SeededRandom(seed: seed)
            for frameCount in [0, 1, 2, 100, Int.random(in: 1000...20_000, using: &random)] {
                let bytes = ReferenceSamples.random(frameCount, .int16, &random)
                let converted = try AudioConverter.convert(
                    bytes, from: AudioFormat(.int16, sampleRate: inputRate, channelCount: 1),
                    to: AudioFormat(.int24, sampleRate: outputRate, channelCount: 1), &random)
                let expected = (2 * frameCount * outputRate + inputRate) / (2 * inputRate)
                #expect(converted.count == 3 * expected, "\(frameCount) frames from \(inputRate) to \(outputRate) Hz, seed \(seed)")
            }
        }
    }

    @Test("The output does not depend on buffer sizes", arguments: SampleRateConverterQuality.allCases)
    func bufferSizes(quality: SampleRateConverterQuality) throws {
        var options = AudioConverterOptions()
        options.quality = quality
        options.dither = .triangular
        var random = SeededRandom(seed: 9)
        let bytes = ReferenceSamples.random(2 * 9000, .int24, &random)
        let results = try (0..<3).map { _ in
            try AudioConverter.convert(
                bytes, from: AudioFormat(.int24, sampleRate: 44_100, channelCount: 2),
                to: AudioFormat(.int16, sampleRate: 48_000, channelCount: 2), options: options, &random)
        }
        #expect(results[0] == results[1] && results[1] == results[2])
    }

    @Test("A tone keeps its timing", arguments: [(44_100, 48_000), (48_000, 16_000), (8000, 48_000)])
    func alignment(inputRate: Int, outputRate: Int) throws {
        let frameCount = inputRate / 4
        let bytes = (0..<frameCount).flatMap { frame in
            ReferenceSamples.bytes(0.5 * SineTable.sine(Double(frame) * 1000 / Double(inputRate)), .float64)
        }
        var random = SeededRandom(seed: 3)
        var options = AudioConverterOptions()
        options.quality = .maximum
        let converted = try AudioConverter.convert(
            bytes, from: AudioFormat(.float64, sampleRate: inputRate, channelCount: 1),
            to: AudioFormat(.float64, sampleRate: outputRate, channelCount: 1), options: options, &random)
        let middle = (converted.count / 8 / 4)..<(converted.count / 8 * 3 / 4)
        let largest = middle.map { frame -> Double in
            let value = ReferenceSamples.value(converted[frame * 8..<frame * 8 + 8], .float64)
            return abs(value - 0.5 * SineTable.sine(Double(frame) * 1000 / Double(outputRate)))
        }.max()
        #expect((largest ?? 1) < 1e-6)
    }

    @Test("A reset converter repeats its output")
    func reset() throws {
        var options = AudioConverterOptions()
        options.dither = .noiseShaped
        var random = SeededRandom(seed: 14)
        let bytes = ReferenceSamples.random(2 * 4000, .float32, &random)
        let converter = try AudioConverter(
            from: .pcm(AudioFormat(.float32, sampleRate: 44_100, channelCount: 2)),
            to: .pcm(AudioFormat(.int16, sampleRate: 32_000, channelCount: 2)), options: options)
        var results: [[UInt8]] = []
        for _ in 0..<2 {
            try converter.append(bytes.span.bytes)
            try converter.finish()
            #expect(throws: CodecError.self) { try converter.append(bytes.span.bytes) }
            var result: [UInt8] = []
            converter.read(.max, into: &result)
            results.append(result)
            try converter.reset()
        }
        #expect(results[0] == results[1] && results[0].count == 4 * 2902)
    }

    @Test("Sample rates that are too far apart or invalid throw")
    func refusedRates() {
        for (inputRate, outputRate) in [(100, 192_000), (192_000, 1), (0, 48_000), (48_000, -1)] {
            #expect(throws: CodecError.self, "\(inputRate) to \(outputRate) Hz") {
                try AudioConverter(
                    from: .pcm(AudioFormat(.int16, sampleRate: inputRate, channelCount: 1)),
                    to: .pcm(AudioFormat(.int16, sampleRate: outputRate, channelCount: 1)))
            }
        }
    }

    @Test("Omits frames that only fill the filter")
    func leadingFrames() throws {
        var random = SeededRandom(seed: 4)
        let bytes = ReferenceSamples.random(5000, .float32, &random)
        let input = AudioFormat(.float32, sampleRate: 48_000, channelCount: 1)
        let output = AudioFormat(.float32, sampleRate: 24_000, channelCount: 1)
        let whole = try AudioConverter.convert(bytes, from: input, to: output, &random)
        var options = AudioConverterOptions()
        options.primeMethod = .pre(leadingFrames: 200)
        let rest = try AudioConverter.convert(bytes, from: input, to: output, options: options, &random)
        #expect(rest == Array(whole.dropFirst(4 * 100)))
    }
}

/// Sines without a library.
enum SineTable {
    /// Returns the sine of an angle in turns.
    static func sine(_ turns: Double) -> Double {
        let quarter = (turns - turns.rounded(.down)) * 4
        // A quarter of a period, mirrored to the range where the series converges best.
        let folded = quarter <= 1 ? quarter : quarter <= 3 ? 2 - quarter : quarter - 4
        let angle = folded * .pi / 2
        var (term, sum) = (angle, angle)
        for index in 1..<12 {
            term *= -angle * angle / Double(2 * index * (2 * index + 1))
            sum += term
        }
        return sum
    }
}
