// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import TestSupport
import Testing

struct DitherTests {
    /// Returns the rounding errors of a constant in two channels, in steps of 16 bits.
    static func errors(_ dither: Dither, value: Double, seed: UInt64 = 0, frameCount: Int = 40_000) throws -> (
        left: [Double], right: [Double]
    ) {
        var options = AudioConverterOptions()
        options.dither = dither
        options.ditherSeed = seed
        var random = SeededRandom(seed: 12)
        let sample = ReferenceSamples.bytes(value / 32_768, .float64)
        let bytes = (0..<2 * frameCount).flatMap { _ in sample }
        let converted = try AudioConverter.convert(
            bytes, from: AudioFormat(.float64, sampleRate: 44_100, channelCount: 2),
            to: AudioFormat(.int16, sampleRate: 44_100, channelCount: 2, isInterleaved: true), options: options, &random)
        let values = stride(from: 0, to: converted.count, by: 2).map {
            ReferenceSamples.value(converted[$0..<$0 + 2], .int16) * 32_768 - value
        }
        return (
            stride(from: 0, to: values.count, by: 2).map { values[$0] }, stride(from: 1, to: values.count, by: 2).map { values[$0] }
        )
    }

    /// Returns the mean power of a signal near a frequency, given as a fraction of the sample rate.
    static func power(_ signal: [Double], at frequency: Double) -> Double {
        let length = 512
        let blocks = stride(from: 0, through: signal.count - length, by: length).map { start -> Double in
            var (real, imaginary) = (0.0, 0.0)
            for index in 0..<length {
                let window = 0.5 - 0.5 * SineTable.sine(Double(index) / Double(length) + 0.25)
                real += signal[start + index] * window * SineTable.sine(Double(index) * frequency + 0.25)
                imaginary += signal[start + index] * window * SineTable.sine(Double(index) * frequency)
            }
            return (real * real + imaginary * imaginary) / (0.375 * Double(length))
        }
        return blocks.reduce(0, +) / Double(blocks.count)
    }

    @Test("With triangular dither, mean and power of the error do not depend on the signal", arguments: [0, 0.25, 0.5, 0.73, -12.4])
    func triangular(value: Double) throws {
        let (left, right) = try Self.errors(.triangular, value: value)
        let mean = left.reduce(0, +) / Double(left.count)
        let power = left.reduce(0) { $0 + $1 * $1 } / Double(left.count)
        // A quarter of a step squared: 1/12 from rounding and 1/6 from the noise.
        #expect(abs(mean) < 0.01 && abs(power - 0.25) < 0.01)
        let correlation = zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } / Double(left.count)
        #expect(abs(correlation) < 0.01)
        #expect(abs(Self.power(left, at: 0.1) / Self.power(left, at: 0.4) - 1) < 0.4)
    }

    @Test("Noise shaping reduces noise by more than 10 dB where the auditory system is most sensitive")
    func noiseShaped() throws {
        let white = try Self.errors(.triangular, value: 0.31).left
        let shaped = try Self.errors(.noiseShaped, value: 0.31).left
        let sensitive = 3500.0 / 44_100
        #expect(Self.power(shaped, at: sensitive) < 0.1 * Self.power(white, at: sensitive))
        #expect(Self.power(shaped, at: 20_000.0 / 44_100) > Self.power(white, at: 20_000.0 / 44_100))
        let sum: Double = shaped.reduce(0, +)
        #expect(abs(sum) < 0.01 * Double(shaped.count))
    }

    @Test("Equal seeds produce equal noise, different seeds different noise", arguments: [Dither.triangular, .noiseShaped])
    func seeds(dither: Dither) throws {
        let first = try Self.errors(dither, value: 0.4, seed: 1, frameCount: 3000).left
        #expect(try Self.errors(dither, value: 0.4, seed: 1, frameCount: 3000).left == first)
        #expect(try Self.errors(dither, value: 0.4, seed: 2, frameCount: 3000).left != first)
    }

    @Test("Dither is added only if bits are lost", arguments: [Dither.triangular, .noiseShaped])
    func exactness(dither: Dither) throws {
        var options = AudioConverterOptions()
        options.dither = dither
        var random = SeededRandom(seed: 6)
        let integers: [SampleEncoding] = [.signed8, .unsigned8, .int16, .int24BigEndian, .int32]
        for (index, input) in integers.enumerated() {
            let bytes = ReferenceSamples.random(500, input, &random)
            for output in integers {
                let source = AudioFormat(input, sampleRate: 8000, channelCount: 1)
                let target = AudioFormat(output, sampleRate: 8000, channelCount: 1)
                let plain = try AudioConverter.convert(bytes, from: source, to: target, &random)
                let dithered = try AudioConverter.convert(bytes, from: source, to: target, options: options, &random)
                #expect((plain == dithered) == (output.byteCount >= integers[index].byteCount), "\(input) to \(output)")
            }
        }
    }

    @Test("Full scale does not wrap, and silence stays near silence", arguments: [Dither.triangular, .noiseShaped])
    func extremes(dither: Dither) throws {
        for value in [32_767.0, -32_768] {
            let errors = try Self.errors(dither, value: value, frameCount: 5000).left
            #expect(errors.allSatisfy { abs($0) < 64 })
        }
    }
}
