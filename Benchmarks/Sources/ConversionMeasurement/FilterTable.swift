// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import PCMFiles
import SampleRateConversion

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The sample rate filters of Linnet and libsoxr, measured in one run.
enum FilterTable {
    /// Returns the table of two pairs of rates.
    static func text() throws -> [String] {
        var lines = [
            "| from, to | quality | filter | ripple | two tones | noise of tones | images or aliases | impulse | time |",
            "|---|---|---|---:|---:|---:|---:|---:|---:|",
        ]
        for (source, target) in [(44_100, 48_000), (96_000, 44_100)] {
            for quality in SampleRateConverterQuality.allCases {
                for usesLibrary in [false, true] {
                    let measured = Measurement(source, target) {
                        try Stream(source, target, quality, channelCount: $0, usesDoubles: $1, usesLibrary: usesLibrary)
                    }
                    lines.append(
                        try measured.row(quality.rawValue, usesLibrary ? "libsoxr" : "Linnet", passBand: quality.filterDesign.passBand))
                }
            }
        }
        return lines
    }

    /// A conversion of samples in memory.
    struct Stream {
        let target: Int
        private let source: Int
        private let channelCount: Int
        private let stream: RateStream

        init(
            _ source: Int, _ target: Int, _ quality: SampleRateConverterQuality, channelCount: Int, usesDoubles: Bool, usesLibrary: Bool
        ) throws {
            (self.source, self.target, self.channelCount) = (source, target, channelCount)
            stream = try RateStream(
                from: source, to: target, channelCount: channelCount, quality: quality, usesDoubles: usesDoubles, usesLibrary: usesLibrary)
        }

        /// Converts a complete mono signal.
        func run(_ input: [Double]) throws -> [Double] {
            var (source, output) = (input, [Double](repeating: 0, count: input.count * target / self.source + 20_000))
            let frameCapacity = output.count
            let count = try source.withUnsafeMutableBytes { source in
                try output.withUnsafeMutableBytes { output in
                    let first = try stream.process(
                        .init(base: source.baseAddress, stride: 0, frameCount: input.count),
                        into: .init(base: output.baseAddress, stride: 0, frameCount: frameCapacity))
                    return first
                        + (try stream.process(
                            nil, into: .init(base: output.baseAddress.map { $0 + 8 * first }, stride: 0, frameCount: frameCapacity - first)))
                }
            }
            return Array(output[..<count])
        }

        /// Converts 32-bit floating point stereo noise in blocks, as `AudioConverter` does, and returns the processor time in seconds.
        func time(_ noise: inout [Float], blocks: Int) throws -> Double {
            let frameCapacity = 2048 * max(1, target / source + 1) + 8192
            var output = [Float](repeating: 0, count: channelCount * frameCapacity)
            let start = clock()
            try noise.withUnsafeMutableBytes { noise in
                try output.withUnsafeMutableBytes { output in
                    for _ in 0..<blocks {
                        _ = try stream.process(
                            .init(base: noise.baseAddress, stride: 4 * 2048, frameCount: 2048),
                            into: .init(base: output.baseAddress, stride: 4 * frameCapacity, frameCount: frameCapacity))
                    }
                }
            }
            return Double(clock() - start) / Double(CLOCKS_PER_SEC)
        }
    }

    /// The measurement of one filter.
    struct Measurement {
        private let source: Int
        private let target: Int
        private let make: (_ channelCount: Int, _ usesDoubles: Bool) throws -> Stream

        init(_ source: Int, _ target: Int, _ make: @escaping (Int, Bool) throws -> Stream) {
            (self.source, self.target, self.make) = (source, target, make)
        }

        private var lower: Double { Double(min(source, target)) / 2 }

        /// Returns the row of the table.
        func row(_ quality: String, _ filter: String, passBand: Double) throws -> String {
            let tones = try stride(from: 0.03, through: 1, by: 0.097).map { try tone($0 * passBand * lower) }
            let ripple = (tones.map(\.gain).max() ?? 0) - (tones.map(\.gain).min() ?? 0)
            let noise = tones.map(\.noise).max() ?? 0
            let cells = [
                "\(Numbers.kilo(source)), \(Numbers.kilo(target))", quality, filter, "\((ripple * 10_000).rounded() / 10_000) dB",
                Numbers.fixed(try twoTones(passBand)), Numbers.fixed(noise), Numbers.fixed(try stopBand()), try impulse(),
                "\(Int((try time() * 1000).rounded())) ms",
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }

        /// Returns the gain of a tone, and the level of everything else.
        private func tone(_ frequency: Double) throws -> (gain: Double, noise: Double) {
            let output = try make(1, true).run(Signals.sine(frequency, sampleRate: source, frameCount: source / 2, amplitude: 0.5))
            let rest = Signals.residual(Signals.middle(output), frequency: frequency, sampleRate: target, amplitude: 0.5)
            return (rest.gain, Signals.level(rest.signal) + 20 * log10(2))
        }

        /// Returns the level besides two tones at the end of the pass band.
        private func twoTones(_ passBand: Double) throws -> Double {
            let frequencies = [passBand * lower * 0.95, passBand * lower]
            let tones = frequencies.map { Signals.sine($0, sampleRate: source, frameCount: source / 2, amplitude: 0.25) }
            let output = try make(1, true).run(zip(tones[0], tones[1]).map { $0 + $1 })
            var rest = Signals.middle(output)
            // Each iteration reduces the mutual disturbance of the two fits.
            for _ in 0..<8 {
                for frequency in frequencies {
                    rest = Signals.residual(rest, frequency: frequency, sampleRate: target, amplitude: 1).signal[...]
                }
            }
            return Signals.level(rest) + 20 * log10(4)
        }

        /// Returns the maximum level of tones beyond the lower Nyquist frequency.
        private func stopBand() throws -> Double {
            guard target < source else { return -.infinity }
            return try [0.0, 0.02, 0.13, 0.41, 0.77, 0.96].map { part in
                let frequency = lower + part * Double(source - target) / 2
                let output = try make(1, true).run(Signals.sine(frequency, sampleRate: source, frameCount: source / 2, amplitude: 0.5))
                return Signals.level(Signals.middle(output)) + 20 * log10(2)
            }.max() ?? 0
        }

        /// Returns the time from the peak of the impulse response to its first and last samples above -80 dB.
        private func impulse() throws -> String {
            var input = [Double](repeating: 0, count: source / 5)
            input[source / 10] = 1
            let output = try make(1, true).run(input).map(abs)
            let peak = output.max() ?? 0
            let (first, last) = (output.firstIndex { $0 > peak / 10_000 } ?? 0, output.lastIndex { $0 > peak / 10_000 } ?? 0)
            let centre = output.firstIndex(of: peak) ?? 0
            func text(_ frames: Int) -> String { "\((Double(frames) * 10_000 / Double(target)).rounded() / 10) ms" }
            return "\(text(first - centre)) to \(text(last - centre))"
        }

        /// Returns the processor time for a minute of stereo, the minimum of five runs.
        private func time() throws -> Double {
            var noise = Signals.sine(997, sampleRate: source, frameCount: 4096, amplitude: 0.5).map { Float($0) }
            let blocks = source * 10 / 2048
            return try (0..<5).map { _ in try make(2, false).time(&noise, blocks: blocks) * 6 }.min() ?? 0
        }
    }
}
