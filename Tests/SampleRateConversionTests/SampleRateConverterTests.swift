// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleRateConversion
import TestSupport
import Testing

@Suite struct SampleRateConverterTests {
    static let pairs = [
        (44_100, 48_000), (48_000, 44_100), (96_000, 44_100), (8000, 48_000), (48_000, 8000), (44_100, 44_101), (11_025, 16_001),
    ]

    @Test("A tone keeps its timing and level without other tones", arguments: pairs)
    func tones(from: Int, to: Int) {
        for (design, noise) in [(RateFilterDesign.high, -125.0), (.maximum, -175)] {
            for part in [0.05, 0.31, 0.62, 0.9] {
                let frequency = part * Double(min(from, to)) / 2
                let output = Conversion(from: from, to: to, design).run(Self.sine(frequency, rate: from, count: from / 2))
                #expect(output.count == (from / 2 * to + from - 1) / from)
                let expected = Self.sine(frequency, rate: to, count: output.count)
                // The signal starts and ends abruptly, which spreads over the filter length.
                let margin = output.count / 6
                #expect(Self.level(output[margin..<output.count - margin], expected) < noise, "\(design.attenuation) dB, \(part)")
            }
        }
    }

    @Test("A target below 1 Hz is not supported", arguments: [0, -1])
    func noTarget(rate: Int) { #expect(!SampleRateConverter.supports(from: 48_000, to: rate)) }

    @Test("Tones above the lower Nyquist frequency are removed", arguments: [(48_000, 44_100), (96_000, 44_100), (48_000, 8000)])
    func aliases(from: Int, to: Int) {
        for (design, level) in [(RateFilterDesign.high, -124.0), (.maximum, -170)] {
            for part in [0.001, 0.02, 0.13, 0.41, 0.77, 0.96] {
                let frequency = Double(to) / 2 + part * Double(from - to) / 2
                let output = Conversion(from: from, to: to, design).run(Self.sine(frequency, rate: from, count: from / 2))
                let margin = output.count / 6
                let middle = output[margin..<output.count - margin]
                #expect(Self.level(middle, Array(repeating: 0, count: output.count)) < level, "\(design.attenuation) dB, \(part)")
            }
        }
    }

    @Test("Output does not depend on buffer lengths, in both sample types", arguments: pairs)
    func blocks(from: Int, to: Int) {
        var random = SeededRandom(seed: UInt64(from + to))
        let input = (0..<20_000).map { _ in Double.random(in: -1...1, using: &random) }
        for usesDoubles in [false, true] {
            let whole = Conversion(from: from, to: to, .high, usesDoubles: usesDoubles).run(input)
            for longest in [1, 100, 5000] {
                let parts = Conversion(from: from, to: to, .high, usesDoubles: usesDoubles).run(input) {
                    Int.random(in: 0...longest, using: &random)
                }
                #expect(parts == whole, "up to \(longest)")
            }
        }
    }

    @Test("Channels do not mix, and the next call returns pending output")
    func channels() {
        var random = SeededRandom(seed: 3)
        let input = (0..<3).map { _ in ContiguousArray((0..<4000).map { _ in Float.random(in: -1...1, using: &random) }) }
        let together = SampleRateConverter(from: 44_100, to: 48_000, channelCount: 3, design: .high)
        var output = ContiguousArray<Float>(repeating: 0, count: 3 * 5000)
        var joined = output.mutableSpan
        let planes = ContiguousArray(input.joined())
        let count = together.process(
            planes.span, inputStride: 4000, frameCount: 4000, into: &joined, outputStride: 5000, frameCapacity: 5000)
        for channel in 0..<3 {
            let alone = SampleRateConverter(from: 44_100, to: 48_000, channelCount: 1, design: .high)
            var (samples, frames) = ([Float](), input[channel])
            while true {
                var part = ContiguousArray<Float>(repeating: 0, count: 700)
                var span = part.mutableSpan
                let produced = alone.process(
                    frames.span, inputStride: 0, frameCount: frames.count, into: &span, outputStride: 0, frameCapacity: 700)
                samples += part[..<produced]
                frames = []
                if produced < 700 { break }
            }
            #expect(samples == Array(output[channel * 5000..<channel * 5000 + count]))
        }
    }

    @Test("The minimum phase filter has a delay of a few frames and equally low noise", arguments: pairs)
    func minimumPhase(from: Int, to: Int) {
        let design = RateFilterDesign(passBand: 0.913, attenuation: 125, phase: .minimum)
        let conversion = Conversion(from: from, to: to, design)
        let ratio = max(1, Double(from) / Double(to))
        #expect((2.0...5).contains(conversion.converter.delay / ratio))
        // The delay at low frequencies matches the converter's value.
        let frequency = 0.02 * Double(min(from, to)) / 2
        let output = conversion.run(Self.sine(frequency, rate: from, count: from / 2))
        let delay = conversion.converter.delay / Double(from)
        let expected = (0..<output.count).map { sin(2 * Double.pi * frequency * (Double($0) / Double(to) - delay)) }
        let margin = output.count / 6
        #expect(Self.level(output[margin..<output.count - margin], expected) < -60)
        for part in [0.05, 0.31, 0.62, 0.9] {
            let frequency = part * Double(min(from, to)) / 2
            let output = Conversion(from: from, to: to, design).run(Self.sine(frequency, rate: from, count: from / 2))
            let middle = Array(output[margin..<output.count - margin])
            #expect(Self.residue(middle, frequency / Double(to)) < -120, "\(part)")
        }
    }

    @Test("A varying ratio keeps each output frame's timing without clicks")
    func drift() {
        let converter = SampleRateConverter(
            from: 48_000, to: 44_100, channelCount: 1, design: .maximum, usesDoubles: true, maximumAdjustment: 1.01)
        let input = ContiguousArray(Self.sine(3000, rate: 48_000, count: 96_000))
        var (output, times, time) = ([Double](), [Double](), 0.0)
        for start in stride(from: 0, to: input.count, by: 480) {
            let factor = 1 + 0.009 * sin(Double(start) / 9000)
            converter.adjust(by: factor)
            var part = ContiguousArray<Double>(repeating: 0, count: 600)
            var span = part.mutableSpan
            let count = converter.process(
                input.span.extracting(start..<start + 480), inputStride: 480, frameCount: 480, into: &span, outputStride: 600,
                frameCapacity: 600)
            output += part[..<count]
            for _ in 0..<count {
                times.append(time)
                time += 48_000 / 44_100 * factor
            }
        }
        let expected = times.map { sin(2 * Double.pi * 3000 * $0 / 48_000) }
        // Each step is rounded to 2^-40 of a frame.
        #expect(Self.level(output[1000..<output.count - 1000], expected) < -150)
    }

    @Test("Implausible sample rates are not supported, except equal ones")
    func refusals() {
        for (from, to) in [(999, 48_000), (1000, 257_000), (257_000, 1000), (1, 2)] {
            #expect(!SampleRateConverter.supports(from: from, to: to))
        }
        for (from, to) in [(1000, 256_000), (256_000, 1000), (44_100, 48_000), (8, 8)] {
            #expect(SampleRateConverter.supports(from: from, to: to))
        }
    }

    @Test("Memory depends neither on the length of the signal nor on the ratio of the rates")
    func largeRatios() {
        for (from, to) in [(192_000, 1000), (1000, 192_000), (255_999, 1000)] {
            let output = Conversion(from: from, to: to, .high).run(Array(repeating: 1, count: from))
            #expect(output.count == to)
            #expect(abs(output[to / 2] - 1) < 1e-6)
        }
    }

    // MARK: Signals

    static func sine(_ frequency: Double, rate: Int, count: Int) -> [Double] {
        (0..<count).map { sin(2 * Double.pi * frequency * Double($0) / Double(rate)) }
    }

    /// The level of the difference from a signal, in decibels relative to a full-scale sine.
    static func level(_ samples: ArraySlice<Double>, _ expected: [Double]) -> Double {
        let energy = samples.indices.reduce(0) { $0 + (samples[$1] - expected[$1]) * (samples[$1] - expected[$1]) }
        return 10 * log10(2 * energy / Double(samples.count))
    }

    /// The level remaining after removing a sine of one frequency, in decibels relative to the sine.
    static func residue(_ samples: [Double], _ frequency: Double) -> Double {
        var (cc, ss, cs, c, s) = (0.0, 0.0, 0.0, 0.0, 0.0)
        let waves = samples.indices.map { (cos(2 * Double.pi * frequency * Double($0)), sin(2 * Double.pi * frequency * Double($0))) }
        for (sample, wave) in zip(samples, waves) {
            cc += wave.0 * wave.0
            ss += wave.1 * wave.1
            cs += wave.0 * wave.1
            c += sample * wave.0
            s += sample * wave.1
        }
        let determinant = cc * ss - cs * cs
        let (cosine, sine) = ((c * ss - s * cs) / determinant, (s * cc - c * cs) / determinant)
        let rest = zip(samples, waves).reduce(0) {
            let difference = $1.0 - cosine * $1.1.0 - sine * $1.1.1
            return $0 + difference * difference
        }
        return 10 * log10(2 * rest / Double(samples.count) / (cosine * cosine + sine * sine))
    }
}

/// A conversion of one channel.
private struct Conversion {
    let converter: SampleRateConverter
    private let ratio: Double
    private let usesDoubles: Bool

