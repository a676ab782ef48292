// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import PCMFiles

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Mono signals in double precision, and measurements of converted signals.
enum Signals {
    /// Returns a sine; full scale has an amplitude of 1.
    static func sine(_ frequency: Double, sampleRate: Int, frameCount: Int, amplitude: Double) -> [Double] {
        (0..<frameCount).map { amplitude * sin(2 * Double.pi * frequency * Double($0) / Double(sampleRate) + 0.3) }
    }

    /// Returns a signal converted from 64-bit floating point to an encoding and back.
    static func convert(
        _ signal: [Double], _ encoding: SampleEncoding, from inputRate: Int, to outputRate: Int, options: AudioConverterOptions
    ) throws -> [Double] {
        let source = AudioFormat(.float64, sampleRate: inputRate, channelCount: 1)
        let target = AudioFormat(encoding, sampleRate: outputRate, channelCount: 1)
        let converter = try AudioConverter(from: .pcm(source), to: .pcm(target), options: options)
        try converter.append(signal.span.bytes)
        try converter.finish()
        return try values(of: converter, target)
    }

    /// Returns a converter's remaining output as 64-bit floating point.
    static func values(of converter: AudioConverter, _ format: AudioFormat) throws -> [Double] {
        var bytes: [UInt8] = []
        converter.read(.max, into: &bytes)
        let back = try AudioConverter(
            from: .pcm(format), to: .pcm(AudioFormat(.float64, sampleRate: format.sampleRate, channelCount: format.channelCount)))
        try back.append(bytes.span.bytes)
        back.read(.max, into: &bytes)
        return bytes.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
    }

    /// Returns the middle half of a signal, without the transients of filters at its ends.
    static func middle(_ signal: [Double]) -> ArraySlice<Double> { signal[signal.count / 4..<signal.count * 3 / 4] }

    /// Returns the level of a signal, in decibels relative to a full-scale sine; -infinity for silence.
    static func level(_ signal: some Collection<Double>) -> Double {
        10 * log10(signal.reduce(0) { $0 + $1 * $1 } / Double(max(signal.count, 1)) * 2)
    }

    /// Returns a signal minus its best-fitting sine of a frequency, and the gain of that sine in decibels.
    static func residual(
        _ signal: ArraySlice<Double>, frequency: Double, sampleRate: Int, amplitude: Double
    ) -> (signal: [Double], gain: Double) {
        let step = 2 * Double.pi * frequency / Double(sampleRate)
        var (cosines, sines, mixed, a, b) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for (index, value) in signal.enumerated() {
            let (c, s) = (cos(step * Double(index)), sin(step * Double(index)))
            cosines += c * c
            sines += s * s
            mixed += c * s
            a += value * c
            b += value * s
        }
        let determinant = cosines * sines - mixed * mixed
        let (x, y) = ((a * sines - b * mixed) / determinant, (b * cosines - a * mixed) / determinant)
        let rest = signal.enumerated().map { $1 - x * cos(step * Double($0)) - y * sin(step * Double($0)) }
        return (rest, 20 * log10((x * x + y * y).squareRoot() / amplitude))
    }
}
