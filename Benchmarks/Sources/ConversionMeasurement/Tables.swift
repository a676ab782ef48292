// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import PCMFiles

/// The noise of conversions between sample encodings.
enum DepthTable {
    private static let encodings: [(name: String, encoding: SampleEncoding)] = [
        ("8", .signed8), ("16", .int16), ("24", .int24), ("32", .int32), ("float 32", .float32), ("float 64", .float64),
    ]

    /// Returns the table of error levels, relative to the input samples, for each pair of encodings.
    static func text() throws -> [String] {
        var lines: [String] = []
        for dither in Dither.allCases {
            lines.append("Dither: \(dither.rawValue)")
            lines.append("")
            lines.append("| from \\ to | " + encodings.map(\.name).joined(separator: " | ") + " |")
            lines.append("|---|" + encodings.map { _ in "---:|" }.joined())
            for source in encodings {
                let cells = try encodings.map { try error(source.encoding, $0.encoding, dither) }
                lines.append("| \(source.name) | " + cells.joined(separator: " | ") + " |")
            }
            lines.append("")
        }
        return lines
    }

    /// Returns the error level of a pair; "exact" for no error.
    private static func error(_ source: SampleEncoding, _ target: SampleEncoding, _ dither: Dither) throws -> String {
        let rate = 48_000
        var options = AudioConverterOptions()
        // A source with few bits has its own noise, like recordings.
        options.dither = .triangular
        options.ditherSeed = 1
        let sine = Signals.sine(997, sampleRate: rate, frameCount: 2 * rate, amplitude: 0.5)
        let input = try Signals.convert(sine, source, from: rate, to: rate, options: options)
        options.dither = dither
        options.ditherSeed = 2
        let format = AudioFormat(source, sampleRate: rate, channelCount: 1)
        let coded = try AudioConverter(from: .pcm(AudioFormat(.float64, sampleRate: rate, channelCount: 1)), to: .pcm(format))
        try coded.append(input.span.bytes)
        var bytes: [UInt8] = []
        coded.read(.max, into: &bytes)
        let result = AudioFormat(target, sampleRate: rate, channelCount: 1)
        let converter = try AudioConverter(from: .pcm(format), to: .pcm(result), options: options)
        try converter.append(bytes.span.bytes)
        let output = try Signals.values(of: converter, result)
        let errors = zip(output, input).map { $0 - $1 }
        return errors.allSatisfy { $0 == 0 } ? "exact" : Numbers.fixed(Signals.level(errors))
    }
}

/// The noise, images and aliases of conversions between sample rates.
enum RateTable {
    private static let rates = [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000]

    /// Returns the tables of a quality: noise added to passband tones, and the residue of tones above the passband.
    static func text(_ quality: SampleRateConverterQuality) throws -> [String] {
        var lines: [String] = []
        for measure in [passband, stopband] {
            lines.append("| from \\ to | " + rates.map { Numbers.kilo($0) }.joined(separator: " | ") + " |")
            lines.append("|---|" + rates.map { _ in "---:|" }.joined())
            for source in rates {
                let cells = try rates.map { try $0 == source ? "exact" : measure(source, $0, quality) }
                lines.append("| \(Numbers.kilo(source)) | " + cells.joined(separator: " | ") + " |")
            }
            lines.append("")
        }
        return lines
    }

    /// Returns the maximum level of noise and images over tones up to 0.9 of the lower Nyquist frequency, in decibels relative to the tone.
    private static func passband(_ source: Int, _ target: Int, _ quality: SampleRateConverterQuality) throws -> String {
        let limit = Double(min(source, target)) / 2
        var worst = -Double.infinity
        for part in [0.05, 0.31, 0.62, 0.9] {
            let frequency = part * limit
            let output = try convert(frequency, source, target, quality)
            let rest = Signals.residual(Signals.middle(output), frequency: frequency, sampleRate: target, amplitude: 0.5)
            worst = max(worst, Signals.level(rest.signal) - Signals.level([0.5 * 0.5.squareRoot()]))
        }
        return Numbers.fixed(worst)
    }

    /// Returns the maximum residue of tones above the new Nyquist frequency, in decibels relative to the tone.
    private static func stopband(_ source: Int, _ target: Int, _ quality: SampleRateConverterQuality) throws -> String {
        guard target < source else { return "" }
        let (lower, upper) = (Double(target) / 2, Double(source) / 2)
        var worst = -Double.infinity
        for part in [0.02, 0.13, 0.41, 0.77, 0.96] {
            let output = try convert(lower + part * (upper - lower), source, target, quality)
            worst = max(worst, Signals.level(Signals.middle(output)) - Signals.level([0.5 * 0.5.squareRoot()]))
        }
        return Numbers.fixed(worst)
    }

    /// Returns a tone at half of full scale, converted in 64-bit floating point.
    private static func convert(_ frequency: Double, _ source: Int, _ target: Int, _ quality: SampleRateConverterQuality) throws -> [Double]
    {
        var options = AudioConverterOptions()
        options.quality = quality
        let tone = Signals.sine(frequency, sampleRate: source, frameCount: source / 2, amplitude: 0.5)
        return try Signals.convert(tone, .float64, from: source, to: target, options: options)
    }
}

enum Numbers {
    /// Returns a number rounded to an integer, or a dash for infinity.
    static func fixed(_ value: Double) -> String { value.isFinite ? "\(Int(value.rounded()))" : "-" }

    /// Returns a sample rate in kilohertz.
    static func kilo(_ rate: Int) -> String { rate % 1000 == 0 ? "\(rate / 1000)" : "\(Double(rate) / 1000)" }
}