    init(from: Int, to: Int, _ design: RateFilterDesign, usesDoubles: Bool = true) {
        converter = SampleRateConverter(from: from, to: to, channelCount: 1, design: design, usesDoubles: usesDoubles)
        ratio = Double(to) / Double(from)
        self.usesDoubles = usesDoubles
    }

    /// Converts a whole signal, in parts of the lengths that a closure returns.
    func run(_ input: [Double], _ length: () -> Int = { .max }) -> [Double] {
        var (output, start) = ([Double](), 0)
        while start < input.count {
            let count = min(length(), input.count - start)
            output += convert(input[start..<start + count])
            start += count
        }
        converter.finish()
        return output + convert([])
    }

    private func convert(_ input: ArraySlice<Double>) -> [Double] {
        let frameCapacity = Int(Double(input.count + 1000) * ratio) + 100_000
        if usesDoubles {
            var output = ContiguousArray<Double>(repeating: 0, count: frameCapacity)
            var span = output.mutableSpan
            let count = converter.process(
                ContiguousArray(input).span, inputStride: 0, frameCount: input.count, into: &span, outputStride: 0,
                frameCapacity: frameCapacity)
            return Array(output[..<count])
        }
        var output = ContiguousArray<Float>(repeating: 0, count: frameCapacity)
        var span = output.mutableSpan
        let count = converter.process(
            ContiguousArray(input.map { Float($0) }).span, inputStride: 0, frameCount: input.count, into: &span, outputStride: 0,
            frameCapacity: frameCapacity
        )
        return output[..<count].map { Double($0) }
    }
}
